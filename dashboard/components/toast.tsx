/** Short messages about what was done; they are also read aloud, and go by themselves. */
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { IconButton } from './controls.tsx';

interface Message {
  readonly id: number;
  readonly text: string;
  readonly kind: 'good' | 'bad';
}

const messages = signal<readonly Message[]>([]);
const maxShown = 3;
/** In milliseconds. A failure is read for longer. */
const shownMs = { good: 6_000, bad: 20_000 };
let count = 0;

/** Shows a message. */
export function toast(text: string, kind: Message['kind'] = 'good'): void {
  count += 1;
  const id = count;
  messages.value = [...messages.value, { id, text, kind }].slice(-maxShown);
  setTimeout(() => close(id), shownMs[kind]);
}

const close = (id: number) => {
  messages.value = messages.value.filter((message) => message.id !== id);
};

/**
 * Once in the page. Messages are above windows, too, which are above all that is in the page: so they are shown as a popover. What is
 * read aloud stands apart, since it must be there before the first message.
 */
export function Toasts() {
  const element = useRef<HTMLElement>(null);
  const shown = messages.value;
  useEffect(() => {
    const toasts = element.current;
    if (!toasts) return;
    if (toasts.matches(':popover-open')) toasts.hidePopover();
    if (shown.length > 0) toasts.showPopover();
  }, [shown]);
  return (
    <>
      <div class="unseen" role="status" aria-live="polite">
        {shown.at(-1)?.text}
      </div>
      <section ref={element} class="toasts" popover="manual" aria-label="Messages">
        {shown.map(({ id, text, kind }) => (
          <div key={id} class={`toast toast-${kind}`}>
            <span>{text}</span>
            <IconButton icon="close" label="Close the message" onClick={() => close(id)} />
          </div>
        ))}
      </section>
    </>
  );
}
