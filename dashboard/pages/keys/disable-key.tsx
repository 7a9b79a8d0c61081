/** The question before a key is disabled. */
import { useState } from 'preact/hooks';
import type { KeyAnswer } from '../../../lib/admin/keys/schema.ts';
import { refresh } from '../../api/cache.ts';
import { call } from '../../api/call.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorState } from '../../components/states.tsx';
import { toast } from '../../components/toast.tsx';

interface DisableKeyProps {
  readonly shown: KeyAnswer;
  readonly onClose: () => void;
}

export function DisableKey({ shown: key, onClose }: DisableKeyProps) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const disable = () => {
    setBusy(true);
    call('POST', `/keys/${encodeURIComponent(key.id)}/disable`, { body: {} })
      .then(() => {
        refresh('/keys');
        toast('The key is disabled. Within ten seconds it is refused everywhere.');
        onClose();
      })
      .catch((thrown) => setError(thrown instanceof Error ? thrown : new Error(String(thrown))))
      .finally(() => setBusy(false));
  };
  return (
    <Dialog
      title="Disable this key?"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button kind="danger" isBusy={isBusy} onClick={disable}>
            Disable now
          </Button>
        </>
      }
    >
      {error && <ErrorState error={error} />}
      <p>
        <strong>{key.name ?? key.id}</strong> is refused within ten seconds, and cannot be enabled again.
        Requests that run already end as usual. What it has used stays in usage and in the list of requests.
      </p>
    </Dialog>
  );
}
