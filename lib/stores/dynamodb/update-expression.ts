/** Builds DynamoDB update and condition expressions from data. Attribute names and values get placeholders. */
import type { ItemUpdate } from './table.ts';

/** The path to an attribute: the maps that contain it, then its name. */
export type Path = readonly string[];

export type UpdateCondition =
  | { readonly path: Path; readonly exists: boolean }
  | { readonly path: Path; readonly is: '=' | '<=' | '>='; readonly value: unknown }
  /** The attribute has another value, or is absent. */
  | { readonly path: Path; readonly isNot: unknown }
  /** Compares with a value, unless the attribute is absent. */
  | { readonly path: Path; readonly absentOr: '=' | '<' | '<='; readonly value: unknown };

/** The attribute has this single value, or is absent if that is undefined: lists and maps cannot be compared. */
export const isStill = (attribute: string | Path, value: unknown): UpdateCondition => {
  const path = [attribute].flat();
  return value === undefined ? { path, exists: false } : { path, is: '=', value };
};

export interface UpdateFields {
  readonly set?: readonly (readonly [Path, unknown])[];
  /** Only if they are absent. */
  readonly setOnce?: readonly (readonly [Path, unknown])[];
  /** Sets attributes to what others were before the update. */
  readonly copy?: readonly (readonly [to: string, from: string])[];
  /** Zeros are omitted. */
  readonly add?: readonly (readonly [name: string, number])[];
  readonly remove?: readonly Path[];
  readonly where: readonly UpdateCondition[];
}

export function toItemUpdate({
  set = [],
  setOnce = [],
  copy = [],
  add = [],
  remove = [],
  where,
}: UpdateFields): ItemUpdate {
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
  const conditionOf = (condition: UpdateCondition) => {
    const path = pathOf(condition.path);
    if ('exists' in condition) return `attribute_${condition.exists ? '' : 'not_'}exists(${path})`;
    if ('absentOr' in condition)
      return `(attribute_not_exists(${path}) OR ${path} ${condition.absentOr} ${placeholderOf(condition.value)})`;
    if ('isNot' in condition)
      return `(attribute_not_exists(${path}) OR ${path} <> ${placeholderOf(condition.isNot)})`;
    return `${path} ${condition.is} ${placeholderOf(condition.value)}`;
  };
  const once = ([path, value]: readonly [Path, unknown]) =>
    `${pathOf(path)} = if_not_exists(${pathOf(path)}, ${placeholderOf(value)})`;
  const clauses = [
    [
      'SET',
      [
        ...set.map(([path, value]) => `${pathOf(path)} = ${placeholderOf(value)}`),
        ...setOnce.map(once),
        ...copy.map(([to, from]) => `${nameOf(to)} = ${nameOf(from)}`),
      ],
    ],
    ['ADD', add.flatMap(([name, value]) => (value === 0 ? [] : [`${nameOf(name)} ${placeholderOf(value)}`]))],
    ['REMOVE', remove.map(pathOf)],
  ] as const;
  const expression = clauses
    .filter(([, parts]) => parts.length > 0)
    .map(([word, parts]) => `${word} ${parts.join(', ')}`)
    .join(' ');
  const condition = where.map(conditionOf).join(' AND ');
  const namesByPlaceholder = Object.fromEntries([...names].map(([name, placeholder]) => [placeholder, name]));
  // DynamoDB rejects an empty list of values.
  return {
    expression,
    condition,
    names: namesByPlaceholder,
    ...(Object.keys(values).length > 0 && { values }),
  };
}
