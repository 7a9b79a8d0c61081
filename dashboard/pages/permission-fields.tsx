/** In a form: the models and operations that a key or a tenant may use. */
import type { ModelsListAnswer } from '../../lib/admin/models/schema.ts';
import { useRead } from '../api/use-read.ts';
import { ComboField } from '../components/forms/combo-field.tsx';
import type { Form } from '../components/forms/use-form.ts';
import { operationNames } from './keys/key-values.ts';

interface PermissionFieldsProps {
  readonly form: Form;
  /** What holds where nothing is chosen. */
  readonly hint: string;
}

export function PermissionFields({ form, hint }: PermissionFieldsProps) {
  const { data } = useRead<ModelsListAnswer>('/models', { limit: 1_000 });
  const owners = [...new Set(data?.data.map(({ owner }) => owner))].map((owner) => ({
    value: `${owner}/*`,
    label: `${owner}/* · all of ${owner}`,
  }));
  const models = data?.data.map(({ id }) => ({ value: id })) ?? [];
  return (
    <>
      <ComboField
        form={form}
        name="models"
        label="Models"
        hint={hint}
        options={[...owners, ...models]}
        placeholder="all"
        isFree
      />
      <ComboField
        form={form}
        name="operations"
        label="Operations"
        hint={hint}
        options={operationNames.map((value) => ({ value }))}
        placeholder="all"
      />
    </>
  );
}
