/**
 * Converts answers of the OpenAI Responses API to events.
 *
 * Everything that arrives in pieces arrives again as a whole, when its part, its item and the response end. It is emitted
 * once, as early as possible. A complete body is handled like such an end, with nothing emitted before.
 */

import type { GatewayError } from '../../core/errors/errors.ts';
import { asArray, asObject, isJsonObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { FinishReason } from '../../core/generation/events.ts';
import type { Frame, StreamDecoder } from '../../core/generation/original/protocol.ts';
import { upstreamError } from '../failure.ts';
import { asText, lookUp } from '../json.ts';
import { readServiceTier } from '../service-tier.ts';
import type { Events } from './answer.ts';
import type { ResponsesDialect } from './dialect.ts';
import { readError } from './failure.ts';
import { closeAll, type Items, newItems, onItemEvent } from './items.ts';
import { readUsage } from './usage.ts';
import type * as wire from './wire.ts';

interface State {
  readonly items: Items;
  isStarted: boolean;
  isEnded: boolean;
  /** Thrown once what it has used has been read. */
  failure?: GatewayError;
}

function newState({ reasoningFormat: format, hasCustomTools = false }: ResponsesDialect): State {
  const answer = {
    format,
    hasCustomTools,
    calls: 0,
    searches: 0,
    protocolItems: 0,
    thoughts: 0,
    written: 0,
  };
  return { items: newItems(answer), isStarted: false, isEnded: false };
}

/** @throws GatewayError `upstream_invalid_answer` for anything but a response, or the error in it. */
export function decodeBody(body: unknown, dialect: ResponsesDialect): Events {
  const response = asObject<wire.Answer>(body);
  if (hasFailed(response)) throw readError(response);
  if (!Array.isArray(response.output)) throw upstreamError('upstream_invalid_answer');
  const state = newState(dialect);
  return [...onStart(state, response), ...onTerminal(state, response)];
}

/** @throws GatewayError for an error in the stream, `upstream_invalid_answer` or `upstream_cut`. */
export function decodeStream(dialect: ResponsesDialect): StreamDecoder {
  const state = newState(dialect);
  return { onFrame: (frame) => onFrame(state, frame), onEnd: () => onEnd(state) };
}

function onFrame(state: State, { event, data }: Frame): Events {
  if (state.failure) throw state.failure;
  const parsed = parseJson(data);
  // Malformed lines are ignored. If there is nothing else, the stream has no end, which is reported as such.
  if (parsed === undefined || state.isEnded) return [];
  const events = onEvent(state, { type: event, ...asObject<wire.Event>(parsed) });
  return events.length > 0 ? [...onStart(state, {}), ...events] : events;
}

function onEvent(state: State, event: wire.Event): Events {
  switch (event.type) {
    case 'response.created':
    case 'response.in_progress':
      return onStart(state, asObject<wire.Answer>(event.response));
    case 'response.completed':
    case 'response.incomplete':
    case 'response.done':
      return onTerminal(state, asObject<wire.Answer>(event.response));
    case 'response.failed':
    case 'response.cancelled':
      return onFailure(state, asObject<wire.Answer>(event.response));
    case 'error':
      throw readError(event);
    default:
      // Proxies report errors in the format of another protocol.
      if (event.error) throw readError(event);
      return onItemEvent(state.items, event);
  }
}

function onStart(state: State, response: wire.Answer): Events {
  if (state.isStarted) return [];
  state.isStarted = true;
  // A stream starts with the requested tier. While that is `auto`, the actual tier is unknown.
  const serviceTier = readServiceTier(response.service_tier);
  return [{ type: 'start', ...(serviceTier && serviceTier !== 'auto' && { serviceTier }) }];
}

/** The complete response. Its items count only if none was emitted before: some hosts omit or renumber them. */
function onTerminal(state: State, response: wire.Answer): Events {
  if (hasFailed(response)) throw readError(response);
  const { items } = state;
  if (isUnfinished(response, items)) throw upstreamError('upstream_cut');
  const output = items.byPosition.size === 0 ? asArray(response.output) : [];
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

/** An end that says so itself, or that has no output at all, neither before nor in it. */
function isUnfinished({ status, output }: wire.Answer, { byPosition }: Items): boolean {
  if (status === 'in_progress' || status === 'queued') return true;
  return byPosition.size === 0 && !Array.isArray(output);
}

/** Hosts report success as `completed`, as `complete`, or not at all. */
function hasFailed({ status, error }: wire.Answer): boolean {
  return (error ?? null) !== null || status === 'failed' || status === 'cancelled';
}

const reasons: Readonly<Record<string, FinishReason>> = {
  max_output_tokens: 'length',
  content_filter: 'content_filter',
};

function onFinish({ answer }: Items, { status, incomplete_details, moderation }: wire.Answer): Events {
  const reason = lookUp(reasons, asText(asObject<wire.Incomplete>(incomplete_details).reason));
  const plain = answer.calls > 0 ? 'tool_calls' : 'stop';
  return [
    {
      type: 'finish',
      choice: 0,
      reason: reason ?? (status === 'incomplete' ? 'length' : plain),
      ...(isJsonObject(moderation) && { moderation }),
    },
  ];
}

function onUsage(response: wire.Answer): Events {
  const usage = readUsage(response.usage);
  const serviceTier = readServiceTier(response.service_tier);
  return usage
    ? [{ type: 'usage', usage, raw: asObject(response.usage), ...(serviceTier && { serviceTier }) }]
    : [];
}

/** One that counts what it has used fails after that. */
function onFailure(state: State, response: wire.Answer): Events {
  const used = onUsage(response);
  const failure = readError(response);
  if (used.length === 0) throw failure;
  state.failure = failure;
  return used;
}

function onEnd(state: State): Events {
  if (state.failure) throw state.failure;
  if (!state.isEnded) throw upstreamError('upstream_cut');
  return [];
}
