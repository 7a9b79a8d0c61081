/** Lists the input items of a stored response: `GET /v1/responses/{response_id}/input_items`. */
import * as z from 'zod/mini';
import type { Endpoint } from '../../../core/endpoint.ts';
import { GatewayError } from '../../../core/errors.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import type { FoundResponse, ResponseStore } from '../../../core/stored-response.ts';
import { queryIntegerBetween } from '../../request-schema.ts';
import { findStored, includeField, orNotFound, responseIdField, showItem } from './stored-form.ts';

export const schema = z.object({
  response_id: responseIdField,
  include: includeField,
  limit: z._default(queryIntegerBetween(1, 100), 20),
  order: z._default(z.enum(['asc', 'desc']), 'desc'),
  after: z.optional(z.string()),
});

type Query = z.infer<typeof schema>;

export function responseInputItemsEndpoint(store: ResponseStore): Endpoint<typeof schema, Query> {
  return {
    schema,
    read: (query) => query,
    async answer(call) {
      const found = await findStored(store, call);
      return { type: 'json', body: await pageOf(found, call.input) };
    },
  };
}

/** Reads no more parts of the conversation than the page needs. */
async function pageOf(found: FoundResponse, query: Query): Promise<object> {
  const { after, limit, include } = query;
  const items: JsonObject[] = [];
  let hasBegun = after === undefined;
  for await (const item of itemsOf(found, query)) {
    if (hasBegun) items.push(showItem(item, include));
    else hasBegun = item.id === after;
    if (items.length > limit) break;
  }
  if (!hasBegun) throw unknownItem();
  const data = items.slice(0, limit);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? '',
    last_id: data.at(-1)?.id ?? '',
    has_more: items.length > limit,
  };
}

async function* itemsOf(found: FoundResponse, query: Query): AsyncGenerator<JsonObject> {
  const { order } = query;
  const ordered = <Item>(list: readonly Item[]) => (order === 'asc' ? list : list.toReversed());
  for (const part of ordered([...found.shared, undefined])) {
    const items = part ? await found.readPart(part) : found.input;
    yield* ordered(orNotFound(items, query));
  }
}

function unknownItem(): GatewayError {
  return new GatewayError(
    'invalid_request',
    "No input item with the id given in 'after' exists in this response.",
    { param: 'after' },
  );
}
