/** Lists the input items of a stored response: `GET /v1/responses/{response_id}/input_items`. */
import * as z from 'zod/mini';
import { GatewayError } from '../../../core/errors/errors.ts';
import { queryIntegerBetween } from '../../../core/formats/query-schema.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import type { FoundResponse, ResponseStore } from '../../../core/stored-response.ts';
import { plainEndpoint } from '../../plain-endpoint.ts';
import { findStored, includeField, orNotFound, responseIdField, showItem } from './stored-format.ts';

/** Items of one page. */
const maxListedItems = 100;

export const schema = z.object({
  response_id: responseIdField,
  include: includeField,
  limit: z._default(queryIntegerBetween(1, maxListedItems), 20),
  order: z._default(z.enum(['asc', 'desc']), 'desc'),
  after: z.optional(z.string()),
});

type Query = z.infer<typeof schema>;

export const responseInputItemsEndpoint = (store: ResponseStore) =>
  plainEndpoint({ schema }, async (call) => {
    const found = await findStored(store, call);
    return { type: 'json', body: await pageOf(found, call.input) };
  });

/** Reads no more parts of the conversation than the page needs. None of them is empty. */
async function pageOf(found: FoundResponse, query: Query): Promise<object> {
  const { order, after, limit, include } = query;
  const ordered = <Item>(list: readonly Item[]) => (order === 'asc' ? list : list.toReversed());
  const latest = found.input.length > 0 ? [undefined] : [];
  const parts = [...ordered([...found.shared, ...latest])];
  const data: JsonObject[] = [];
  let hasBegun = after === undefined;
  let left: readonly JsonObject[] = [];
  while (data.length < limit && parts.length > 0) {
    const part = parts.shift();
    const items = ordered(orNotFound(part ? await found.readPart(part) : found.input, query));
    const start = hasBegun ? 0 : items.findIndex(({ id }) => id === after) + 1;
    hasBegun ||= start > 0;
    if (!hasBegun) continue;
    const end = start + limit - data.length;
    data.push(...items.slice(start, end).map((item) => showItem(item, include)));
    left = items.slice(end);
  }
  if (!hasBegun) throw unknownItem();
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? '',
    last_id: data.at(-1)?.id ?? '',
    has_more: left.length + parts.length > 0,
  };
}

function unknownItem(): GatewayError {
  return new GatewayError(
    'invalid_request',
    "No input item with the id given in 'after' exists in this response.",
    { param: 'after' },
  );
}
