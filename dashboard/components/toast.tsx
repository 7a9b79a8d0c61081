/** Short messages about what was done; they are also read aloud, and go by themselves. */
import { signal } from '@preact/signals';
import { IconButton } from './button.tsx';

interface Message {
  readonly id: number;
  readonly text: string;
  readonly kind: 'good' | 'bad';
}

const messages = signal<readonly Message[]>([]);
const most = 3;
/** In milliseconds. A failure stays until it is closed. */
const shownMs = 6_000;
let count = 0;

/** Shows a message. */
export function toast(text: string, kind: Message['kind'] = 'good'): void {
  count += 1;
  const id = count;
  messages.value = [...messages.value, { id, text, kind }].slice(-most);
  if (kind === 'good') setTimeout(() => close(id), shownMs);
}

/** Shows a failure of something that was asked for. */
export const toastError = (thrown: unknown): void =>
  toast(thrown instanceof Error ? thrown.message : String(thrown), 'bad');

const close = (id: number) => {
  messages.value = messages.value.filter((message) => message.id !== id);
};

/** Once in the page: what is not there from the start is not read aloud. */
export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
    {messages.value.map(({ id, text, kind }) => (
      <div key={id} class={`toast toast-${kind}`}>
        <span>{text}</span>
        <IconButton icon="close" label="Close the message" onClick={() => close(id)} />
      </div>
    ))}
  </div>
);
