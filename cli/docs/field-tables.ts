/** Tables of fields: one for an object with the objects inside of it, and one for each list of objects. */
import { type FieldRow, fieldRows, formsOf, type Resolve } from '../../build/openapi/field-rows.ts';
import { page, table } from './markdown.ts';

/** `path`: that of the operation, whose parameters are always required. */
export const requestTables = (rows: readonly FieldRow[], path: string): string =>
  tables(rows, ['Field', 'Type', 'Rules', 'Description'], (row, name) => [
    name,
    typeOf(row),
    [...(row.isRequired || path.includes(`{${row.path}}`) ? ['**required**'] : []), ...row.rules].join('; '),
    describe(row),
  ]);

export const answerTables = (rows: readonly FieldRow[]): string =>
  tables(rows, ['Field', 'Type', 'Description'], (row, name) => [
    name,
    row.isRequired ? typeOf(row) : `${typeOf(row)}, optional`,
    [describe(row), valuesOf(row)].filter((text) => text !== '').join(' '),
  ]);

export function sharedObject(name: string, resolve: Resolve): readonly string[] {
  const schema = resolve(name);
  if (!schema) return [];
  const tables = answerTables(fieldRows(formsOf({ $ref: name }, resolve), resolve));
  return [`### ${name}`, schema.description ?? '', tables];
}

type CellsOf = (row: FieldRow, name: string) => readonly string[];

function tables(rows: readonly FieldRow[], head: readonly string[], cellsOf: CellsOf): string {
  const lists = Map.groupBy(rows, ({ path }) => path.slice(0, path.lastIndexOf('[]') + 1));
  return page(
    [...lists].flatMap(([open, fields]) => {
      const list = open === '' ? '' : `${open}]`;
      const cells = fields.map((row) =>
        cellsOf(row, `\`${row.path.slice(list === '' ? 0 : list.length + 1)}\``),
      );
      return [list === '' ? '' : `**\`${list}\`**`, table(head, cells)];
    }),
  ).trimEnd();
}

const typeOf = ({ types }: FieldRow): string => types.join(' or ') || 'any';

/** Of a field with several values, all of them; one value alone is in the description. */
const valuesOf = ({ rules }: FieldRow): string => {
  const values = rules.filter((rule) => rule.startsWith('`') && rule.includes(','));
  return values.length === 0 ? '' : `One of ${values.join(', ')}.`;
};

function describe({ only, description }: FieldRow): string {
  if (only.length === 0) return description;
  return `Only for ${only.map((form) => `\`${form}\``).join(', ')}. ${description}`;
}
