/** The question before something that matters: what happens, and two buttons. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorState } from './states.tsx';

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
  const run = () => {
    setBusy(true);
    act()
      .then(onClose)
      .catch((thrown) => setError(thrown instanceof Error ? thrown : new Error(String(thrown))))
      .finally(() => setBusy(false));
  };
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{no}</Button>
          <Button kind={isDanger ? 'danger' : 'main'} isBusy={isBusy} onClick={run}>
            {yes}
          </Button>
        </>
      }
    >
      {error && <ErrorState error={error} />}
      {children}
    </Dialog>
  );
}
