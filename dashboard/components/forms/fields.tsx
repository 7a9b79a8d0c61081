/** Fields of a form: label, hint, and what is wrong with the value. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from '../icon.tsx';
import type { Form } from './use-form.ts';

export interface FieldProps {
  readonly form: Form;
  /** Of the API's parameter. */
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly required?: boolean;
}

interface Described {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

/** The frame of every field. `children` get what connects the control with its texts. */
export function Field({
  form,
  name,
  label,
  hint,
  required,
  children,
}: FieldProps & { readonly children: (described: Described) => ComponentChildren }) {
  const id = useId();
  const error = form.errors[name];
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>
        {label}
        {!required && <span class="optional">optional</span>}
      </label>
      {children({
        id,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': error ? true : undefined,
      })}
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

const textOf = ({ values }: Form, name: string) => String(values[name] ?? '');

interface TextFieldProps extends FieldProps {
  readonly type?: 'text' | 'password' | 'date' | 'email';
  readonly placeholder?: string;
  readonly mono?: boolean;
}

export const TextField = ({ type = 'text', placeholder, mono, ...field }: TextFieldProps) => (
  <Field {...field}>
    {(described) => (
      <input
        {...described}
        // Preact has one set of attributes for each type; those here are in all.
        type={type as 'text'}
        class={mono ? 'input mono' : 'input'}
        value={textOf(field.form, field.name)}
        placeholder={placeholder}
        required={field.required}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => field.form.set(field.name, currentTarget.value)}
      />
    )}
  </Field>
);

interface NumberFieldProps extends FieldProps {
  /** Before the number, such as `$`. */
  readonly unit?: string;
  readonly placeholder?: string;
}

/** The value stays a text: the page that sends it makes a number of it. */
export const NumberField = ({ unit, placeholder, ...field }: NumberFieldProps) => (
  <Field {...field}>
    {(described) => (
      <span class="with-unit">
        {unit && <span class="quiet">{unit}</span>}
        <input
          {...described}
          type="text"
          inputMode="decimal"
          class="input number"
          value={textOf(field.form, field.name)}
          placeholder={placeholder}
          required={field.required}
          autocomplete="off"
          onInput={({ currentTarget }) => field.form.set(field.name, currentTarget.value)}
        />
      </span>
    )}
  </Field>
);

export const TextAreaField = ({ rows = 4, ...field }: FieldProps & { readonly rows?: number }) => (
  <Field {...field}>
    {(described) => (
      <textarea
        {...described}
        class="input"
        rows={rows}
        value={textOf(field.form, field.name)}
        required={field.required}
        onInput={({ currentTarget }) => field.form.set(field.name, currentTarget.value)}
      />
    )}
  </Field>
);

export interface Option {
  readonly value: string;
  readonly label?: string;
}

export const SelectField = ({ options, ...field }: FieldProps & { readonly options: readonly Option[] }) => (
  <Field {...field}>
    {(described) => (
      <select
        {...described}
        class="input"
        value={textOf(field.form, field.name)}
        onChange={({ currentTarget }) => field.form.set(field.name, currentTarget.value)}
      >
        {options.map(({ value, label = value }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    )}
  </Field>
);

/** What is wrong and belongs to no field. */
export const FormError = ({ form }: { readonly form: Form }) =>
  form.errors[''] ? (
    <p class="form-error" role="alert">
      <Icon name="warning" />
      {form.errors['']}
    </p>
  ) : null;
