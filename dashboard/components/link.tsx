/** A link to a page of the dashboard; it keeps the range and the filters. */
import type { ComponentChildren } from 'preact';
import { addressOf, navigate } from '../state/location.ts';
import type { Changes } from '../state/query.ts';

interface LinkProps {
  /** The page's name. */
  readonly to: string;
  /** Parameters that it has beside the shared ones; null removes one. */
  readonly with?: Changes;
  readonly class?: string;
  readonly current?: boolean;
  readonly onFollow?: () => void;
  readonly children?: ComponentChildren;
}

export function Link({ to, with: changes = {}, class: className, current, onFollow, children }: LinkProps) {
  const address = addressOf(to, changes);
  return (
    <a
      href={address}
      class={className}
      aria-current={current ? 'page' : undefined}
      onClick={(event) => {
        if (!isPlain(event)) return;
        event.preventDefault();
        navigate(address);
        onFollow?.();
      }}
    >
      {children}
    </a>
  );
}

/** Whether a click means "here", and not a new tab or window. */
export const isPlain = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
