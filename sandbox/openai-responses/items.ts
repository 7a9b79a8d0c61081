/** The output of a response, item by item, as it is when the response is done. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import type { Answer, Citation, SandboxCall, WebSearch } from '../exchange.ts';
import { logprobsOf } from '../openai/write.ts';
import { encrypt, type ResponseIds } from './ids.ts';

export interface ItemOptions {
  readonly ids: ResponseIds;
  /** Who makes it: encrypted content opens for no other. */
  readonly account: string;
  /** How reasoning is summed up; undefined: not at all. */
  readonly summary: string | undefined;
  readonly encrypts: boolean;
  /** Whether a search lists all its results. */
  readonly sources: boolean;
  /** Whether each token comes with its probability, and beside how many others. */
  readonly logprobs: { readonly top: number } | undefined;
  /** Whether messages say what they are. */
  readonly phases: boolean;
  readonly plainSearch: boolean;
}

export function writeItems(answer: Answer, options: ItemOptions): readonly JsonObject[] {
  const { reasoning, search, text, calls } = answer;
  const items: JsonObject[] = [];
  if (reasoning !== '') items.push(reasoningItem(reasoning, options));
  if (search && options.phases) items.push(announcement(options, items.length));
  if (search) items.push(searchItem(search, options, items.length));
  if (text !== '') items.push(messageItem(answer, options, items.length));
  for (const call of calls) items.push(callItem(call, options, items.length));
  return items;
}

function callItem(call: SandboxCall, { ids }: ItemOptions, index: number): JsonObject {
  const { id, name, namespace, arguments: input } = call;
  const called = { call_id: `call_${id}`, name, ...(namespace !== undefined && { namespace }) };
  const isCustom = typeof input === 'string';
  return {
    id: ids.item(isCustom ? 'ctc' : 'fc', index),
    type: isCustom ? 'custom_tool_call' : 'function_call',
    status: 'completed',
    ...(isCustom ? { input } : { arguments: JSON.stringify(input) }),
    ...called,
  };
}

function reasoningItem(text: string, { ids, account, encrypts, summary }: ItemOptions): JsonObject {
  return {
    id: ids.reasoning,
    type: 'reasoning',
    ...(encrypts && { encrypted_content: encrypt(account, ids.reasoning) }),
    summary: summaryOf(text, summary),
  };
}

/** A detailed summary has a part of its own for what is quoted. */
function summaryOf(text: string, summary: string | undefined): readonly object[] {
  if (summary === undefined) return [];
  const parts = summary === 'detailed' ? text.split(/(?<=: )/) : [text];
  return parts.map((part) => ({ type: 'summary_text', text: part }));
}

/** What the newest models say before they set to work. */
function announcement({ ids }: ItemOptions, index: number): JsonObject {
  return {
    id: ids.item('msg', index),
    type: 'message',
    status: 'completed',
    content: [{ type: 'output_text', annotations: [], logprobs: [], text: 'Let me look that up.' }],
    phase: 'commentary',
    role: 'assistant',
  };
}

function searchItem(
  search: WebSearch,
  { ids, plainSearch, sources }: ItemOptions,
  index: number,
): JsonObject {
  const { query } = search;
  const head = { type: 'web_search_call', status: 'completed' };
  if (plainSearch) {
    const text = JSON.stringify({ query, num_results: search.sources.length });
    return { arguments: text, call_id: '', name: 'web_search', ...head, id: ids.item('fc', index) };
  }
  const found = search.sources.map(({ url }) => ({ type: 'url', url }));
  const action = { type: 'search', query, queries: [query], ...(sources && { sources: found }) };
  return { id: ids.item('ws', index), ...head, action };
}

function messageItem(answer: Answer, options: ItemOptions, index: number): JsonObject {
  const part = {
    type: 'output_text',
    annotations: answer.citations.map((citation) => annotationOf(citation, options.plainSearch)),
    logprobs: options.logprobs ? logprobsOf(answer.text, options.logprobs.top) : [],
    text: answer.text,
  };
  return {
    id: options.ids.item('msg', index),
    type: 'message',
    status: answer.finish === 'length' ? 'incomplete' : 'completed',
    content: [part],
    ...(options.phases && { phase: 'final_answer' }),
    role: 'assistant',
  };
}

function annotationOf({ start, end, source: { url, title } }: Citation, plain: boolean): JsonObject {
  if (plain) return { type: 'url_citation', url };
  return { type: 'url_citation', end_index: end, start_index: start, title, url };
}
