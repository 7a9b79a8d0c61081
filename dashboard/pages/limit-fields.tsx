/** Limits in a form: of a key, of a tenant, or of each of its users. */
import { NumberField } from '../components/forms/fields.tsx';
import type { Form } from '../components/forms/use-form.ts';
import { limitRows } from './keys/key-values.ts';

interface LimitFieldsProps {
  readonly form: Form;
  readonly legend: string;
  /** The name of the API's parameter. */
  readonly group: 'limits' | 'user_limits';
  /** Absent: all, budgets first. */
  readonly kind?: 'budgets' | 'rates';
}

export const LimitFields = ({ form, legend, group, kind }: LimitFieldsProps) => (
  <fieldset class="form">
    <legend>{legend}</legend>
    <div class="fields">
      {limitRows
        .filter(({ isMoney }) => kind === undefined || isMoney === (kind === 'budgets'))
        .map(({ field, title, isMoney }) => (
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
