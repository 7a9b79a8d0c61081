/**
 * Converts answers of the Cohere v2 chat API to events. A complete body is converted to the events of the equivalent stream,
 * so that both give the same result.
 *
 * Citations of web addresses become annotations. Citations of documents in the request have no public form and are omitted.
 */

import { asArray, asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { FinishReason, GenerationEvent } from '../../core/generation/events.ts';
import type { Frame, StreamDecoder } from '../../core/generation/original/protocol.ts';
import type { Usage } from '../../core/generation/usage.ts';
import {
  type BlockAnswer,
  closeBlock,
  finishAnswer,
  fromStart,
  newAnswer,
  openCall,
  startAnswer,
  writeArguments,
  writeReasoning,
  writeText,
} from '../blocks.ts';
import { upstreamError } from '../failure.ts';
import { asCount, asOptionalText, asText, isMiscounted, lookUp } from '../json.ts';
import { cohereFormat } from './messages.ts';
import type * as wire from './wire.ts';

/** Undefined if there are no counts. Cached tokens are part of the input. */
export function readUsage(value: unknown): Usage | undefined {
  const { tokens, billed_units, cached_tokens } = asObject<wire.Usage>(value);
  const counts = tokens ?? billed_units;
  if (typeof counts !== 'object' || counts === null) return undefined;
  const { input_tokens, output_tokens } = asObject<wire.Tokens>(counts);
  if (isMiscounted(input_tokens, output_tokens)) return undefined;
  const promptTokens = asCount(input_tokens);
  return {
    promptTokens,
    cachedTokens: Math.min(asCount(cached_tokens), promptTokens),
    cacheWriteTokens: 0,
    completionTokens: asCount(output_tokens),
    reasoningTokens: 0,
  };
}

type Events = readonly GenerationEvent[];

interface State {
  readonly answer: BlockAnswer;
  /** The plan of the model for its tools, until it is complete. */
  plan: string;
  /** Arguments of calls, held back while they may still be the `null` that means no arguments. */
  readonly held: Map<number, string>;
}

const formats = { signed: cohereFormat, unsigned: cohereFormat };

/** Content and calls are both numbered from 0 in the protocol. Here, calls are numbered after all content. */
const firstCall = 1_000_000;

/** A `null`, and white space around it. In characters. */
const maxHeld = 100;

const newState = (): State => ({ answer: newAnswer(), plan: '', held: new Map() });

/** @throws GatewayError `upstream_failed`, `upstream_invalid_answer` or `upstream_cut`. */
export function decodeStream(): StreamDecoder {
  const state = newState();
  return {
    onFrame: (frame) => onFrame(state, frame),
    onEnd: () => onEnd(state),
  };
}

/** @throws GatewayError `upstream_invalid_answer` for anything but an answer. */
export function decodeBody(body: unknown): Events {
  const answer = asObject<wire.Answer>(body);
  if (typeof answer.message !== 'object' || answer.message === null)
    throw upstreamError('upstream_invalid_answer');
  const state = newState();
  const events = [...replay(answer)].flatMap((event) => onEvent(state, event));
  return [...events, ...onEnd(state)];
}

function* replay(answer: wire.Answer): Generator<wire.Event> {
  const { content, tool_plan, tool_calls, citations } = asObject<wire.Message>(answer.message);
  const delta = (message: wire.Message): wire.Answer => ({ message });
  yield { type: 'message-start' };
  for (const [index, part] of asArray(content).entries()) {
    yield { type: 'content-start', index, delta: delta({ content: part }) };
    yield { type: 'content-end', index };
  }
  yield { type: 'tool-plan-delta', delta: delta({ tool_plan }) };
  for (const [index, call] of asArray(tool_calls).entries()) {
    yield { type: 'tool-call-start', index, delta: delta({ tool_calls: call }) };
    yield { type: 'tool-call-end', index };
  }
  for (const citation of asArray(citations)) {
    yield { type: 'citation-start', delta: delta({ citations: citation }) };
  }
  yield { type: 'message-end', delta: answer };
}

function onFrame(state: State, { event, data }: Frame): Events {
  const parsed = parseJson(data);
  // Malformed lines and the `[DONE]` that some hosts add are ignored. Without anything else, the stream has no end.
  if (parsed === undefined) return [];
  return onEvent(state, { type: event, ...asObject<wire.Event>(parsed) });
}

function onEvent(state: State, event: wire.Event): Events {
  return state.answer.finished ? [] : fromStart(state.answer, dispatch(state, event));
}

function dispatch(state: State, event: wire.Event): Events {
  const index = asCount(event.index);
  const delta = asObject<wire.Answer>(event.delta);
  const { content, tool_plan, tool_calls, citations } = asObject<wire.Message>(delta.message);
  switch (event.type) {
    case 'message-start':
      return startAnswer(state.answer);
    case 'content-start':
    case 'content-delta':
      return onContent(state, index, asObject<wire.Part>(content));
    case 'content-end':
      return closeBlock(state.answer, index);
    case 'tool-plan-delta':
      return onPlan(state, asText(tool_plan));
    case 'tool-call-start':
      return [...onPlanEnd(state), ...onToolCall(state, index, asObject<wire.ToolCall>(tool_calls))];
    case 'tool-call-delta':
      return onArguments(
        state,
        index,
        asText(asObject<wire.CalledFunction>(asObject<wire.ToolCall>(tool_calls).function).arguments),
      );
    case 'tool-call-end':
      return onToolCallEnd(state, index);
    case 'citation-start':
      return onCitation(asObject<wire.Citation>(citations));
    case 'message-end':
      return onMessageEnd(state, delta);
    default:
      return [];
  }
}

/** The first event of a part may contain its complete content. */
function onContent(state: State, index: number, { text, thinking }: wire.Part): Events {
  if (typeof thinking === 'string') return writeReasoning(state.answer, index, { text: thinking }, formats);
  return writeText(state.answer, index, asText(text));
}

function onPlan(state: State, text: string): Events {
  state.plan += text;
  return text === '' ? [] : [{ type: 'reasoning', choice: 0, text }];
}

function onPlanEnd(state: State): Events {
  const summary = state.plan;
  state.plan = '';
  if (summary === '') return [];
  const detail = { type: 'reasoning.summary', summary, format: cohereFormat } as const;
  return [{ type: 'reasoning-detail', choice: 0, detail: { ...detail, index: state.answer.details++ } }];
}

function onToolCall(state: State, index: number, call: wire.ToolCall): Events {
  const { name, arguments: text } = asObject<wire.CalledFunction>(call.function);
  state.held.delete(index);
  const opened = openCall(state.answer, firstCall + index, asText(call.id), asText(name));
  return [...opened, ...onArguments(state, index, asText(text))];
}

function onArguments(state: State, index: number, text: string): Events {
  const whole = `${state.held.get(index) ?? ''}${text}`;
  const isHeld = whole.length <= maxHeld && 'null'.startsWith(whole.trim());
  state.held.set(index, isHeld ? whole : '');
  return isHeld ? [] : writeArguments(state.answer, firstCall + index, whole);
}

function onToolCallEnd(state: State, index: number): Events {
  state.held.delete(index);
  return closeBlock(state.answer, firstCall + index);
}

function onCitation({ start, end, sources, type }: wire.Citation): Events {
  // Offsets into a plan or a thought are useless for the caller.
  if (type !== undefined && type !== 'TEXT_CONTENT') return [];
  const found = asArray(sources).map((source) => {
    const { document, tool_output } = asObject<wire.Source>(source);
    return asObject<wire.Document>(document ?? tool_output);
  });
  return found.flatMap((source): Events => {
    const url = asOptionalText(source.url);
    if (url === undefined || !/^https?:/i.test(url)) return [];
    const range = { start_index: asCount(start), end_index: asCount(end) };
    const url_citation = { url, title: asText(source.title), ...range };
    return [{ type: 'annotation', choice: 0, annotation: { type: 'url_citation', url_citation } }];
  });
}

const reasons: Readonly<Record<string, FinishReason>> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  MAX_TOKENS: 'length',
  TOOL_CALL: 'tool_calls',
};

/** Finish reasons that are not a regular end. */
const failed = ['ERROR', 'TIMEOUT'];

function onMessageEnd(state: State, { finish_reason, usage }: wire.Answer): Events {
  const reason = asText(finish_reason);
  if (failed.includes(reason)) throw upstreamError('upstream_failed');
  // Required by the protocol: without it, the answer has not ended by itself.
  if (reason === '') throw upstreamError('upstream_cut');
  const counted = readUsage(usage);
  const known = lookUp(reasons, reason);
  return [
    ...onPlanEnd(state),
    ...finishAnswer(state.answer, known ?? 'stop', known ? {} : { isUnclear: true }),
    ...(counted ? [{ type: 'usage', usage: counted, raw: asObject(usage) } as const] : []),
  ];
}

function onEnd(state: State): Events {
  if (!state.answer.finished) throw upstreamError('upstream_cut');
  return [];
}
