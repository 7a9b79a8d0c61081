/** A conditional change of an item as data, and its way into the database's expressions: names and values get placeholders. */
import type { Change } from './table.ts';

/** The way to an attribute, through the maps it lies in. */
export type Path = readonly string[];

export type Where =
  | { readonly path: Path; readonly exists: boolean }
  | { readonly path: Path; readonly is: '=' | '<='; readonly value: unknown }
  /** Against another attribute. */
  | { readonly path: Path; readonly is: '=' | '<>'; readonly as: Path };

export interface Draft {
  readonly set?: readonly (readonly [Path, unknown])[];
  /** What is 0 is left out. */
  readonly add?: readonly (readonly [name: string, number])[];
  readonly remove?: readonly Path[];
  readonly where: readonly Where[];
}

export function toChange({ set = [], add = [], remove = [], where }: Draft): Change {
  const names = new Map<string, string>();
  const values: Record<string, unknown> = {};
  const nameOf = (name: string) => {
    const known = names.get(name) ?? `#n${names.size}`;
    names.set(name, known);
    return known;
  };
  const pathOf = (path: Path) => path.map(nameOf).join('.');
  const placeholderOf = (value: unknown) => {
    const placeholder = `:v${Object.keys(values).length}`;
    values[placeholder] = value;
    return placeholder;
  };
  const conditionOf = (condition: Where) => {
    const path = pathOf(condition.path);
    if ('exists' in condition) return `attribute_${condition.exists ? '' : 'not_'}exists(${path})`;
    const other = 'as' in condition ? pathOf(condition.as) : placeholderOf(condition.value);
    return `${path} ${condition.is} ${other}`;
  };
  const clauses = [
    ['SET', set.map(([path, value]) => `${pathOf(path)} = ${placeholderOf(value)}`)],
    ['ADD', add.flatMap(([name, value]) => (value === 0 ? [] : [`${nameOf(name)} ${placeholderOf(value)}`]))],
    ['REMOVE', remove.map(pathOf)],
  ] as const;
  const expression = clauses
    .filter(([, parts]) => parts.length > 0)
    .map(([word, parts]) => `${word} ${parts.join(', ')}`)
    .join(' ');
  const condition = where.map(conditionOf).join(' AND ');
  const called = Object.fromEntries([...names].map(([name, placeholder]) => [placeholder, name]));
  // The database refuses a list of values that is empty.
  return {
    expression,
    condition,
    names: called,
    ...(Object.keys(values).length > 0 && { values }),
  };
}
