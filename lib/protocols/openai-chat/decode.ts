/**
 * Converts answers of the OpenAI chat protocol, streamed or not, to events. It is tolerant: about fifteen hosts use this
 * protocol, each with small differences. Errors are in `failure.ts`.
 */

import { asArray, asObject, isJsonObject, type JsonObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import { eventsOf, type GenerationEvent } from '../../core/generation/events.ts';
import type { Frame, StreamDecoder } from '../../core/generation/original/protocol.ts';
import type { Counted } from '../../core/generation/usage.ts';
import { readChoiceIndex, upstreamError } from '../failure.ts';
import { asOptionalText } from '../json.ts';
import { readServiceTier } from '../service-tier.ts';
import { type Choice, newChoice, onFinish, toFinish } from './choice.ts';
import { onAnnotations, onSources, readSources, type Source } from './citations.ts';
import { type Events, onReasoning, onText, onThoughtEnd } from './decode-text.ts';
import type { Dialect } from './dialect.ts';
import { readReportedFailure } from './failure.ts';
import { onLogprobs } from './logprobs.ts';
import { onToolCall, onToolCallsEnd } from './tool-calls.ts';
import { readUsage } from './usage.ts';
import type * as wire from './wire.ts';

/** Each chunk of the caller's stream has it: a longer one is none. In characters. */
const maxFingerprint = 256;

function readFingerprint(value: unknown): string | undefined {
  const text = asOptionalText(value);
  return text !== undefined && text.length <= maxFingerprint ? text : undefined;
}

interface State {
  readonly dialect: Dialect;
  readonly choices: Map<number, Choice>;
  sources: readonly Source[];
  usage: Counted | undefined;
  moderation: JsonObject | undefined;
  /** The tier that was named last. */
  serviceTier: string | undefined;
  isStarted: boolean;
  isEnded: boolean;
}

const newState = (dialect: Dialect): State => ({
  dialect,
  choices: new Map(),
  sources: [],
  usage: undefined,
  moderation: undefined,
  serviceTier: undefined,
  isStarted: false,
  isEnded: false,
});

/** @throws GatewayError `upstream_invalid_answer` for a body without choices, or the error in the body. */
export function decodeBody(body: unknown, dialect: Dialect): readonly GenerationEvent[] {
  const state = newState(dialect);
  const answer = asObject<wire.Answer>(body);
  const failure = readReportedFailure(answer, dialect);
  if (failure !== undefined) throw failure;
  const choices = asArray(answer.choices).map((choice) => asObject<wire.Choice>(choice).message);
  if (choices.length === 0 || choices.includes(undefined)) throw upstreamError('upstream_invalid_answer');
  return eventsOf((events) => {
    onChunk(state, answer, events);
    onEnd(state, 'whole', events);
  });
}

export function decodeStream(dialect: Dialect): StreamDecoder {
  const state = newState(dialect);
  return {
    onFrame: (frame) => eventsOf((events) => onFrame(state, frame, events)),
    usageSoFar: () => state.usage?.usage,
    onEnd: () => eventsOf((events) => onEnd(state, 'input', events)),
  };
}

function onFrame(state: State, { event, data }: Frame, events: Events): void {
  if (state.isEnded) return;
  if (data.trim() === '[DONE]') {
    onEnd(state, 'done', events);
    return;
  }
  const parsed = parseJson(data);
  const answer = asObject<wire.Answer>(parsed);
  const chunk = event === 'error' ? { error: {}, ...answer } : answer;
  const failure = readReportedFailure(chunk, state.dialect);
  if (failure !== undefined) throw failure;
  onChunk(state, chunk, events);
}

function onChunk(state: State, chunk: wire.Answer, events: Events): void {
  const choices = asArray(chunk.choices);
  state.usage = readUsage(chunk) ?? state.usage;
  state.serviceTier = readServiceTier(chunk.service_tier) ?? state.serviceTier;
  state.sources = readSources(chunk) ?? state.sources;
  if (isJsonObject(chunk.moderation)) state.moderation = chunk.moderation;
  // A chunk without choices may precede the answer and then has neither model nor fingerprint.
  if (choices.length > 0) onStart(state, chunk, events);
  for (let position = 0; position < choices.length; position += 1)
    onChoice(state, asObject<wire.Choice>(choices[position]), position, events);
}

function onChoice(state: State, source: wire.Choice, position: number, events: Events): void {
  const index = readChoiceIndex(source.index, position);
  const choice = choiceOf(state, index);
  const isWhole = source.delta === undefined;
  const delta = asObject<wire.Delta>(isWhole ? source.message : source.delta);
  onReasoning(choice, delta, events);
  onText(choice, delta, events);
  if (delta.tool_calls !== undefined) onCalls(choice, delta.tool_calls, isWhole, events);

  if (onAnnotations(index, delta, events)) choice.isAnnotated = true;
  onLogprobs(index, source.logprobs, events);
  onFinish(choice, source);
}

function onCalls(choice: Choice, calls: unknown, isWhole: boolean, events: Events): void {
  for (const [position, call] of asArray(calls).entries()) {
    onThoughtEnd(choice, events);
    const given = isWhole ? position : undefined;
    onToolCall(choice.index, choice.calls, asObject<wire.ToolCall>(call), given, events);
  }
}

function choiceOf({ choices, dialect }: State, index: number): Choice {
  const known = choices.get(index);
  if (known) return known;
  const choice = newChoice(index, dialect);
  choices.set(index, choice);
  return choice;
}

function onStart(state: State, chunk: wire.Answer, events: Events): void {
  if (state.isStarted) return;
  state.isStarted = true;
  const fingerprint = readFingerprint(chunk.system_fingerprint);
  events.push({
    type: 'start',
    ...(fingerprint !== undefined && { fingerprint }),
    ...(state.serviceTier !== undefined && { serviceTier: state.serviceTier }),
  });
}

function onUsage({ usage: counted, serviceTier }: State, events: Events): void {
  if (counted === undefined) return;
  events.push({ type: 'usage', ...counted, ...(serviceTier !== undefined && { serviceTier }) });
}

/** `whole`: a complete body. `done`: the end mark of the protocol. `input`: the connection ended. */
function onEnd(state: State, end: 'whole' | 'done' | 'input', events: Events): void {
  if (state.isEnded) return;
  state.isEnded = true;
  const choices = [...state.choices.values()];
  const isCut = (choice: Choice): boolean => (end === 'done' ? choice.reason === undefined : !choice.reason);
  if (choices.length === 0 || (end !== 'whole' && choices.some(isCut))) throw upstreamError('upstream_cut');
  for (const [position, choice] of choices.entries()) {
    onThoughtEnd(choice, events);
    onToolCallsEnd(choice.index, choice.calls, events);
    if (!choice.isAnnotated) onSources(choice.index, state.sources, choice.written, events);
    const { index, stopSequence } = choice;
    const more = {
      ...(stopSequence !== undefined && { stopSequence }),
      ...(state.moderation && position === choices.length - 1 && { moderation: state.moderation }),
    };
    events.push({ type: 'finish', choice: index, ...toFinish(choice), ...more });
  }
  onUsage(state, events);
}
