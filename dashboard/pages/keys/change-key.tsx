/** The dialog that changes a key. */
import { useId, useState } from 'preact/hooks';
import type { KeyAnswer } from '../../../lib/admin/keys/schema.ts';
import { refresh } from '../../api/cache.ts';
import { call } from '../../api/call.ts';
import type { Session } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ChangedMeanwhile } from '../../components/forms/changed-meanwhile.tsx';
import { useForm } from '../../components/forms/use-form.ts';
import { toast } from '../../components/toast.tsx';
import { KeyFields } from './key-fields.tsx';
import { inputOf, titleOf, valuesOf } from './key-values.ts';

interface ChangeKeyProps {
  readonly shown: KeyAnswer;
  readonly session: Session;
  readonly onClose: () => void;
}

export function ChangeKey({ shown: key, session, onClose }: ChangeKeyProps) {
  const id = useId();
  // What the person saw: a change is made for this state only.
  const [opened, setOpened] = useState({ values: valuesOf(key), etag: key.etag });
  const form = useForm(opened.values, async (values) => {
    const body = inputOf(values, opened.values);
    if (Object.keys(body).length > 0) {
      const path = `/keys/${encodeURIComponent(key.id)}`;
      await call('PATCH', path, { body, ifMatch: opened.etag }).finally(() => refresh('/keys'));
      toast('The key is changed. It holds within ten seconds.');
    }
    onClose();
  });
  return (
    <Dialog
      title="Change the key"
      isOpen
      onClose={onClose}
      mustBeClosed
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="main" type="submit" form={id} isBusy={form.isBusy}>
            Save
          </Button>
        </>
      }
    >
      <form id={id} class="form" onSubmit={form.submit}>
        <ChangedMeanwhile
          form={form}
          opened={opened.values}
          now={valuesOf(key)}
          titleOf={titleOf}
          onTaken={() => setOpened({ values: valuesOf(key), etag: key.etag })}
        />
        <KeyFields form={form} hasOwner={session.role !== 'member'} />
      </form>
    </Dialog>
  );
}
