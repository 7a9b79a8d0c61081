/**
 * Converts answers of the Converse API to events. A complete body is converted to the events of the equivalent stream, so
 * that both give the same result.
 */

import { asArray, asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { FinishReason, GenerationEvent } from '../../core/generation/events.ts';
import type { Frame, StreamDecoder } from '../../core/generation/original/protocol.ts';
import { claudeFormat } from '../../core/generation/reasoning-format.ts';
import type { JsonObject, ReasoningFormat } from '../../core/generation/request.ts';
import { addCalls } from '../../core/generation/tools/tool-counts.ts';
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
import { asCount, asText, lookUp } from '../json.ts';
import { readException } from './failure.ts';
import { readTier, readUsage } from './usage.ts';
import type * as wire from './wire.ts';

/** Reasoning of other models, or without a signature: it can be read but not sent back. */
const unsignedFormat = 'bedrock-converse-v1';

/**
 * Redacted reasoning as in Anthropic's own API, whose text it is for Claude, once more in base64: it can be sent back with either
 * protocol. Unchanged if it is something else.
 */
function readRedacted(content: string): { readonly data: string; readonly format: ReasoningFormat } {
  const unwrapped = Buffer.from(content, 'base64').toString('latin1');
  return /^[A-Za-z0-9+/_=-]+$/.test(unwrapped)
    ? { data: unwrapped, format: claudeFormat }
    : { data: content, format: unsignedFormat };
}

type Events = readonly GenerationEvent[];

interface State {
  readonly answer: BlockAnswer;
  /** The latest counts. Emitted once: when they arrive after the finish, else at the end. */
  usage: JsonObject | undefined;
  serviceTier: string | undefined;
  /** Calls of tools that the provider runs. */
  readonly serverTools: Record<string, number>;
  usageEmitted: boolean;
}

const formats = { signed: claudeFormat, unsigned: unsignedFormat };

/** @throws GatewayError for an error in the stream, `upstream_invalid_answer` or `upstream_cut`. */
export function decodeStream(): StreamDecoder {
  const state = newState();
  return {
    onFrame: (frame) => onFrame(state, frame),
    onEnd: () => onEnd(state),
  };
}

/** @throws GatewayError `upstream_invalid_answer` for anything but a message. */
export function decodeBody(body: unknown): Events {
  const answer = asObject<wire.Answer>(body);
  const content = asObject<wire.Message>(asObject<wire.Output>(answer.output).message).content;
  if (!Array.isArray(content)) throw upstreamError('upstream_invalid_answer');
  const state = newState();
  const events = [...replay(answer, content)].flatMap(([type, event]) => onEvent(state, type, event));
  return [...events, ...onEnd(state)];
}

function* replay(answer: wire.Answer, content: readonly unknown[]): Generator<[string, wire.Event]> {
  yield ['messageStart', {}];
  for (const [contentBlockIndex, block] of content.map(asObject<wire.Block>).entries()) {
    for (const delta of replayBlock(block)) yield ['contentBlockDelta', { contentBlockIndex, delta }];
    if (block.toolUse) yield ['contentBlockStart', { contentBlockIndex, start: block }];
    yield ['contentBlockStop', { contentBlockIndex }];
  }
  yield ['messageStop', answer];
  yield ['metadata', answer];
}

/** The deltas that a stream would have for a block. A call's deltas come with its start. */
function* replayBlock(block: wire.Block): Generator<wire.Delta> {
  const { text, reasoningContent, citationsContent } = block;
  if (text !== undefined) yield { text };
  const { reasoningText, redactedContent } = asObject<wire.Reasoning>(reasoningContent);
  if (reasoningText) yield { reasoningContent: reasoningText };
  if (redactedContent) yield { reasoningContent: { redactedContent } };
  const cited = asObject<wire.Cited>(citationsContent);
  for (const part of asArray(cited.content)) yield { text: asObject<wire.Block>(part).text };
  for (const citation of asArray(cited.citations)) yield { citation };
}

function newState(): State {
  return {
    answer: newAnswer(),
    usage: undefined,
    serviceTier: undefined,
    serverTools: {},
    usageEmitted: false,
  };
}

function onFrame(state: State, frame: Frame): Events {
  if (frame.exception) throw readException(frame);
  const event = parseJson(frame.data);
  if (event === undefined) throw upstreamError('upstream_invalid_answer');
  return onEvent(state, frame.event, asObject<wire.Event>(event));
}

function onEvent(state: State, type: string, event: wire.Event): Events {
  return fromStart(state.answer, dispatch(state, type, event));
}

function dispatch(state: State, type: string, event: wire.Event): Events {
  if (state.answer.finished && type !== 'metadata') return [];
  const index = asCount(event.contentBlockIndex);
  switch (type) {
    case 'messageStart':
      return startAnswer(state.answer);
    case 'contentBlockStart':
      return onToolCall(state, index, asObject<wire.ToolUse>(asObject<wire.Start>(event.start).toolUse));
    case 'contentBlockDelta':
      return onDelta(state, index, asObject<wire.Delta>(event.delta));
    case 'contentBlockStop':
      return closeBlock(state.answer, index);
    case 'messageStop':
      return onFinish(state, event);
    case 'metadata':
      state.usage = event.usage ? asObject(event.usage) : state.usage;
      state.serviceTier = readTier(event) ?? state.serviceTier;
      return onUsage(state);
    default:
      return [];
  }
}

function onDelta(state: State, index: number, delta: wire.Delta): Events {
  if (delta.text !== undefined) return writeText(state.answer, index, asText(delta.text));
  if (delta.citation !== undefined) return onCitation(state, index, delta.citation);
  if (delta.reasoningContent !== undefined)
    return onReasoning(state, index, asObject<wire.Reasoning>(delta.reasoningContent));
  return writeArguments(state.answer, index, asText(asObject<wire.ToolUse>(delta.toolUse).input));
}

function onCitation(state: State, index: number, citation: unknown): Events {
  const { location, title } = asObject<wire.Citation>(citation);
  return citeSource(
    state.answer,
    index,
    asText(asObject<wire.WebLocation>(asObject<wire.Location>(location).web).url),
    asText(title),
  );
}

function onReasoning(state: State, index: number, piece: wire.Reasoning): Events {
  const { text, signature, redactedContent } = piece;
  const redacted = readRedacted(asText(redactedContent));
  return [
    ...writeReasoning(state.answer, index, { text: asText(text), signature: asText(signature) }, formats),
    ...writeEncryptedReasoning(state.answer, redacted.data, redacted.format),
  ];
}

/** The caller does not have to answer tools that the provider runs itself. */
function onToolCall(state: State, index: number, call: wire.ToolUse): Events {
  if (typeof call.name !== 'string') return [];
  if (call.type === 'server_tool_use') {
    addCalls(state.serverTools, call.name);
    return [];
  }
  const opened = openCall(state.answer, index, asText(call.toolUseId), call.name);
  return [...opened, ...writeInput(state.answer, index, asObject(call.input))];
}

const windowFull = 'model_context_window_exceeded';

const reasons: Record<string, FinishReason> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  [windowFull]: 'length',
  tool_use: 'tool_calls',
  guardrail_intervened: 'content_filter',
  content_filtered: 'content_filter',
  refusal: 'content_filter',
};

function onFinish(state: State, event: wire.Event): Events {
  const reason = asText(event.stopReason);
  // Required by the protocol: without it, the answer has not ended by itself.
  if (reason === '') throw upstreamError('upstream_cut');
  // The provider could not parse the model's output. Without any output, the attempt has failed.
  const nothing = state.answer.written === 0 && state.answer.calls === 0;
  if (reason.startsWith('malformed_') && nothing) throw upstreamError('upstream_invalid_answer');
  const isFull = reason === windowFull && { isContextFull: true as const };
  const known = lookUp(reasons, reason);
  return finishAnswer(state.answer, known ?? 'stop', { ...isFull, ...(!known && { isUnclear: true }) });
}

function onUsage(state: State): Events {
  if (!state.answer.finished || !state.usage || state.usageEmitted) return [];
  state.usageEmitted = true;
  const { usage: raw, serviceTier, serverTools } = state;
  const usage = readUsage(raw, serverTools);
  return usage ? [{ type: 'usage', usage, raw, ...(serviceTier !== undefined && { serviceTier }) }] : [];
}

function onEnd(state: State): Events {
  if (!state.answer.finished) throw upstreamError('upstream_cut');
  return onUsage(state);
}
