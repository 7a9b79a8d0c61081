/**
 * Converts answers of the Gemini API, streamed or not, to events. Each frame of a stream is an answer with only its new
 * parts, so both use the same functions. Errors are in `failure.ts`.
 */
import {
  eventsOf,
  type FinishReason,
  type GenerationEvent,
  type TokenLogprob,
} from '../../core/generation/events.ts';
import type { StreamDecoder } from '../../core/generation/protocol.ts';
import { geminiFormat } from '../../core/generation/reasoning-format.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { addCalls, hostedCallsOf } from '../../core/generation/tool-counts.ts';
import type { Counted } from '../../core/generation/usage.ts';
import { parseJson } from '../../core/parse-json.ts';
import { upstreamError } from '../failure.ts';
import { asArray, asIndex, asObject, asOptionalText, asText } from '../json.ts';
import { readReportedFailure } from './failure.ts';
import { readCitations, readHostedCalls, readQueries, readSearch } from './grounding.ts';
import { isSearchCall, isStepPart, toDetail } from './steps.ts';
import { type Calls, onToolCall, onToolCallsEnd } from './tool-calls.ts';
import { readTier, readUsage } from './usage.ts';

interface Choice {
  readonly index: number;
  readonly calls: Calls;
  /** The message so far, and where the text of each part starts in it: citations count from there. */
  text: string;
  readonly starts: number[];
  grounding: JsonObject;
  /** The search queries reported so far. */
  readonly queries: string[];
  /** Signatures emitted so far, those of calls included. */
  signatures: number;
  /** Signatures of texts, and steps of Google's own tools, emitted so far. */
  placed: number;
  hasSteps: boolean;
  /** Whether a search was announced, which ends with the answer. */
  isSearching: boolean;
  /** The finish reason of the protocol. */
  reason: string | undefined;
}

interface State {
  readonly choices: Map<number, Choice>;
  usage: Counted | undefined;
  serviceTier: string | undefined;
  /** Google blocked the prompt: then there are no candidates. */
  isBlocked: boolean;
  isStarted: boolean;
}

/** The functions below append their events to this list. */
type Events = GenerationEvent[];

const newState = (): State => ({
  choices: new Map(),
  usage: undefined,
  serviceTier: undefined,
  isBlocked: false,
  isStarted: false,
});

/** @throws GatewayError `upstream_invalid_answer` for a body without candidates, or the error in the body. */
export function decodeBody(body: unknown): readonly GenerationEvent[] {
  const state = newState();
  const answer = asObject(body);
  return eventsOf((events) => {
    onAnswer(state, answer, events);
    if (state.choices.size === 0 && !state.isBlocked) throw upstreamError('upstream_invalid_answer');
    onEnd(state, events);
  });
}

export function decodeStream(): StreamDecoder {
  const state = newState();
  return {
    onFrame: ({ data }) => eventsOf((events) => onAnswer(state, asObject(parseJson(data)), events)),
    usageSoFar: () => state.usage?.usage,
    onEnd: () => eventsOf((events) => onEnd(state, events)),
  };
}

function onAnswer(state: State, answer: JsonObject, events: Events): void {
  const failure = readReportedFailure(answer);
  if (failure !== undefined) throw failure;
  const candidates = asArray(answer.candidates);
  state.usage = onCount(answer.usageMetadata) ?? state.usage;
  state.serviceTier = readTier(answer.usageMetadata) ?? state.serviceTier;
  state.isBlocked ||= asOptionalText(asObject(answer.promptFeedback).blockReason) !== undefined;
  if (candidates.length > 0 || state.isBlocked) onStart(state, events);
  for (const [position, candidate] of candidates.entries()) {
    onCandidate(state, asObject(candidate), position, events);
  }
}

function onCandidate(state: State, candidate: JsonObject, position: number, events: Events): void {
  const index = asIndex(candidate.index, position);
  const choice = state.choices.get(index) ?? newChoice(index);
  state.choices.set(index, choice);
  for (const part of asArray(asObject(candidate.content).parts)) onPart(choice, asObject(part), events);
  onLogprobs(index, asObject(candidate.logprobsResult), events);
  choice.grounding = { ...choice.grounding, ...asObject(candidate.groundingMetadata) };
  onFinish(choice, candidate.finishReason);
}

function newChoice(index: number): Choice {
  const calls = { ids: [], open: undefined };
  const seen = { signatures: 0, placed: 0, hasSteps: false, isSearching: false };
  return { index, calls, text: '', starts: [], grounding: {}, queries: [], ...seen, reason: undefined };
}

function onPart(choice: Choice, part: JsonObject, events: Events): void {
  const signature = asOptionalText(part.thoughtSignature);
  choice.starts.push(choice.text.length);
  if (isStepPart(part)) {
    onStep(choice, part, events);
    return;
  }
  if (part.functionCall !== undefined) {
    const signed = (id: string) => {
      if (signature !== undefined) onSignature(choice, signature, events, id);
    };
    onToolCall(choice.index, choice.calls, asObject(part.functionCall), signed, events);
    return;
  }
  if (part.thought === true) onReasoning(choice, asText(part.text), events);
  else onText(choice, asText(part.text), events);
  if (signature !== undefined) onSignature(choice, signature, events);
}

/** A step with Google's own tool. A search is shown where it began; what it found is known at the end. */
function onStep(choice: Choice, part: JsonObject, events: Events): void {
  choice.queries.push(...readQueries(asObject(part.toolCall)));
  if (isSearchCall(part) && !choice.isSearching) {
    choice.isSearching = true;
    events.push({ type: 'web-search', choice: choice.index, search: 0 });
  }
  events.push({ type: 'reasoning-detail', choice: choice.index, detail: toDetail(part, placeOf(choice)) });
  choice.placed += 1;
  choice.hasSteps = true;
}

/** The place of a detail among the pieces that the caller sends back, where all texts are one piece. */
function placeOf({ placed, calls, text }: Choice): number {
  return placed + calls.ids.length + (text === '' ? 0 : 1);
}

function onStart(state: State, events: Events): void {
  if (state.isStarted) return;
  state.isStarted = true;
  const { serviceTier } = state;
  events.push({ type: 'start', ...(serviceTier !== undefined && { serviceTier }) });
}

function onText(choice: Choice, text: string, events: Events): void {
  if (text === '') return;
  choice.text += text;
  events.push({ type: 'text', choice: choice.index, text });
}

function onReasoning({ index }: Choice, text: string, events: Events): void {
  if (text !== '') events.push({ type: 'reasoning', choice: index, text });
}

/** An opaque value that must be sent back on the same part: the call with this id, or a text. */
function onSignature(choice: Choice, data: string, events: Events, id?: string): void {
  const index = choice.hasSteps ? placeOf(choice) : choice.signatures;
  choice.signatures += 1;
  if (id === undefined) choice.placed += 1;
  const detail = { type: 'reasoning.encrypted' as const, data, format: geminiFormat, index };
  events.push({
    type: 'reasoning-detail',
    choice: choice.index,
    detail: { ...detail, ...(id !== undefined && { id }) },
  });
}

function onLogprobs(choice: number, result: JsonObject, events: Events): void {
  const top = asArray(result.topCandidates).map((step) => asArray(asObject(step).candidates).map(readToken));
  const content = asArray(result.chosenCandidates).map(
    (token, step): TokenLogprob => ({ ...readToken(token), top_logprobs: top[step] ?? [] }),
  );
  if (content.length > 0) events.push({ type: 'logprobs', choice, content, refusal: [] });
}

/** Google returns no bytes. */
function readToken(value: unknown): { token: string; logprob: number; bytes: null } {
  const { token, logProbability } = asObject(value);
  return {
    token: asText(token),
    logprob: typeof logProbability === 'number' ? logProbability : 0,
    bytes: null,
  };
}

function onFinish(choice: Choice, reason: unknown): void {
  choice.reason = asOptionalText(reason) ?? choice.reason;
}

/** Why an answer was blocked. */
export const filtered: readonly string[] = [
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'LANGUAGE',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
  'MODEL_ARMOR',
];

/** @throws GatewayError `upstream_failed` if the model stopped for a reason of its own without any output. */
function toFinishReason({ reason = 'STOP', text, calls }: Choice): FinishReason {
  if (reason === 'MAX_TOKENS') return 'length';
  if (filtered.includes(reason)) return 'content_filter';
  if (calls.ids.length > 0) return 'tool_calls';
  if (text === '' && reason !== 'STOP' && reason !== 'FINISH_REASON_UNSPECIFIED') {
    throw upstreamError('upstream_failed');
  }
  return 'stop';
}

function onCount(metadata: unknown): Counted | undefined {
  const usage = readUsage(metadata);
  return usage && { usage, raw: asObject(metadata) };
}

function onUsage({ usage: counted, serviceTier, choices }: State, events: Events): void {
  if (counted === undefined) return;
  const webSearches = [...choices.values()].reduce((sum, choice) => sum + countSearches(choice), 0);
  const hosted = {};
  for (const { grounding } of choices.values()) {
    for (const tool of readHostedCalls(grounding)) addCalls(hosted, tool);
  }
  const usage = {
    ...counted.usage,
    ...(webSearches > 0 && { webSearches }),
    ...hostedCallsOf(hosted),
  };
  events.push({ type: 'usage', ...counted, usage, ...(serviceTier !== undefined && { serviceTier }) });
}

/** Google charges for each query and reports them together as one search. */
function countSearches({ grounding, queries }: Choice): number {
  const search = readSearch(grounding, queries);
  return search ? Math.max(1, asArray(search.queries).length) : 0;
}

/** The protocol has no end mark. A candidate without a reason has not ended. */
function onEnd(state: State, events: Events): void {
  if (state.isBlocked) onBlocked(state.choices);
  const choices = [...state.choices.values()];
  const isCut = choices.some(({ reason }) => reason === undefined);
  if (choices.length === 0 || isCut) throw upstreamError('upstream_cut');
  for (const choice of choices) onChoiceEnd(choice, events);
  onUsage(state, events);
}

/** A blocked prompt usually has no candidates. Choices that have not ended then end with `content_filter`. */
function onBlocked(choices: Map<number, Choice>): void {
  if (choices.size === 0) choices.set(0, newChoice(0));
  for (const choice of choices.values()) choice.reason ??= 'SAFETY';
}

function onChoiceEnd(choice: Choice, events: Events): void {
  const { index, text, grounding, starts } = choice;
  onToolCallsEnd(index, choice.calls, events);
  for (const annotation of readCitations(grounding, text, starts)) {
    events.push({ type: 'annotation', choice: index, annotation });
  }
  onSearch(choice, events);
  events.push({ type: 'finish', choice: index, reason: toFinishReason(choice) });
}

/** Emitted at the end of an answer, when all of it is known. */
function onSearch({ index, grounding, queries, isSearching }: Choice, events: Events): void {
  const action = readSearch(grounding, queries) ?? (isSearching ? noFindings : undefined);
  if (action === undefined) return;
  if (!isSearching) events.push({ type: 'web-search', choice: index, search: 0 });
  events.push({ type: 'web-search-end', choice: index, search: 0, status: 'completed', action });
}

const noFindings: JsonObject = { type: 'search', query: '', queries: [], sources: [] };
