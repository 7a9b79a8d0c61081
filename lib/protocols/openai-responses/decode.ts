/**
 * Answers of the OpenAI Responses wire as events.
 *
 * Whatever comes in pieces comes again whole, when its part, its item and the response end. It is told once, as early as
 * it can be; a whole body is such an end, of which nothing was told before.
 */
import type { FinishReason } from '../../core/generation/events.ts';
import type { Frame, StreamDecoder } from '../../core/generation/protocol.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { parseJson } from '../../core/parse-json.ts';
import { upstreamError } from '../failure.ts';
import { asArray, asObject, asText, lookUp } from '../json.ts';
import { readServiceTier } from '../service-tier.ts';
import type { Events } from './answer.ts';
import type { ResponsesDialect } from './dialect.ts';
import { readError } from './failure.ts';
import { closeAll, type Items, onItemEvent } from './items.ts';
import { readUsage } from './usage.ts';

interface State {
  readonly items: Items;
  isStarted: boolean;
  isEnded: boolean;
}

function newState({ reasoningFormat: format }: ResponsesDialect): State {
  const answer = { format, calls: 0, searches: 0, thoughts: 0, written: 0 };
  return { items: { answer, places: new Map() }, isStarted: false, isEnded: false };
}

/** @throws GatewayError `upstream_invalid_answer` for anything but a response, or the error that it reports. */
export function decodeBody(body: unknown, dialect: ResponsesDialect): Events {
  const response = asObject(body);
  if (hasFailed(response)) throw readError(response);
  if (!Array.isArray(response.output)) throw upstreamError('upstream_invalid_answer');
  const state = newState(dialect);
  return [...onStart(state, response), ...onTerminal(state, response)];
}

/** @throws GatewayError what the stream reports, `upstream_invalid_answer` or `upstream_cut`. */
export function decodeStream(dialect: ResponsesDialect): StreamDecoder {
  const state = newState(dialect);
  return { onFrame: (frame) => onFrame(state, frame), onEnd: () => onEnd(state) };
}

function onFrame(state: State, { event, data }: Frame): Events {
  const parsed = parseJson(data);
  // A line of junk is passed over; a stream of nothing else lacks its end, which says enough.
  if (parsed === undefined || state.isEnded) return [];
  const told = onEvent(state, { type: event, ...asObject(parsed) });
  return told.length > 0 ? [...onStart(state, {}), ...told] : told;
}

function onEvent(state: State, event: JsonObject): Events {
  switch (event.type) {
    case 'response.created':
    case 'response.in_progress':
      return onStart(state, asObject(event.response));
    case 'response.completed':
    case 'response.incomplete':
    case 'response.done':
      return onTerminal(state, asObject(event.response));
    case 'response.failed':
    case 'response.cancelled':
      throw readError(asObject(event.response));
    case 'error':
      throw readError(event);
    default:
      // Proxies report in the form of another wire.
      if (event.error) throw readError(event);
      return onItemEvent(state.items, event);
  }
}

function onStart(state: State, response: JsonObject): Events {
  if (state.isStarted) return [];
  state.isStarted = true;
  // A stream begins with the tier that was asked for; which one it was is not known while that is `auto`.
  const serviceTier = readServiceTier(response.service_tier);
  return [{ type: 'start', ...(serviceTier && serviceTier !== 'auto' && { serviceTier }) }];
}

/** The response as a whole. Its items count only where none was told before: some hosts leave out or number them anew. */
function onTerminal(state: State, response: JsonObject): Events {
  if (hasFailed(response)) throw readError(response);
  const { items } = state;
  const output = items.places.size === 0 ? asArray(response.output) : [];
  state.isEnded = true;
  return [
    ...output.flatMap((item, output_index) =>
      onItemEvent(items, { type: 'response.output_item.done', output_index, item }),
    ),
    ...closeAll(items),
    ...onFinish(items, response),
    ...onUsage(response),
  ];
}

/** Hosts write a success as `completed`, as `complete`, or not at all. */
function hasFailed({ status, error }: JsonObject): boolean {
  return (error ?? null) !== null || status === 'failed' || status === 'cancelled';
}

const reasons: Readonly<Record<string, FinishReason>> = {
  max_output_tokens: 'length',
  content_filter: 'content_filter',
};

function onFinish({ answer }: Items, { status, incomplete_details }: JsonObject): Events {
  const told = lookUp(reasons, asText(asObject(incomplete_details).reason));
  const plain = answer.calls > 0 ? 'tool_calls' : 'stop';
  return [{ type: 'finish', choice: 0, reason: told ?? (status === 'incomplete' ? 'length' : plain) }];
}

function onUsage(response: JsonObject): Events {
  const usage = readUsage(response.usage);
  const serviceTier = readServiceTier(response.service_tier);
  return usage
    ? [{ type: 'usage', usage, raw: asObject(response.usage), ...(serviceTier && { serviceTier }) }]
    : [];
}

function onEnd(state: State): Events {
  if (!state.isEnded) throw upstreamError('upstream_cut');
  return [];
}
