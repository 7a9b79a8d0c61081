/** Retrieves a stored response: `GET /v1/responses/{response_id}`, with `stream=true` as the events of a stream. */
import * as z from 'zod/mini';
import type { Answer, Endpoint, PublicEvent } from '../../../core/endpoint.ts';
import { invalid } from '../../../core/errors/invalid.ts';
import { objectsIn } from '../../../core/formats/json-object.ts';
import { queryIntegerBetween } from '../../../core/formats/query-schema.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import type { ResponseStore } from '../../../core/stored-response.ts';
import { findStored, includeField, orNotFound, responseIdField, showItem } from './stored-format.ts';

const flag = z.enum(['true', 'false']);

export const schema = z.object({
  response_id: responseIdField,
  include: includeField,
  stream: z.optional(flag),
  starting_after: z.optional(queryIntegerBetween(0, Number.MAX_SAFE_INTEGER)),
  // Accepted, without effect: the gateway pads no events.
  include_obfuscation: z.optional(flag),
});

type Query = z.infer<typeof schema>;

export function retrieveResponseEndpoint(store: ResponseStore): Endpoint<typeof schema, Query> {
  return {
    schema,
    read(query) {
      if (query.starting_after !== undefined && query.stream !== 'true') {
        throw invalid('starting_after', "is only allowed when 'stream' is true");
      }
      return query;
    },
    async answer(call): Promise<Answer> {
      const found = await findStored(store, call);
      const response = orNotFound(await found.readResponse(), call.input);
      const { include, stream, starting_after: after = -1 } = call.input;
      const output = objectsIn(response.output).map((item) => showItem(item, include));
      if (stream !== 'true') return { type: 'json', body: { ...response, output } };
      return { type: 'stream', events: eventsAfter(after, response, output), onError: () => [] };
    },
  };
}

async function* eventsAfter(
  after: number,
  response: JsonObject,
  output: readonly JsonObject[],
): AsyncGenerator<readonly PublicEvent[]> {
  const { replay } = await import('./replay.ts');
  yield replay(response, output).slice(after + 1);
}
