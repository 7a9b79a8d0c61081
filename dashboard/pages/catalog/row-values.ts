/** A row of the catalog as the values of a form, whose names begin with `row.`, and the row with what was changed in the form. */
import type { Fields, Values } from '../form-values.ts';
import { problem, readObject } from '../json-text.ts';

export type Row = Readonly<Record<string, unknown>>;

/** A form when it was opened. */
export interface Opened {
  readonly row: Row;
  readonly values: Values;
}

/** A number; what is none goes as it is, so that the API names the field. `empty`: what the API gets of an empty field. */
export const numberField = (title: string, empty?: null) => ({
  title,
  read: (given: unknown) => String(given ?? ''),
  write: (held: unknown) => numberOf(String(held), empty),
});

export function numberOf(typed: string, empty?: null): unknown {
  const text = typed.trim();
  if (text === '') return empty;
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

export const textField = (title: string) => ({
  title,
  read: (given: unknown) => String(given ?? ''),
  write: (held: unknown) => String(held).trim() || undefined,
});

export const listField = (title: string) => ({
  title,
  read: (given: unknown) => (Array.isArray(given) ? given.map(String) : []),
  write: (held: unknown) => held,
});

/** Of what differs from the opened form; undefined removes a member. Everything else of the row stays as it is. */
export function withChanges(fields: Fields, row: Row, values: Values, opened: Values): Row {
  const changed = Object.entries(fields).filter(([name]) => isChanged(name, values, opened));
  return changed.reduce(
    (next, [name, { write }]) => withMember(next, name.split('.').slice(1), write(values[name] ?? '')),
    row,
  );
}

export const isChanged = (name: string, values: Values, opened: Values): boolean =>
  JSON.stringify(values[name]) !== JSON.stringify(opened[name]);

function withMember(object: Row, [name = '', ...inner]: readonly string[], value: unknown): Row {
  const { [name]: old, ...others } = object;
  const next = inner.length === 0 ? value : withMember(Object(old), inner, value);
  return next === undefined ? others : { ...others, [name]: next };
}

export const otherMembers = 'Other members of the row';

/** What the form has no fields for, as JSON. `own`: the members that it has. */
export function writeRest(row: Row, own: readonly string[]): string {
  const rest = Object.entries(row).filter(([name]) => !own.includes(name));
  return JSON.stringify(Object.fromEntries(rest), null, 2);
}

/** The row with this text in place of the rest. Throws ApiError of its field. */
export function withRest(row: Row, own: readonly string[], text: string, field = 'row'): Row {
  const rest = readObject(text, field);
  const taken = Object.keys(rest).find((name) => own.includes(name));
  if (taken !== undefined) throw problem(`${taken} has a field of its own in this form.`, field);
  const kept = Object.entries(row).filter(([name]) => own.includes(name));
  return { ...Object.fromEntries(kept), ...rest };
}

export type Entry = Readonly<Record<string, string>>;

/** A list in a form: `<name>.<index>.<member>` for each entry, and how many there are. */
export const entryValues = (name: string, entries: readonly Entry[]): Values => ({
  ...Object.fromEntries(
    entries.flatMap((entry, index) =>
      Object.entries(entry).map(([member, value]) => [`${name}.${index}.${member}`, value]),
    ),
  ),
  [`${name}.count`]: String(entries.length),
});

export function readEntries<Blank extends Entry>(
  name: string,
  blank: Blank,
  values: Values,
): readonly Record<keyof Blank, string>[] {
  const members = Object.keys(blank);
  return Array.from({ length: Number(values[`${name}.count`]) }, (_, index) => {
    const entry = members.map((member) => [member, String(values[`${name}.${index}.${member}`] ?? '')]);
    return Object.fromEntries(entry) as Record<keyof Blank, string>;
  });
}
