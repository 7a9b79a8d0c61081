/** The dialog that changes a key. */
import type { KeyAnswer } from '../../../lib/admin/keys/schema.ts';
import { refresh } from '../../api/cache.ts';
import { call } from '../../api/call.ts';
import type { Session } from '../../api/session.ts';
import { FormDialog } from '../../components/forms/form-dialog.tsx';
import { useForm } from '../../components/forms/use-form.ts';
import { toast } from '../../components/toast.tsx';
import { KeyFields } from './key-fields.tsx';
import { inputOf, valuesOf } from './key-values.ts';

interface ChangeKeyProps {
  readonly shown: KeyAnswer;
  readonly session: Session;
  readonly onClose: () => void;
}

export function ChangeKey({ shown: key, session, onClose }: ChangeKeyProps) {
  const before = valuesOf(key);
  const form = useForm(before, async (values) => {
    const body = inputOf(values, before);
    if (Object.keys(body).length > 0) {
      // After a refusal because somebody else has changed it, the fields meet what is there now.
      await call('PATCH', `/keys/${encodeURIComponent(key.id)}`, { body, ifMatch: key.etag }).finally(() =>
        refresh('/keys'),
      );
      toast('The key is changed. It holds within ten seconds.');
    }
    onClose();
  });
  return (
    <FormDialog title="Change the key" form={form} submit="Save" onClose={onClose}>
      <KeyFields form={form} hasOwner={session.role !== 'member'} />
    </FormDialog>
  );
}
