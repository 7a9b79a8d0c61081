/** The fields of a schema as the rows of a table: one for each path, whatever alternatives the schema has. */
import type { JsonSchema } from './json-schema.ts';

export interface FieldRow {
  readonly path: string;
  readonly types: readonly string[];
  readonly isRequired: boolean;
  readonly rules: readonly string[];
  readonly description: string;
  /** The alternatives that have the field, where not all have it. */
  readonly only: readonly string[];
}

/** The schema that a reference names; undefined: the reference itself is shown. */
export type Resolve = (name: string) => JsonSchema | undefined;

/** Several schemas of one object: its alternatives. */
export function fieldRows(
  alternatives: readonly JsonSchema[],
  resolve: Resolve,
  above = '',
): readonly FieldRow[] {
  const objects = alternatives.filter(({ properties }) => properties !== undefined);
  const names = [...new Set(objects.flatMap(({ properties = {} }) => Object.keys(properties)))];
  return names.flatMap((name) => {
    const owners = objects.filter(({ properties = {} }) => name in properties);
    const fields = owners.flatMap(({ properties = {} }) => properties[name] ?? []);
    const path = above === '' ? name : `${above}.${name}`;
    const forms = fields.flatMap((field) => formsOf(field, resolve));
    const row: FieldRow = {
      path,
      types: nullLast(unique(forms.flatMap((form) => typesOf(form, resolve)))),
      isRequired: owners.every(({ required = [] }) => required.includes(name)),
      rules: unique([...forms.flatMap(rulesOf), ...fields.flatMap(defaultOf)]),
      description: fields.flatMap((field) => descriptionOf(field, resolve)).at(0) ?? '',
      only: owners.length === objects.length ? [] : unique(owners.flatMap(({ title }) => title ?? [])),
    };
    const items = forms.flatMap(({ items: inner }) => (inner ? formsOf(inner, resolve) : []));
    return [row, ...fieldRows(forms, resolve, path), ...fieldRows(items, resolve, `${path}[]`)];
  });
}

const nullLast = (types: readonly string[]): readonly string[] =>
  types.toSorted((one, other) => Number(one === 'null') - Number(other === 'null'));

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

/** The alternatives of a schema, with references resolved. */
export function formsOf(schema: JsonSchema, resolve: Resolve): readonly JsonSchema[] {
  const name = referredName(schema);
  const target = name === undefined ? schema : resolve(name);
  if (!target) return [schema];
  const alternatives = target.anyOf ?? target.oneOf;
  return alternatives ? alternatives.flatMap((one) => formsOf(one, resolve)) : [target];
}

export const referredName = ({ $ref }: JsonSchema): string | undefined => $ref?.split('/').at(-1);

function descriptionOf(field: JsonSchema, resolve: Resolve): readonly string[] {
  const name = referredName(field);
  const text = field.description ?? (name === undefined ? undefined : resolve(name)?.description);
  return text === undefined ? [] : [text];
}

function typesOf(schema: JsonSchema, resolve: Resolve): readonly string[] {
  const name = referredName(schema);
  if (name !== undefined) return [`[${name}](#${name.toLowerCase()})`];
  const { items } = schema;
  const inner = items ? formsOf(items, resolve).flatMap((form) => typesOf(form, resolve)) : [];
  const list = inner.length > 0 ? `array of ${unique(inner).join(' or ')}` : 'array';
  return [schema.type ?? []].flat().map((type) => (type === 'array' ? list : type));
}

function rulesOf(schema: JsonSchema): readonly string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  const shown = values.filter((value) => value !== null).map((value) => `\`${value}\``);
  return [
    ...(shown.length > 0 ? [shown.join(', ')] : []),
    ...range(minimum, maximum, ''),
    ...range(minLength, maxLength, ' characters'),
    ...range(minItems, maxItems, ' items'),
  ];
}

/** Beside the alternatives of a field, and not in one of them. */
const defaultOf = ({ default: value }: JsonSchema): readonly string[] =>
  value === undefined || Array.isArray(value) ? [] : [`default \`${value}\``];

function range(low: number | undefined, high: number | undefined, unit: string): readonly string[] {
  if (low !== undefined && high !== undefined) return [`${low} to ${high}${unit}`];
  if (high !== undefined) return [`at most ${high}${unit}`];
  if (low === undefined || (low === 0 && unit === '')) return [];
  return low === 1 && unit !== '' ? ['not empty'] : [`at least ${low}${unit}`];
}
