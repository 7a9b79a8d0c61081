/** What the lists of the admin API have in common: the query's page, the form of the answer, and that of a row which was removed. */
import * as z from 'zod/mini';

/** Characters of a cursor: it may have the name of a key. */
const maxCursor = 2_000;

/** A number in a query, where every value is text. */
export function pageLimit(most: number) {
  const problem = `must be an integer between 1 and ${most}`;
  return z.optional(z.coerce.number(problem).check(z.int(problem), z.gte(1, problem), z.lte(most, problem)));
}

/** After which row a page begins: `next_after` of the page before. */
export const cursor = () => z.optional(z.string().check(z.maxLength(maxCursor)));

/** Characters of a filter: the longest name that a record has. */
const maxFilter = 256;

export const filter = () => z.optional(z.string().check(z.minLength(1), z.maxLength(maxFilter)));

/** Whether one of the names of a row has the text that is searched for, however it is written. Without one, all do. */
export function hasText(search: string | undefined, names: readonly (string | undefined)[]): boolean {
  const text = search?.toLowerCase() ?? '';
  return text === '' || names.some((name) => name?.toLowerCase().includes(text));
}

/** What a list can be sorted by; `order` without `sort` is of the first one. */
export const orderParameters = <Name extends string>(names: readonly [Name, ...Name[]]) => ({
  sort: z.optional(z.enum(names, `must be one of: ${names.join(', ')}`)),
  order: z.optional(z.enum(['asc', 'desc'], 'must be asc or desc')),
});

/** One page of rows. */
export const listOf = <Row extends z.core.$ZodType>(row: Row) =>
  z.object({
    object: z.literal('list'),
    data: z.array(row),
    has_more: z.boolean(),
    next_after: z.nullable(z.string()),
  });

/** A row that was removed. */
export const deletedOf = <Name extends string>(object: Name) =>
  z.object({ object: z.literal(object), id: z.string(), deleted: z.literal(true) });
