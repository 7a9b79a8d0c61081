/** The end of a candidate of a Gemini answer: why it ended, what it cites, and the searches that it was grounded in. */

import { asArray } from '../../core/formats/json-object.ts';
import type { FinishReason, GenerationEvent } from '../../core/generation/events.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { upstreamError } from '../failure.ts';
import type { Choice } from './choice.ts';
import { readCitations, readSearch } from './grounding.ts';
import { onToolCallsEnd } from './tool-calls.ts';

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
  events.push({ type: 'finish', choice: index, reason: toFinishReason(choice) });
}

/** Emitted at the end of an answer, when all of it is known. */
function onSearch({ index, grounding, queries, isSearching }: Choice, events: GenerationEvent[]): void {
  const action = readSearch(grounding, queries) ?? (isSearching ? noFindings : undefined);
  if (action === undefined) return;
  if (!isSearching) events.push({ type: 'web-search', choice: index, search: 0 });
  events.push({ type: 'web-search-end', choice: index, search: 0, status: 'completed', action });
}

const noFindings: JsonObject = { type: 'search', query: '', queries: [], sources: [] };
