/**
 * Where the caller wrote what a request holds. Readers attach a source to each message, part, tool call and tool; errors
 * and records point at the object and print its path.
 */

/** Keys the source of an object. A symbol goes along when the object is copied by spreading, and never into JSON. */
export const source: unique symbol = Symbol('source');

/** Field names of an object, and the caller's names for them. */
export type FieldPaths = Readonly<Record<string, string | undefined>>;

export interface Source {
  /** Path of the object in the caller's body, for example `messages.3.content.0`. */
  readonly path: string;
  /** Paths of fields below `path`. A field that is not listed is printed as the object itself. */
  readonly fields: FieldPaths;
  /** Paths of fields from the top of the body, for a message that the caller wrote as several objects. */
  readonly elsewhere?: FieldPaths;
}

export interface Sourced {
  /** Absent for what the gateway added by itself. */
  readonly [source]?: Source;
}

/** The names of an object's own fields; of each member, where it may be one of several. */
export type FieldOf<Item> = Item extends unknown ? keyof Item & string : never;

const noFields: FieldPaths = {};

/** The source of what has no fields of the caller's: a plain text, or a reference to something stored. */
export function wholeSource(path: string): Source {
  return { path, fields: noFields };
}

/** Printed for what no caller wrote. */
const gatewayMade = 'gateway';

/** The path of an object in the caller's body, or that of one of its fields. */
export function pathOf<Item extends Sourced>(item: Item, field?: FieldOf<Item>): string {
  const from = item[source];
  if (!from) return gatewayMade;
  const { path, fields, elsewhere = {} } = from;
  if (field === undefined) return path;
  const below = Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (below !== undefined) return `${path}.${below}`;
  return (Object.hasOwn(elsewhere, field) ? elsewhere[field] : undefined) ?? path;
}

/** The path with its beginning renamed, by the longest name that fits; the path itself where none does. */
export function renamePath(path: string, names: FieldPaths = {}): string {
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    const head = path.slice(0, end);
    if (Object.hasOwn(names, head)) return `${names[head] ?? head}${path.slice(end)}`;
  }
  return path;
}
