/** Surfaces over the page: in the middle for a question, at the side for details. The browser keeps the focus inside. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { asError } from '../api/api-error.ts';
import { Button, IconButton } from './controls.tsx';
import { ErrorState } from './states.tsx';

interface DialogProps {
  readonly title: ComponentChildren;
  readonly onClose: () => void;
  /** Buttons; the most likely one last. */
  readonly footer?: ComponentChildren;
  readonly wide?: boolean;
  /** A click beside it does not close it: what it shows would be lost. */
  readonly mustBeClosed?: boolean;
  /** Nor does Escape: what it shows is shown only once. */
  readonly isShownOnce?: boolean;
  readonly children?: ComponentChildren;
}

export const Dialog = (props: DialogProps) => <Window {...props} kind="dialog" />;

export const Panel = (props: DialogProps) => <Window {...props} kind="panel" />;

function Window({
  title,
  onClose,
  footer,
  wide,
  isShownOnce = false,
  mustBeClosed = isShownOnce,
  children,
  kind,
}: DialogProps & { readonly kind: 'dialog' | 'panel' }) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    return () => before instanceof HTMLElement && before.focus();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, which the browser reports by `cancel`.
    <dialog
      ref={element}
      class={`window ${kind}${wide ? ' is-wide' : ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!isShownOnce) onClose();
      }}
      {...(isShownOnce && { closedby: 'none' })}
      onClick={({ target, currentTarget }) => target === currentTarget && !mustBeClosed && onClose()}
    >
      <div class="window-inside">
        <header class="window-head row">
          <h2 id={id}>{title}</h2>
          <IconButton icon="close" label="Close" onClick={onClose} />
        </header>
        <div class="window-body">{children}</div>
        {footer && <footer class="window-foot">{footer}</footer>}
      </div>
    </dialog>
  );
}

interface ConfirmProps {
  readonly title: string;
  /** The button that does it; `no`: the other one. */
  readonly yes: string;
  readonly no?: string;
  readonly isDanger?: boolean;
  /** Rejects with what is shown. */
  readonly act: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Confirm({
  title,
  yes,
  no = 'Cancel',
  isDanger = false,
  act,
  onClose,
  children,
}: ConfirmProps) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const isRunning = useRef(false);
  const run = () => {
    // A second press may come before the button is shown as busy.
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    setError(undefined);
    act()
      .then(onClose)
      .catch((thrown) => setError(asError(thrown)))
      .finally(() => {
        isRunning.current = false;
        setBusy(false);
      });
  };
  const footer = (
    <>
      <Button onClick={onClose}>{no}</Button>
      <Button kind={isDanger ? 'danger' : 'main'} isBusy={isBusy} onClick={run}>
        {yes}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} footer={footer}>
      {error && <ErrorState error={error} />}
      {children}
    </Dialog>
  );
}
