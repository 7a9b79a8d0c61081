/** One candidate of a Gemini answer: its parts as events, and what must be known of them later. */

import { asArray, asObject } from '../../core/formats/json-object.ts';
import type { FinishReason, GenerationEvent, TokenLogprob } from '../../core/generation/events.ts';
import { geminiFormat } from '../../core/generation/reasoning-format.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { upstreamError } from '../failure.ts';
import { asOptionalText, asText } from '../json.ts';
import { readCitations, readQueries, readSearch } from './grounding.ts';
import { isSearchCall, isStepPart, toDetail } from './steps.ts';
import { type Calls, onToolCall, onToolCallsEnd } from './tool-calls.ts';
import type * as wire from './wire.ts';

export interface Choice {
  readonly index: number;
  readonly calls: Calls;
  /** The message so far, and where the text of each part starts in it: citations count from there. */
  text: string;
  readonly starts: number[];
  grounding: wire.Grounding;
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

/** The functions below append their events to this list. */
type Events = GenerationEvent[];

export function newChoice(index: number): Choice {
  const calls = { ids: [], open: undefined };
  const seen = { signatures: 0, placed: 0, hasSteps: false, isSearching: false };
  return { index, calls, text: '', starts: [], grounding: {}, queries: [], ...seen, reason: undefined };
}

export function onPart(choice: Choice, part: wire.Part, events: Events): void {
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
    onToolCall(choice.index, choice.calls, asObject<wire.FunctionCall>(part.functionCall), signed, events);
    return;
  }
  if (part.thought === true) onReasoning(choice, asText(part.text), events);
  else onText(choice, asText(part.text), events);
  if (signature !== undefined) onSignature(choice, signature, events);
}

/** A step with Google's own tool. A search is shown where it began; what it found is known at the end. */
function onStep(choice: Choice, part: wire.Part, events: Events): void {
  choice.queries.push(...readQueries(asObject<wire.HostedCall>(part.toolCall)));
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

export function onLogprobs(choice: number, result: wire.Logprobs, events: Events): void {
  const top = asArray(result.topCandidates).map((step) =>
    asArray(asObject<wire.TopCandidates>(step).candidates).map(readToken),
  );
  const content = asArray(result.chosenCandidates).map(
    (token, step): TokenLogprob => ({ ...readToken(token), top_logprobs: top[step] ?? [] }),
  );
  if (content.length > 0) events.push({ type: 'logprobs', choice, content, refusal: [] });
}

/** Google returns no bytes. */
function readToken(value: unknown): { token: string; logprob: number; bytes: null } {
  const { token, logProbability } = asObject<wire.TokenLogprob>(value);
  return {
    token: asText(token),
    logprob: typeof logProbability === 'number' ? logProbability : 0,
    bytes: null,
  };
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

/** Google charges for each query and reports them together as one search. */
export function countSearches({ grounding, queries }: Choice): number {
  const search = readSearch(grounding, queries);
  return search ? Math.max(1, asArray(search.queries).length) : 0;
}

/** @throws GatewayError `upstream_failed` */
export function onChoiceEnd(choice: Choice, events: GenerationEvent[]): void {
  const { index, text, grounding, starts } = choice;
  onToolCallsEnd(index, choice.calls, events);
  for (const annotation of readCitations(grounding, text, starts)) {
    events.push({ type: 'annotation', choice: index, annotation });
  }
  onSearch(choice, events);
  const reason = toFinishReason(choice);
  const isUnclear = (reason === 'stop' || reason === 'tool_calls') && choice.reason !== 'STOP';
  events.push({ type: 'finish', choice: index, reason, ...(isUnclear && { isUnclear }) });
}

/** Emitted at the end of an answer, when all of it is known. */
function onSearch({ index, grounding, queries, isSearching }: Choice, events: GenerationEvent[]): void {
  const action = readSearch(grounding, queries) ?? (isSearching ? noFindings : undefined);
  if (action === undefined) return;
  if (!isSearching) events.push({ type: 'web-search', choice: index, search: 0 });
  events.push({ type: 'web-search-end', choice: index, search: 0, status: 'completed', action });
}

const noFindings: JsonObject = { type: 'search', query: '', queries: [], sources: [] };
