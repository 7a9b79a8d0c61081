/** Writes an answer in the Anthropic protocol, as a body or as the events of a stream. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { type Answer, namedEvent, newId, type WebSearch } from '../exchange.ts';
import { objectsOf } from '../json.ts';
import type { CacheCounts } from '../prompt-cache.ts';
import { argumentPieces, piecesOf } from '../script.ts';
import { seal } from '../signature.ts';
import { type CitedPiece, cutAtCitations } from '../web.ts';

interface MessageOptions {
  readonly model: string;
  /** Whether the text of the thinking is shown; its signature always is. */
  readonly showThinking: boolean;
  readonly cache: CacheCounts;
  /** Where the model runs, as the request asks. */
  readonly region: string;
}

/** Claude on Bedrock stops for the same reasons. */
export const stopReasons = {
  stop: 'end_turn',
  'stop-sequence': 'stop_sequence',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
} as const;

export function writeMessage(
  answer: Answer,
  { model, showThinking, cache, region }: MessageOptions,
): JsonObject {
  return {
    ...messageHead(model),
    content: contentOf(answer, showThinking),
    stop_reason: stopReasons[answer.finish],
    stop_sequence: answer.stopSequence ?? null,
    usage: { ...finalUsage(answer, cache), ...servedBy(region) },
  };
}

/** The events of a stream, framing included. */
export function writeMessageStream(
  answer: Answer,
  { model, showThinking, cache, region }: MessageOptions,
): readonly string[] {
  const usage = { ...inputUsage(answer, cache), output_tokens: 1, ...servedBy(region) };
  const message = { ...messageHead(model), content: [], stop_reason: null, stop_sequence: null, usage };
  const delta = { stop_reason: stopReasons[answer.finish], stop_sequence: answer.stopSequence ?? null };
  return [
    event('message_start', { message }),
    event('ping', {}),
    ...contentOf(answer, showThinking).flatMap(blockEvents),
    event('message_delta', { delta, usage: finalUsage(answer, cache) }),
    event('message_stop', {}),
  ];
}

function event(type: string, fields: object): string {
  return namedEvent(type, { type, ...fields });
}

function messageHead(model: string) {
  return { id: newId('msg_'), type: 'message', role: 'assistant', model };
}

function contentOf(answer: Answer, showThinking: boolean): readonly JsonObject[] {
  const thinking = showThinking ? answer.reasoning : '';
  return [
    ...(answer.reasoning ? [{ type: 'thinking', thinking, signature: seal(thinking) }] : []),
    ...(answer.search ? searchBlocks(answer.search) : []),
    ...cutAtCitations(answer).map(textBlock),
    ...answer.calls.map(({ id, name, arguments: input }) => ({
      type: 'tool_use',
      id: `toolu_${id}`,
      name,
      input,
    })),
  ];
}

function searchBlocks({ query, sources }: WebSearch): readonly JsonObject[] {
  const id = newId('srvtoolu_');
  const content = sources.map(({ url, title }) => ({
    type: 'web_search_result',
    title,
    url,
    encrypted_content: seal(url),
    page_age: null,
  }));
  return [
    { type: 'server_tool_use', id, name: 'web_search', input: { query } },
    { type: 'web_search_tool_result', tool_use_id: id, content },
  ];
}

function textBlock({ text, source }: CitedPiece): JsonObject {
  if (!source) return { type: 'text', text };
  const { url, title, snippet } = source;
  const citation = {
    type: 'web_search_result_location',
    cited_text: snippet,
    url,
    title,
    encrypted_index: seal(snippet),
  };
  return { citations: [citation], type: 'text', text };
}

function blockEvents(block: JsonObject, index: number): readonly string[] {
  const { start, deltas } = takeApart(block);
  return [
    event('content_block_start', { index, content_block: start }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ];
}

function takeApart(block: JsonObject): { start: object; deltas: readonly object[] } {
  if (block.type === 'text') {
    const deltas = piecesOf(String(block.text)).map((text) => ({ type: 'text_delta', text }));
    const citations = objectsOf(block.citations).map((citation) => ({ type: 'citations_delta', citation }));
    // A citation comes before the text that it belongs to.
    const start = { ...(citations.length > 0 && { citations: [] }), type: 'text', text: '' };
    return { start, deltas: [...citations, ...deltas] };
  }
  if (block.type === 'web_search_tool_result') return { start: block, deltas: [] };
  if (block.type === 'thinking') {
    const pieces = piecesOf(String(block.thinking));
    const signature = { type: 'signature_delta', signature: block.signature };
    return {
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [...pieces.map((thinking) => ({ type: 'thinking_delta', thinking })), signature],
    };
  }
  return { start: { ...block, input: {} }, deltas: inputDeltas(block.input) };
}

/** An empty input comes as one empty piece, as the provider sends it. */
function inputDeltas(input: unknown): readonly object[] {
  const isEmpty = JSON.stringify(input) === '{}';
  return ['', ...(isEmpty ? [] : argumentPieces(input))].map((partial_json) => ({
    type: 'input_json_delta',
    partial_json,
  }));
}

/** Source: `usage` of the Messages API. */
function servedBy(region: string) {
  return { service_tier: 'standard', speed: 'standard', inference_geo: region };
}

/** What was read from the cache or written to it is not counted among the input. */
function inputUsage({ usage }: Answer, { read, write, writeHour }: CacheCounts) {
  return {
    input_tokens: Math.max(1, usage.input - read - write),
    cache_creation_input_tokens: write,
    cache_read_input_tokens: read,
    cache_creation: { ephemeral_5m_input_tokens: write - writeHour, ephemeral_1h_input_tokens: writeHour },
  };
}

function finalUsage(answer: Answer, cache: CacheCounts) {
  const { usage, search } = answer;
  return {
    ...inputUsage(answer, cache),
    output_tokens: usage.output + usage.reasoning,
    output_tokens_details: { thinking_tokens: usage.reasoning },
    ...(search && { server_tool_use: { web_search_requests: 1, web_fetch_requests: 0 } }),
  };
}
