/** A field with several values, some of which are proposed. */
import { Icon } from '../icon.tsx';
import { Combobox } from './combobox.tsx';
import { Field, type FieldProps, type Option } from './fields.tsx';

interface ComboFieldProps extends FieldProps {
  readonly options: readonly Option[];
  readonly placeholder?: string;
  readonly isFree?: boolean;
}

export function ComboField({ options, placeholder, isFree, ...field }: ComboFieldProps) {
  const { form, name } = field;
  const held = form.values[name];
  const chosen = Array.isArray(held) ? (held as readonly string[]) : [];
  const remove = (value: string) =>
    form.set(
      name,
      chosen.filter((one) => one !== value),
    );
  return (
    <Field {...field}>
      {(described) => (
        <div class="chosen">
          {chosen.map((value) => (
            <span key={value} class="chip">
              {value}
              <button type="button" aria-label={`Remove ${value}`} onClick={() => remove(value)}>
                <Icon name="close" />
              </button>
            </span>
          ))}
          <Combobox
            {...described}
            options={options.filter(({ value }) => !chosen.includes(value))}
            placeholder={chosen.length === 0 ? placeholder : ''}
            isFree={isFree}
            onTake={(value) => !chosen.includes(value) && form.set(name, [...chosen, value])}
            onBack={() => form.set(name, chosen.slice(0, -1))}
          />
        </div>
      )}
    </Field>
  );
}
