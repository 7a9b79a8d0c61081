/** What shows something: parts of a page, facts, and single numbers. */
import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

export type Tone = 'good' | 'warn' | 'bad' | 'accent';

export const Badge = ({ tone, children }: { readonly tone?: Tone; readonly children: ComponentChildren }) => (
  <span class={tone ? `badge badge-${tone}` : 'badge'}>{children}</span>
);

interface SectionProps {
  readonly title: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

export const Section = ({ title, actions, children }: SectionProps) => (
  <section class="section stack">
    <div class="section-head row row-wrap">
      <h2>{title}</h2>
      {actions && <div class="section-actions">{actions}</div>}
    </div>
    {children}
  </section>
);

/** A surface with a hairline around it. */
export const Card = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="card">{children}</div>
);

/** A value that is undefined leaves its term out; null is shown as a dash. */
export type Definition = readonly [term: string, value: ComponentChildren];

export const Definitions = ({ items }: { readonly items: readonly Definition[] }) => (
  <dl class="definitions">
    {items
      .filter(([, value]) => value !== undefined)
      .map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value === null || value === '' ? <span class="quiet">–</span> : value}</dd>
        </div>
      ))}
  </dl>
);

export function ModelName({ id }: { readonly id: string }) {
  const slash = id.indexOf('/') + 1;
  return (
    <span class="cut" title={id}>
      <span class="wide">{id.slice(0, slash)}</span>
      {id.slice(slash)}
    </span>
  );
}

interface FigureProps {
  readonly label: string;
  readonly value: ComponentChildren;
  /** A second line: of what, or compared with what. */
  readonly note?: ComponentChildren;
  /** Compared with the period before, as a fraction: 0.2 is 20 % more. Null: there is nothing to compare with. */
  readonly change?: number | null;
  /** Which direction is good; absent: neither. */
  readonly better?: 'up' | 'down';
  /** Below the number, such as a small chart. */
  readonly children?: ComponentChildren;
}

export const Figure = ({ label, value, note, change, better, children }: FigureProps) => (
  <div class="figure">
    <dt>{label}</dt>
    <dd class="figure-value">{value ?? <span class="skeleton-line" />}</dd>
    {(note !== undefined || change !== undefined) && (
      <dd class="figure-note">
        {change !== undefined && <Change of={change} better={better} />} {note}
      </dd>
    )}
    {children && <dd class="figure-more">{children}</dd>}
  </div>
);

interface ChangeProps {
  /** A fraction; null: unknown. */
  readonly of: number | null;
  readonly better?: 'up' | 'down' | undefined;
}

/** By how much something is more or less than before. */
export function Change({ of: change, better }: ChangeProps) {
  if (change === null) return null;
  const direction = Math.abs(change) < 0.0005 ? 'same' : change > 0 ? 'up' : 'down';
  const tone = direction === 'same' || !better ? '' : direction === better ? 'is-good' : 'is-bad';
  return (
    <span class={`change ${tone}`}>
      {direction !== 'same' && <Icon name={direction} />}
      <span class="unseen">{direction === 'up' ? 'more by' : direction === 'down' ? 'less by' : ''}</span>
      {direction === 'same' ? '±0%' : percent(Math.abs(change))}
    </span>
  );
}

function percent(change: number): string {
  if (change >= 10) return `${Math.round(change + 1)}×`;
  return `${(change * 100).toFixed(change < 0.1 ? 1 : 0)}%`;
}
