/**
 * Retrieves a stored response, or one that is created in the background: `GET /v1/responses/{response_id}`, with `stream=true` as the
 * events of a stream. They are those that the log of the response has, if one is kept.
 */
import * as z from 'zod/mini';
import type { RunRef } from '../../../core/background.ts';
import type { Answer, Endpoint, PublicEvent } from '../../../core/endpoint.ts';
import { invalid } from '../../../core/errors/invalid.ts';
import { objectsIn } from '../../../core/formats/json-object.ts';
import { queryIntegerBetween } from '../../../core/formats/query-schema.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import type { ResponseStore } from '../../../core/stored-response.ts';
import { followRun, waitForResponse } from '../background/follow.ts';
import { type BackgroundParts, findRun, readRun } from '../background/run-state.ts';
import { onlyError } from '../write/only-error.ts';
import { includeField, orNotFound, responseIdField, showResponse } from './stored-format.ts';

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

interface RetrieveParts {
  readonly responses: ResponseStore;
  readonly background: BackgroundParts;
}

export function retrieveResponseEndpoint(parts: RetrieveParts): Endpoint<typeof schema, Query> {
  return {
    schema,
    read(query) {
      if (query.starting_after !== undefined && query.stream !== 'true') {
        throw invalid('starting_after', "is only allowed when 'stream' is true");
      }
      return query;
    },
    async answer(call): Promise<Answer> {
      const { input, key, signal } = call;
      const ref = { tenant: key?.tenant ?? '', id: input.response_id };
      const response = await readStored(parts.responses, ref);
      if (input.stream !== 'true') {
        const now = response ?? (await readRunning(parts.background, ref));
        return { type: 'json', body: showResponse(orNotFound(now, input), input.include) };
      }
      const isRun = !response || response.background === true;
      const run = isRun ? await findRun(parts.background, ref) : undefined;
      if (!response) orNotFound(run, input);
      const { starting_after: after } = input;
      const events = run?.streamed
        ? followRun(parts.background, run, { after, signal })
        : eventsAfter(input, async () => response ?? (await waitForResponse(parts.background, ref, signal)));
      return { type: 'stream', events, onError: onlyError };
    },
  };
}

async function readStored(store: ResponseStore, { tenant, id }: RunRef): Promise<JsonObject | undefined> {
  return await (await store.find(tenant, id))?.readResponse();
}

/** One whose response has been stored since it was looked for is complete. */
async function readRunning(parts: BackgroundParts, ref: RunRef): Promise<JsonObject | undefined> {
  const run = await findRun(parts, ref);
  return run && (await readRun(parts, run));
}

/** Of a response that is deleted while it is waited for, none. */
async function* eventsAfter(
  { include, starting_after: after = -1 }: Query,
  read: () => Promise<JsonObject | undefined>,
): AsyncGenerator<readonly PublicEvent[]> {
  const response = await read();
  if (!response) return;
  const { replay } = await import('./replay.ts');
  yield replay(response, objectsIn(showResponse(response, include).output)).slice(after + 1);
}
