/**
 * Reads answers of the OpenAI chat wire, whole or streamed, into events. It is a tolerant reader: about fifteen hosts
 * speak this wire, each a little differently. What an error means is in `failure.ts`.
 */
import type { FinishReason, GenerationEvent, TokenLogprob } from '../../core/events.ts';
import type { JsonObject } from '../../core/generation.ts';
import type { Frame, StreamDecoder } from '../../core/protocol.ts';
import type { Usage } from '../../core/usage.ts';
import { upstreamError } from '../failure.ts';
import { asArray, asObject, asOptionalText, asText, parseJson } from '../json.ts';
import { readReportedFailure } from './failure.ts';
import { addDetails, type Details, onDetailsEnd } from './reasoning-details.ts';
import { type Calls, onToolCall, onToolCallsEnd } from './tool-calls.ts';
import { readUsage } from './usage.ts';

interface Choice {
  readonly index: number;
  readonly calls: Calls;
  readonly details: Details;
  /** The wire's own reason; an empty one ends a choice only together with the stream's own end. */
  reason: string | undefined;
}

interface State {
  readonly choices: Map<number, Choice>;
  usage: Usage | undefined;
  isStarted: boolean;
  isEnded: boolean;
}

type Events = Generator<GenerationEvent>;

const newState = (): State => ({ choices: new Map(), usage: undefined, isStarted: false, isEnded: false });

/** Throws GatewayError: `upstream_invalid_answer` for a body without choices, or the error that the body reports. */
export function decodeBody(body: unknown): readonly GenerationEvent[] {
  const state = newState();
  const answer = asObject(body);
  const failure = readReportedFailure(answer);
  if (failure !== undefined) throw failure;
  const choices = asArray(answer.choices).map((choice) => asObject(choice).message);
  if (choices.length === 0 || choices.includes(undefined)) throw upstreamError('upstream_invalid_answer');
  return [...onChunk(state, answer), ...onEnd(state, 'whole')];
}

export function decodeStream(): StreamDecoder {
  const state = newState();
  return {
    onFrame: (frame) => [...onFrame(state, frame)],
    onEnd: () => [...onEnd(state, 'input')],
  };
}

function* onFrame(state: State, { event, data }: Frame): Events {
  if (state.isEnded) return;
  if (data.trim() === '[DONE]') {
    yield* onEnd(state, 'done');
    return;
  }
  const parsed = parseJson(data);
  const chunk = event === 'error' ? { error: {}, ...asObject(parsed) } : asObject(parsed);
  const failure = readReportedFailure(chunk);
  if (failure !== undefined) throw failure;
  yield* onChunk(state, chunk);
}

function* onChunk(state: State, chunk: JsonObject): Events {
  const choices = asArray(chunk.choices).map(asObject);
  state.usage = readUsage(chunk) ?? state.usage;
  // A chunk without choices may come before the answer and then knows neither model nor fingerprint.
  if (choices.length > 0) yield* onStart(state, chunk);
  for (const [position, choice] of choices.entries()) yield* onChoice(state, choice, position);
}

function* onChoice(state: State, source: JsonObject, position: number): Events {
  const index = typeof source.index === 'number' ? source.index : position;
  const choice = state.choices.get(index) ?? {
    index,
    calls: [],
    details: { drafts: [], told: 0 },
    reason: undefined,
  };
  state.choices.set(index, choice);
  const isWhole = source.delta === undefined;
  const delta = asObject(isWhole ? source.message : source.delta);
  yield* onReasoning(choice, delta);
  yield* onText(choice, delta);
  for (const [place, call] of asArray(delta.tool_calls).entries()) {
    yield* onDetailsEnd(index, choice.details);
    yield* onToolCall(index, choice.calls, asObject(call), isWhole ? place : undefined);
  }
  yield* onAnnotations(index, delta);
  yield* onLogprobs(index, asObject(source.logprobs));
  onFinish(choice, source.finish_reason);
}

function* onStart(state: State, chunk: JsonObject): Events {
  if (state.isStarted) return;
  state.isStarted = true;
  const fingerprint = asOptionalText(chunk.system_fingerprint);
  const serviceTier = asOptionalText(chunk.service_tier);
  yield {
    type: 'start',
    ...(fingerprint !== undefined && { fingerprint }),
    ...(serviceTier !== undefined && { serviceTier }),
  };
}

function* onText(choice: Choice, { content, refusal }: JsonObject): Events {
  const parts = Array.isArray(content) ? content.map(asObject) : [{ type: 'text', text: content }];
  for (const part of parts) {
    if (part.type === 'thinking') yield* onReasoningText(choice, readThinking(part.thinking));
    const text = part.type === 'text' ? asText(part.text) : '';
    if (text === '') continue;
    yield* onDetailsEnd(choice.index, choice.details);
    yield { type: 'text', choice: choice.index, text };
  }
  const refused = asText(refusal);
  if (refused !== '') yield { type: 'refusal', choice: choice.index, text: refused };
}

function* onReasoning(choice: Choice, delta: JsonObject): Events {
  const detailed = addDetails(choice.details, delta.reasoning_details);
  // A host that tells its reasoning in two places tells the same.
  yield* onReasoningText(choice, asText(delta.reasoning_content) || asText(delta.reasoning) || detailed);
}

function* onReasoningText({ index }: Choice, text: string): Events {
  if (text !== '') yield { type: 'reasoning', choice: index, text };
}

/** Mistral: a list of texts. */
function readThinking(thinking: unknown): string {
  if (typeof thinking === 'string') return thinking;
  return asArray(thinking)
    .map((part) => asText(asObject(part).text))
    .join('');
}

function* onAnnotations(choice: number, delta: JsonObject): Events {
  for (const annotation of asArray(delta.annotations)) {
    const citation = asObject(asObject(annotation).url_citation);
    const url = asOptionalText(citation.url);
    if (url === undefined) continue;
    const [start, end] = [citation.start_index, citation.end_index].map((at) =>
      typeof at === 'number' ? at : 0,
    );
    const found = { url, title: asText(citation.title), start_index: start ?? 0, end_index: end ?? 0 };
    yield { type: 'annotation', choice, annotation: { type: 'url_citation', url_citation: found } };
  }
}

function* onLogprobs(choice: number, source: JsonObject): Events {
  const content = asArray(source.content).map(readLogprob);
  const refusal = asArray(source.refusal).map(readLogprob);
  if (content.length + refusal.length > 0) yield { type: 'logprobs', choice, content, refusal };
}

function readLogprob(value: unknown): TokenLogprob {
  const top = asArray(asObject(value).top_logprobs).map(readToken);
  return { ...readToken(value), top_logprobs: top };
}

function readToken(value: unknown): { token: string; logprob: number; bytes: readonly number[] | null } {
  const { token, logprob, bytes } = asObject(value);
  return {
    token: asText(token),
    logprob: typeof logprob === 'number' ? logprob : 0,
    bytes: Array.isArray(bytes) ? bytes.filter((byte) => typeof byte === 'number') : null,
  };
}

const failedReasons = ['error', 'insufficient_system_resource', 'network_error'];

/** Keeps the reason until the end: hosts repeat it, and send more content, usage or an error after it. */
function onFinish(choice: Choice, reason: unknown): void {
  if (typeof reason !== 'string') return;
  if (failedReasons.includes(reason)) throw upstreamError('upstream_failed');
  choice.reason = choice.reason || reason;
}

const finishReasons: Readonly<Record<string, FinishReason>> = {
  length: 'length',
  model_length: 'length',
  max_tokens: 'length',
  content_filter: 'content_filter',
  sensitive: 'content_filter',
};

/** Any other reason is a plain stop; whether that stop means calls is told by the calls themselves. */
function toFinishReason({ reason = '', calls }: Choice): FinishReason {
  const known = Object.hasOwn(finishReasons, reason) ? finishReasons[reason] : undefined;
  return known ?? (calls.length > 0 ? 'tool_calls' : 'stop');
}

function* onUsage({ usage }: State): Events {
  if (usage !== undefined) yield { type: 'usage', usage };
}

/** `whole`: a body, complete as it is. `done`: the wire's own end mark. `input`: the connection ended. */
function* onEnd(state: State, end: 'whole' | 'done' | 'input'): Events {
  if (state.isEnded) return;
  state.isEnded = true;
  const choices = [...state.choices.values()];
  const isCut = (choice: Choice): boolean => (end === 'done' ? choice.reason === undefined : !choice.reason);
  if (choices.length === 0 || (end !== 'whole' && choices.some(isCut))) throw upstreamError('upstream_cut');
  for (const choice of choices) {
    yield* onDetailsEnd(choice.index, choice.details);
    yield* onToolCallsEnd(choice.index, choice.calls);
    yield { type: 'finish', choice: choice.index, reason: toFinishReason(choice) };
  }
  yield* onUsage(state);
}
