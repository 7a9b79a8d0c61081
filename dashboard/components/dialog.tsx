/** Windows over the page: in the middle for a question, at the side for details. The browser keeps the focus inside. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { IconButton } from './button.tsx';

interface DialogProps {
  readonly title: ComponentChildren;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Buttons; the most likely one last. */
  readonly footer?: ComponentChildren;
  readonly wide?: boolean;
  /** A click beside it does not close it: what it shows would be lost. */
  readonly mustBeClosed?: boolean;
  readonly children?: ComponentChildren;
}

/** While it is closed, nothing of its content is in the document. */
export const Dialog = (props: DialogProps) => (props.isOpen ? <Window {...props} kind="dialog" /> : null);

export const Panel = (props: DialogProps) => (props.isOpen ? <Window {...props} kind="panel" /> : null);

function Window({
  title,
  onClose,
  footer,
  wide,
  mustBeClosed = false,
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
        onClose();
      }}
      onClick={({ target, currentTarget }) => target === currentTarget && !mustBeClosed && onClose()}
    >
      <div class="window-inside">
        <header class="window-head">
          <h2 id={id}>{title}</h2>
          <IconButton icon="close" label="Close" onClick={onClose} />
        </header>
        <div class="window-body">{children}</div>
        {footer && <footer class="window-foot">{footer}</footer>}
      </div>
    </dialog>
  );
}
