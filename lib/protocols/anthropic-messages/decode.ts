/**
 * Converts answers of the Messages API to events. A complete body is converted to the events of the equivalent stream, so
 * that both give the same result.
 */

import { asArray, asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { FinishReason, GenerationEvent } from '../../core/generation/events.ts';
import type { AnswerFormat, Frame, StreamDecoder } from '../../core/generation/original/protocol.ts';
import { claudeFormat } from '../../core/generation/reasoning-format.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import {
  type BlockAnswer,
  citeSource,
  closeBlock,
  finishAnswer,
  fromStart,
  newAnswer,
  openCall,
  startAnswer,
  writeArguments,
  writeEncryptedReasoning,
  writeInput,
  writeReasoning,
  writeText,
} from '../blocks.ts';
import { upstreamError } from '../failure.ts';
import { asCount, asOptionalText, asText, lookUp } from '../json.ts';
import { readError } from './failure.ts';
import { isContent, isEventName, upstreamBody, upstreamEvent } from './original.ts';
import { countServerTool, mergeUsage, readTier, readUsage } from './usage.ts';
import { endSearch, endSearches, newSearches, openSearch, type Searches, writeSearch } from './web-search.ts';
import type * as wire from './wire.ts';

type Events = readonly GenerationEvent[];

interface State {
  readonly form: AnswerFormat;
  readonly answer: BlockAnswer;
  readonly searches: Searches;
  /** Calls of the provider's other tools. */
  readonly serverTools: Record<string, number>;
  messageId: string | undefined;
  /** Whether a part of the answer has come. */
  hasContent: boolean;
  /** The end of the answer, from `message_delta`. */
  end: wire.End;
  usage: JsonObject | undefined;
}

const formats = { signed: claudeFormat, unsigned: claudeFormat };

/** @throws GatewayError for an error in the stream, `upstream_invalid_answer` or `upstream_cut`. */
export function decodeStream(form: AnswerFormat = 'meaning'): StreamDecoder {
  const state = newState(form);
  return {
    onFrame: (frame) => onFrame(state, frame),
    usageSoFar: () => state.usage && readUsage(state.usage, state.serverTools),
    onEnd: () => onEnd(state),
  };
}

/** @throws GatewayError `upstream_invalid_answer` for anything but a message. */
export function decodeBody(body: unknown, form: AnswerFormat = 'meaning'): Events {
  const message = asObject<wire.Message>(body);
  if (asText(message.type) === 'error') throw readError(body);
  if (!Array.isArray(message.content)) throw upstreamError('upstream_invalid_answer');
  const state = newState(form);
  const events: GenerationEvent[] = form === 'original' ? [upstreamBody(message)] : [];
  for (const given of replay(message)) {
    for (const event of onEvent(state, given)) events.push(event);
  }
  onEnd(state);
  return events;
}

function* replay(message: wire.Message): Generator<wire.Event> {
  yield { type: 'message_start', message };
  for (const [index, content_block] of asArray(message.content).entries()) {
    yield { type: 'content_block_start', index, content_block };
    yield { type: 'content_block_stop', index };
  }
  yield { type: 'message_delta', delta: message };
  yield { type: 'message_stop' };
}

function newState(form: AnswerFormat): State {
  const read = { form, searches: newSearches(), serverTools: {} };
  return { answer: newAnswer(), ...read, messageId: undefined, hasContent: false, end: {}, usage: undefined };
}

function onFrame(state: State, frame: Frame): Events {
  const parsed = parseJson(frame.data);
  // Malformed lines are ignored. If there is nothing else, the stream has no end, which is reported as such.
  if (parsed === undefined) return [];
  const given = asObject<wire.Event>(parsed);
  const isTyped = given.type !== undefined;
  const event = isTyped ? given : { type: frame.event, ...given };
  if (state.form === 'meaning' || !passesOn(state, event)) return onEvent(state, event);
  state.hasContent ||= isContent(event);
  const data = isTyped && !frame.data.includes('\n') ? frame.data : JSON.stringify(event);
  const upstream = upstreamEvent(event, data, state.hasContent);
  return [upstream, ...onEvent(state, event)];
}

/** Whether a caller of this protocol gets the event. Some hosts repeat the start, and nothing follows the end. */
function passesOn({ answer, messageId }: State, { type }: wire.Event): boolean {
  if (!isEventName(type) || answer.finished) return false;
  if (type === 'message_start') return messageId === undefined;
  const isAfterStart = messageId !== undefined || type === 'ping' || type === 'error';
  if (!isAfterStart) throw upstreamError('upstream_invalid_answer');
  return true;
}

function onEvent(state: State, event: wire.Event): Events {
  return state.answer.finished ? [] : fromStart(state.answer, dispatch(state, event));
}

function dispatch(state: State, event: wire.Event): Events {
  const index = asCount(event.index);
  switch (event.type) {
    case 'message_start':
      return onStart(state, asObject<wire.Message>(event.message));
    case 'content_block_start':
      return onBlock(state, index, asObject<wire.Block>(event.content_block));
    case 'content_block_delta':
      return onDelta(state, index, asObject<wire.Delta>(event.delta));
    case 'content_block_stop':
      return closeBlock(state.answer, index);
    case 'message_delta':
      return onMessageDelta(state, event);
    case 'message_stop':
      return [...onFinish(state), ...onUsage(state)];
    case 'error':
      throw readError(event);
    default:
      return [];
  }
}

function onStart(state: State, message: wire.Message): Events {
  const id = asText(message.id);
  // Some hosts repeat the start. Another message in the same stream is an error.
  if (state.messageId !== undefined && state.messageId !== id) throw upstreamError('upstream_invalid_answer');
  state.messageId = id;
  state.usage = mergeUsage(state.usage, message.usage);
  return startAnswer(state.answer, readTier(state.usage));
}

/** The first event of a block may contain its complete content. */
function onBlock(state: State, index: number, block: wire.Block): Events {
  switch (block.type) {
    case 'text':
      return [
        ...onText(state, index, block),
        ...asArray(block.citations).flatMap((citation) => onCitation(state, index, citation)),
      ];
    case 'thinking':
      return onReasoning(state, index, block);
    case 'redacted_thinking':
      return writeEncryptedReasoning(state.answer, asText(block.data), claudeFormat);
    case 'tool_use':
      return onToolCall(state, index, block);
    case 'server_tool_use':
      countServerTool(state.serverTools, asText(block.name));
      return openSearch(state.searches, index, block);
    case 'web_search_tool_result':
      return endSearch(state.searches, block);
    default:
      return [];
  }
}

function onDelta(state: State, index: number, delta: wire.Delta): Events {
  switch (delta.type) {
    case 'text_delta':
      return onText(state, index, delta);
    case 'citations_delta':
      return onCitation(state, index, delta.citation);
    case 'thinking_delta':
    case 'signature_delta':
      return onReasoning(state, index, delta);
    case 'input_json_delta':
      return onInput(state, index, asText(delta.partial_json));
    default:
      return [];
  }
}

function onText(state: State, index: number, piece: Pick<wire.Delta, 'text'>): Events {
  return writeText(state.answer, index, asText(piece.text));
}

function onCitation(state: State, index: number, citation: unknown): Events {
  const { url, title } = asObject<wire.Citation>(citation);
  return citeSource(state.answer, index, asText(url), asText(title));
}

function onReasoning(state: State, index: number, piece: Pick<wire.Delta, 'thinking' | 'signature'>): Events {
  const { thinking, signature } = piece;
  return writeReasoning(
    state.answer,
    index,
    { text: asText(thinking), signature: asText(signature) },
    formats,
  );
}

function onToolCall(state: State, index: number, block: wire.Block): Events {
  const opened = openCall(state.answer, index, asText(block.id), asText(block.name));
  return [...opened, ...writeInput(state.answer, index, asObject(block.input))];
}

function onInput({ answer, searches }: State, index: number, piece: string): Events {
  writeSearch(searches, index, piece);
  return writeArguments(answer, index, piece);
}

function onMessageDelta(state: State, event: wire.Event): Events {
  state.end = asObject<wire.End>(event.delta);
  state.usage = mergeUsage(state.usage, event.usage);
  return [];
}

const windowFull = 'model_context_window_exceeded';

const reasons: Record<string, FinishReason> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  [windowFull]: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

/** Proxies end a stream that broke off with a `message_stop` of their own: it has no start, or no reason before it. */
function onFinish(state: State): Events {
  const { stop_reason, stop_details, stop_sequence } = state.end;
  if (state.messageId === undefined || asText(stop_reason) === '') throw upstreamError('upstream_cut');
  const refusal =
    stop_reason === 'refusal' ? asText(asObject<wire.StopDetails>(stop_details).explanation) : '';
  const stopSequence = asOptionalText(stop_sequence);
  const known = lookUp(reasons, asText(stop_reason));
  const facts = {
    refusal,
    ...(stopSequence !== undefined && { stopSequence }),
    ...(stop_reason === windowFull && { isContextFull: true as const }),
    ...(known === undefined && { isUnclear: true as const }),
  };
  return [...endSearches(state.searches), ...finishAnswer(state.answer, known ?? 'stop', facts)];
}

function onUsage(state: State): Events {
  const { usage: raw, serverTools } = state;
  if (!raw) return [];
  const serviceTier = readTier(raw);
  const usage = readUsage(raw, serverTools);
  return usage ? [{ type: 'usage', usage, raw, ...(serviceTier !== undefined && { serviceTier }) }] : [];
}

function onEnd(state: State): Events {
  if (!state.answer.finished) throw upstreamError('upstream_cut');
  return [];
}
