/**
 * What the Responses protocol keeps: responses that are created in the background, whose events come by time whether or not anyone
 * reads them, and others that are stored. Sources: OpenAI's guide "Background mode", its reference of `/responses/{response_id}`, and
 * Microsoft's "Use the Azure OpenAI Responses API", section "Background tasks", where no other is named.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../lib/core/generation/request.ts';
import {
  jsonAnswer,
  namedEvent,
  type SandboxRequest,
  type SandboxResponse,
  streamAnswer,
} from '../exchange.ts';
import { refuse } from '../openai/refuse.ts';
import type { ResponseState } from './response.ts';

interface NewResponse {
  readonly id: string;
  readonly provider: string;
  readonly isInBackground: boolean;
  /** Whether it was created with a stream: no other can be read as one. */
  readonly isStreamed: boolean;
  readonly write: (state: ResponseState) => JsonObject;
  /** Its events after those that say that it is queued, without their numbers. */
  readonly events: readonly Draft[];
  /** As it is when it has ended. */
  readonly last: JsonObject;
}

/** An event without its number. */
export type Draft = JsonObject & { readonly type: string };

interface Kept extends NewResponse {
  /** Unix milliseconds. */
  readonly startedAt: number;
  /** How many of its events had come when it was cancelled. */
  cancelledAfter?: number;
}

/** From one event of a response in the background to the next. */
const eventMs = 5;

/** The oldest are forgotten. */
const maxKept = 1_000;

const kept = new Map<string, Kept>();

/** Begins it. An idle stream has a sign of life, which is numbered as other events. Source: BerriAI/litellm pull request 39617. */
export function keep(response: NewResponse): Kept {
  const { isInBackground, write, events } = response;
  const queued = write({ status: 'queued', output: [] });
  const first = ['response.created', 'response.queued'].map((type) => ({ type, response: queued }));
  const all = isInBackground ? [...first, { type: 'keepalive' }, ...events] : events;
  const one: Kept = { ...response, events: all, startedAt: isInBackground ? Date.now() : 0 };
  const [oldest] = kept.keys();
  if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest);
  kept.set(response.id, one);
  return one;
}

/** The answer to its creation. */
export const answerBegun = (response: Kept): SandboxResponse =>
  response.isStreamed ? streamFrom(response, -1) : jsonAnswer(objectOf(response));

/** `GET`, `DELETE` and the cancellation of one. */
export function answerKept({ method, path, query, provider }: SandboxRequest): SandboxResponse {
  const [, , id = '', action] = path.split('/');
  const response = kept.get(id);
  // Source: the answer to an unknown `previous_response_id`, which is found in the same place.
  if (response?.provider !== provider) refuse(`Response with id '${id}' not found.`, null, null, 404);
  if (method === 'POST' && action === 'cancel') return cancelled(response);
  if (action !== undefined || (method !== 'GET' && method !== 'DELETE'))
    refuse(`Invalid URL (${method} /v1${path})`, null, null, 404);
  if (method === 'DELETE') {
    kept.delete(id);
    return jsonAnswer({ id, object: 'response', deleted: true });
  }
  if (query.get('stream') !== 'true') return jsonAnswer(objectOf(response));
  // "You can only start a new stream from a background response if you created it with stream=true." Wording: Azure/azure-sdk-for-python issue 46015.
  if (!response.isInBackground || !response.isStreamed)
    refuse('Streaming is not enabled for this response.', 'stream');
  return streamFrom(response, Number(query.get('starting_after') ?? -1));
}

/** "Cancelling twice is idempotent - subsequent calls simply return the final Response object." */
function cancelled(response: Kept): SandboxResponse {
  // Source: the reference of the method, "Only responses created with the background parameter set to true can be cancelled."
  if (!response.isInBackground)
    refuse('Only responses created with background set to true can be cancelled.', 'response_id');
  // One that was complete is refused. Source: BerriAI/litellm pull request 39617.
  if (response.cancelledAfter === undefined && isWhole(response))
    refuse('Cannot cancel a completed response.', 'response_id');
  response.cancelledAfter ??= due(response);
  return jsonAnswer(objectOf(response));
}

/** How many events have come by now. */
const due = ({ startedAt, events, cancelledAfter }: Kept): number =>
  cancelledAfter ?? Math.min(events.length, 1 + Math.floor((Date.now() - startedAt) / eventMs));

const isWhole = (response: Kept): boolean => due(response) === response.events.length;

const isOver = (response: Kept): boolean => response.cancelledAfter !== undefined || isWhole(response);

function objectOf(response: Kept): JsonObject {
  const { write, last, cancelledAfter } = response;
  if (cancelledAfter !== undefined) return write({ status: 'cancelled', output: [] });
  if (isWhole(response)) return last;
  return write({ status: due(response) > 2 ? 'in_progress' : 'queued', output: [] });
}

function streamFrom(response: Kept, after: number): SandboxResponse {
  return { ...streamAnswer([]), rest: eventsFrom(response, after + 1) };
}

/** One that is deleted or cancelled has no further events. */
async function* eventsFrom(response: Kept, first: number): AsyncGenerator<string> {
  for (let next = first; kept.get(response.id) === response; ) {
    const end = due(response);
    for (; next < end; next += 1) yield textOf(response, next);
    // More may have come while these were read.
    if (isOver(response) && next === due(response)) return;
    await sleep(eventMs);
  }
}

function textOf({ events }: Kept, sequence_number: number): string {
  const { type = '', ...event } = events[sequence_number] ?? {};
  return namedEvent(type, { type, sequence_number, ...event });
}
