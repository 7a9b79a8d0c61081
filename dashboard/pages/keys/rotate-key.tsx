/** The dialog that replaces a key by a new one with the same settings. */
import type { KeyAnswer, RotatedKeyAnswer } from '../../../lib/admin/keys/schema.ts';
import { refresh } from '../../api/cache.ts';
import { call } from '../../api/call.ts';
import { SelectField } from '../../components/forms/fields.tsx';
import { FormDialog } from '../../components/forms/form-dialog.tsx';
import { useForm } from '../../components/forms/use-form.ts';

interface RotateKeyProps {
  readonly shown: KeyAnswer;
  readonly onClose: () => void;
  readonly onRotated: (made: RotatedKeyAnswer) => void;
}

/** In seconds. */
const overlaps = [
  { value: '0', label: 'Not at all: it stops at once' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
];

export function RotateKey({ shown: key, onClose, onRotated }: RotateKeyProps) {
  const form = useForm({ overlap_seconds: '86400' }, async (values) => {
    const { data } = await call<RotatedKeyAnswer>('POST', `/keys/${encodeURIComponent(key.id)}/rotate`, {
      body: { overlap_seconds: Number(values.overlap_seconds) },
    });
    refresh('/keys');
    onClose();
    onRotated(data);
  });
  return (
    <FormDialog title="Rotate the key" form={form} submit="Make the new key" onClose={onClose}>
      <p>A new key takes its place, with the same settings. Both share the limits.</p>
      <SelectField
        form={form}
        name="overlap_seconds"
        label="The old key still works for"
        required
        options={overlaps}
      />
    </FormDialog>
  );
}
