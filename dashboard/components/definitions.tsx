/** Facts about one thing: terms and their values. */
import type { ComponentChildren } from 'preact';

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
