/** The dialog that changes a key. */
import { useState } from 'preact/hooks';
import type { KeyAnswer } from '../../../lib/admin/keys/schema.ts';
import { refresh } from '../../api/cache.ts';
import { call } from '../../api/call.ts';
import type { Session } from '../../api/session.ts';
import { ChangedMeanwhile } from '../../components/forms/changed-meanwhile.tsx';
import { FormDialog } from '../../components/forms/form-dialog.tsx';
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
  // What the user saw: a change is made for this state only.
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
    <FormDialog title="Change the key" form={form} submit="Save" onClose={onClose}>
      <ChangedMeanwhile
        form={form}
        opened={opened.values}
        now={valuesOf(key)}
        titleOf={titleOf}
        onTaken={() => setOpened({ values: valuesOf(key), etag: key.etag })}
      />
      <KeyFields form={form} hasOwner={session.role !== 'member'} />
    </FormDialog>
  );
}
