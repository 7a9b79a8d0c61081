/** Lists the input items of a stored response: `GET /v1/responses/{response_id}/input_items`. */
import * as z from 'zod/mini';
import type { Endpoint } from '../../../core/endpoint.ts';
import { GatewayError } from '../../../core/errors.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import type { ResponseStore } from '../../../core/stored-response.ts';
import { queryIntegerBetween } from '../../request-schema.ts';
import { findStored, includeField, responseIdField, showItem } from './stored-form.ts';

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
      const { input } = await findStored(store, call);
      return { type: 'json', body: pageOf(input, call.input) };
    },
  };
}

function pageOf(input: readonly JsonObject[], { order, after, limit, include }: Query): object {
  const ordered = order === 'asc' ? input : input.toReversed();
  const start = after === undefined ? 0 : indexAfter(ordered, after);
  const data = ordered.slice(start, start + limit).map((item) => showItem(item, include));
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? '',
    last_id: data.at(-1)?.id ?? '',
    has_more: start + data.length < ordered.length,
  };
}

function indexAfter(items: readonly JsonObject[], id: string): number {
  const index = items.findIndex((item) => item.id === id);
  if (index >= 0) return index + 1;
  throw new GatewayError(
    'invalid_request',
    "No input item with the id given in 'after' exists in this response.",
    {
      param: 'after',
    },
  );
}
