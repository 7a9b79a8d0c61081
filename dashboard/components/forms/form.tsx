/** The values of a form, what the API has against them, and the dialog around it. */
import { type ComponentChildren, createContext } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { ApiError, asError } from '../../api/api-error.ts';
import { Button } from '../controls.tsx';
import { Problem } from '../states.tsx';
import { Definitions } from '../surfaces.tsx';
import { Dialog } from '../windows.tsx';

export type Value = string | readonly string[];
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
  const isSent = useRef(false);
  const set = (name: string, value: Value) => {
    setValues((now) => ({ ...now, [name]: value }));
    setErrors(({ [name]: _corrected, ...others }) => others);
  };
  const submit = (event?: Event) => {
    event?.preventDefault();
    const form = event?.currentTarget instanceof HTMLFormElement ? event.currentTarget : undefined;
    // A second press may come before the button is shown as busy.
    if (isSent.current) return;
    isSent.current = true;
    setBusy(true);
    setErrors({});
    send(values)
      .catch((thrown) => {
        setErrors({ [fieldOf(thrown, values)]: asError(thrown).message });
        requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      })
      .finally(() => {
        isSent.current = false;
        setBusy(false);
      });
  };
  return { values, errors, isBusy, set, submit };
}

/**
 * The field whose name the API's parameter has; else the first one inside it, such as `targets.0.model` for `targets`; else the one that
 * it is in, such as `models` for `models[2]`.
 */
function fieldOf(thrown: unknown, values: Values): string {
  const { param } = thrown instanceof ApiError ? thrown : {};
  if (param === undefined) return '';
  const names = Object.keys(values);
  const isIn = (inner: string, outer: string) =>
    inner.startsWith(outer) && /^([.[]|$)/.test(inner.slice(outer.length));
  const around = names
    .filter((name) => isIn(param, name))
    .toSorted((one, other) => other.length - one.length);
  return around.find((name) => name === param) ?? names.find((name) => isIn(name, param)) ?? around[0] ?? '';
}

/** The form that a field is in. */
export const FormContext = createContext<Form>({
  values: {},
  errors: {},
  isBusy: false,
  set: () => {},
  submit: () => {},
});

interface FormBoxProps {
  readonly form: Form;
  readonly id?: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** The fields of a form, and what is wrong and belongs to none of them. */
export const FormBox = ({ form, id, class: className = 'form', children }: FormBoxProps) => (
  <FormContext.Provider value={form}>
    <form id={id} class={className} onSubmit={form.submit}>
      {form.errors[''] && <Problem text={form.errors['']} />}
      {children}
    </form>
  </FormContext.Provider>
);

interface FormDialogProps {
  readonly title: string;
  readonly form: Form;
  /** The button that sends it. */
  readonly submit: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function FormDialog({ title, form, submit, onClose, children }: FormDialogProps) {
  const id = useId();
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="main" type="submit" form={id} isBusy={form.isBusy}>
        {submit}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} mustBeClosed footer={footer}>
      <FormBox form={form} id={id}>
        {children}
      </FormBox>
    </Dialog>
  );
}

interface Change {
  readonly form: Form;
  /** The values when the form was opened, and those of now. */
  readonly opened: Values;
  readonly now: Values;
  readonly onTaken: () => void;
}

/** A form for what others may change at the same time: it is sent for the state that the user saw, by its tag. */
export function useChange<Held extends Values>(
  now: Held,
  etag: string,
  send: (values: Held, opened: { readonly values: Held; readonly etag: string }) => Promise<void>,
): Change {
  const [opened, setOpened] = useState({ values: now, etag });
  // What others have changed, and the form does not show, is no question: it stays as it is now.
  const isSame = differing(now, opened.values).length === 0;
  const form = useForm(opened.values, (values) =>
    send(values, isSame ? { values: opened.values, etag } : opened),
  );
  return { form, opened: opened.values, now, onTaken: () => setOpened({ values: now, etag }) };
}

/** What others have changed since a form was opened. It must be taken over before the form can be sent: so no change of another person is lost. */
export function ChangedMeanwhile({
  change: { form, opened, now, onTaken },
  titleOf,
}: {
  readonly change: Change;
  readonly titleOf: (name: string) => string;
}) {
  const names = differing(now, opened);
  if (names.length === 0) return null;
  // What the person has typed stays.
  const take = () => {
    for (const name of names) {
      const value = now[name];
      if (value !== undefined && textOf(form.values[name]) === textOf(opened[name])) form.set(name, value);
    }
    onTaken();
  };
  return (
    <div class="card changed-meanwhile stack" role="alert">
      <p>Others have changed this since you opened it:</p>
      <Definitions
        items={names.map((name) => [
          titleOf(name),
          `${textOf(opened[name]) || 'none'} → ${textOf(now[name]) || 'none'}`,
        ])}
      />
      <Button onClick={take}>Go on with these values</Button>
    </div>
  );
}

const differing = (now: Values, opened: Values) =>
  Object.keys(now).filter((name) => textOf(now[name]) !== textOf(opened[name]));

const textOf = (value: Value | undefined): string =>
  typeof value === 'object' ? value.join(', ') : String(value ?? '');
