/** The limits in a form: budgets, then rates. */
import { NumberField } from '../../components/forms/fields.tsx';
import type { Form } from '../../components/forms/use-form.ts';
import { limitRows } from '../keys/key-values.ts';

interface LimitFieldsProps {
  readonly form: Form;
  readonly legend: string;
  /** The name of the API's parameter. */
  readonly group: 'limits' | 'user_limits';
}

export const LimitFields = ({ form, legend, group }: LimitFieldsProps) => (
  <fieldset class="form">
    <legend>{legend}</legend>
    <div class="fields">
      {limitRows.map(({ field, title, isMoney }) => (
        <NumberField
          key={field}
          form={form}
          name={`${group}.${field}`}
          label={title}
          placeholder="none"
          {...(isMoney && { unit: '$' })}
        />
      ))}
    </div>
  </fieldset>
);
