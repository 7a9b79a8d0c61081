/** A part of a page with a heading, and what can be done with it. */
import type { ComponentChildren } from 'preact';

interface SectionProps {
  readonly title: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

export const Section = ({ title, actions, children }: SectionProps) => (
  <section class="section">
    <div class="section-head">
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
