/** The fields of a key, for a new one and for a change. */
import type { ModelsListAnswer } from '../../../lib/admin/models/schema.ts';
import { useRead } from '../../api/use-read.ts';
import { ComboField } from '../../components/forms/combo-field.tsx';
import { FormError, NumberField, TextField } from '../../components/forms/fields.tsx';
import type { Form } from '../../components/forms/use-form.ts';
import { limitRows, operationNames } from './key-values.ts';

interface KeyFieldsProps {
  readonly form: Form;
  /** Whether the person may choose whose key it is. */
  readonly hasOwner: boolean;
}

export function KeyFields({ form, hasOwner }: KeyFieldsProps) {
  const { data } = useRead<ModelsListAnswer>('/models', { limit: 1_000 });
  const owners = [...new Set(data?.data.map(({ owner }) => owner))].map((owner) => ({
    value: `${owner}/*`,
    label: `${owner}/* · all of ${owner}`,
  }));
  const models = data?.data.map(({ id }) => ({ value: id })) ?? [];
  return (
    <>
      <FormError form={form} />
      <TextField
        form={form}
        name="name"
        label="Name"
        hint="What the key is for: an application, a person, a job."
      />
      {hasOwner && (
        <TextField
          form={form}
          name="owner"
          label="Owner"
          hint="The id of the person whose key it is; that person sees it."
        />
      )}
      <TextField
        form={form}
        name="expires_at"
        label="Last day"
        type="date"
        hint="The key works until this day ends, in UTC. Empty: until it is disabled."
      />
      <fieldset class="form">
        <legend>Budgets</legend>
        <div class="fields">
          {limitRows.map(
            ({ field, title, isMoney }) =>
              isMoney && (
                <NumberField
                  key={field}
                  form={form}
                  name={`limits.${field}`}
                  label={title}
                  unit="$"
                  placeholder="none"
                />
              ),
          )}
        </div>
      </fieldset>
      <fieldset class="form">
        <legend>Rates</legend>
        <div class="fields">
          {limitRows.map(
            ({ field, title, isMoney }) =>
              !isMoney && (
                <NumberField
                  key={field}
                  form={form}
                  name={`limits.${field}`}
                  label={title}
                  placeholder="none"
                />
              ),
          )}
        </div>
      </fieldset>
      <ComboField
        form={form}
        name="models"
        label="Models"
        hint="Empty: all that the tenant may use."
        options={[...owners, ...models]}
        placeholder="all"
        isFree
      />
      <ComboField
        form={form}
        name="operations"
        label="Operations"
        hint="Empty: all that the tenant may use."
        options={operationNames.map((value) => ({ value }))}
        placeholder="all"
      />
    </>
  );
}
