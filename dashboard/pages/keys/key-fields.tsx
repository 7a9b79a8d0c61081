/** The fields of a key, for a new one and for a change. */
import { TextField } from '../../components/forms/fields.tsx';
import type { Form } from '../../components/forms/use-form.ts';
import { LimitFields } from '../limit-fields.tsx';
import { PermissionFields } from '../permission-fields.tsx';

interface KeyFieldsProps {
  readonly form: Form;
  /** Whether the user may choose whose key it is. */
  readonly hasOwner: boolean;
}

export function KeyFields({ form, hasOwner }: KeyFieldsProps) {
  return (
    <>
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
      <LimitFields form={form} legend="Budgets" group="limits" kind="budgets" />
      <LimitFields form={form} legend="Rates" group="limits" kind="rates" />
      <PermissionFields form={form} hint="Empty: all that the tenant may use." />
    </>
  );
}
