/** A word about a state. The colour repeats the meaning of the word. */
import type { ComponentChildren } from 'preact';

export type Tone = 'good' | 'warn' | 'bad' | 'accent';

export const Badge = ({ tone, children }: { readonly tone?: Tone; readonly children: ComponentChildren }) => (
  <span class={tone ? `badge badge-${tone}` : 'badge'}>{children}</span>
);
