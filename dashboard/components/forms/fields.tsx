/** Fields of a form: label, hint, and what is wrong with the value. */
import type { ComponentChildren } from 'preact';
import { useContext, useId } from 'preact/hooks';
import { Icon } from '../icon.tsx';
import { Combobox, type Option } from './combobox.tsx';
import { FormContext } from './form.tsx';

interface FieldProps {
  /** Of the API's parameter. */
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly required?: boolean;
}

/** What connects a control with its texts. */
interface Described {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

/** What a control with one text has beside. */
interface TextControl extends Described {
  readonly value: string;
  readonly required: boolean | undefined;
  readonly autocomplete: 'off';
  readonly onInput: (event: { readonly currentTarget: { readonly value: string } }) => void;
}

/** The frame of every field. `children` get what their control has. */
export function Field({
  name,
  label,
  hint,
  required,
  children,
}: FieldProps & {
  readonly children: (control: TextControl, described: Described) => ComponentChildren;
}) {
  const form = useContext(FormContext);
  const id = useId();
  const error = form.errors[name];
  const texts = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const described: Described = {
    id,
    'aria-describedby': texts === '' ? undefined : texts,
    'aria-invalid': error ? true : undefined,
  };
  const control: TextControl = {
    ...described,
    value: String(form.values[name] ?? ''),
    required,
    autocomplete: 'off',
    onInput: ({ currentTarget }) => form.set(name, currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>
        {label}
        {!required && <span class="optional">optional</span>}
      </label>
      {children(control, described)}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          <Icon name="warning" />
          {error}
        </p>
      )}
    </div>
  );
}

interface TextFieldProps extends FieldProps {
  readonly type?: 'text' | 'password' | 'date' | 'email';
  readonly placeholder?: string;
  readonly mono?: boolean;
  /** Values that are proposed. */
  readonly options?: readonly string[];
}

export const TextField = ({ type = 'text', placeholder, mono, options, ...field }: TextFieldProps) => (
  <Field {...field}>
    {(control) => (
      <>
        <input
          {...control}
          // Preact has one set of attributes for each type; those here are in all.
          type={type as 'text'}
          class={mono ? 'input mono' : 'input'}
          placeholder={placeholder}
          spellcheck={false}
          list={options && `${control.id}-options`}
        />
        {options && (
          <datalist id={`${control.id}-options`}>
            {options.map((value) => (
              <option key={value} value={value} />
            ))}
          </datalist>
        )}
      </>
    )}
  </Field>
);

interface NumberFieldProps extends FieldProps {
  /** Before the number, such as `$`. */
  readonly unit?: string | undefined;
  readonly placeholder?: string;
}

/** The value stays a text: the page that sends it makes a number of it. */
export const NumberField = ({ unit, placeholder, ...field }: NumberFieldProps) => (
  <Field {...field}>
    {(control) => (
      <span class="with-unit row">
        {unit && <span class="quiet">{unit}</span>}
        <input {...control} type="text" inputMode="decimal" class="input number" placeholder={placeholder} />
      </span>
    )}
  </Field>
);

/** `value`: what the form holds where it is checked, else nothing. */
export function CheckField({ value, ...field }: FieldProps & { readonly value: string }) {
  const form = useContext(FormContext);
  return (
    <Field {...field} required>
      {(_, described) => (
        <input
          {...described}
          type="checkbox"
          checked={form.values[field.name] === value}
          onChange={({ currentTarget }) => form.set(field.name, currentTarget.checked ? value : '')}
        />
      )}
    </Field>
  );
}

export const TextAreaField = ({ rows, ...field }: FieldProps & { readonly rows: number }) => (
  <Field {...field}>{(control) => <textarea {...control} class="input" rows={rows} />}</Field>
);

export const SelectField = ({ options, ...field }: FieldProps & { readonly options: readonly Option[] }) => (
  <Field {...field}>
    {(control) => (
      <select {...control} class="input">
        {options.map(({ value, label = value }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    )}
  </Field>
);

interface ComboFieldProps extends FieldProps {
  readonly options: readonly Option[];
  readonly placeholder: string;
  readonly isFree?: boolean;
}

/** A field with several values, some of which are proposed. */
export function ComboField({ options, placeholder, isFree, ...field }: ComboFieldProps) {
  const { name } = field;
  const form = useContext(FormContext);
  const held = form.values[name];
  const chosen = typeof held === 'object' ? held : [];
  const remove = (value: string) =>
    form.set(
      name,
      chosen.filter((one) => one !== value),
    );
  return (
    <Field {...field}>
      {(_, described) => (
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
