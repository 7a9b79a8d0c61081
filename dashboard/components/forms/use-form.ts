/** The values of a form, and what the API has against them. */
import { useState } from 'preact/hooks';
import { ApiError } from '../../api/api-error.ts';

export type Value = string | boolean | readonly string[];
export type Values = Readonly<Record<string, Value>>;

export interface Form<Held extends Values = Values> {
  readonly values: Held;
  /** By the name of the field; '' for what belongs to none. */
  readonly errors: Readonly<Record<string, string>>;
  readonly isBusy: boolean;
  readonly set: (name: string, value: Value) => void;
  /** Sends it. */
  readonly submit: (event?: Event) => void;
}

/**
 * @param initial One value for each field. Fields have the names of the API's parameters, so that its errors find them.
 * @param send Rejects with the API's error, which is shown at the field that it names.
 */
export function useForm<Held extends Values>(
  initial: Held,
  send: (values: Held) => Promise<void>,
): Form<Held> {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [isBusy, setBusy] = useState(false);
  const set = (name: string, value: Value) => {
    setValues((now) => ({ ...now, [name]: value }));
    setErrors(({ [name]: _corrected, ...others }) => others);
  };
  const submit = (event?: Event) => {
    event?.preventDefault();
    const form = event?.currentTarget instanceof HTMLFormElement ? event.currentTarget : undefined;
    setBusy(true);
    setErrors({});
    send(values)
      .catch((thrown) => {
        setErrors({ [fieldOf(thrown, values)]: messageOf(thrown) });
        requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      })
      .finally(() => setBusy(false));
  };
  return { values, errors, isBusy, set, submit };
}

/** The field whose name the API's parameter has, or begins with: `models` for `models[2]`. */
function fieldOf(thrown: unknown, values: Values): string {
  const { param } = thrown instanceof ApiError ? thrown : {};
  if (param === undefined) return '';
  const names = Object.keys(values).toSorted((one, other) => other.length - one.length);
  return (
    names.find(
      (name) => param === name || (/^[.[]/.test(param.slice(name.length)) && param.startsWith(name)),
    ) ?? ''
  );
}

const messageOf = (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown));
