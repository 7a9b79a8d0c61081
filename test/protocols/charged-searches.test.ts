/** The searches and calls of tools that an answer is charged for: as reported by upstream, else as seen in the answer. */
import { describe, expect, test } from 'vitest';
import type { GenerationEvent } from '../../lib/core/generation/events.ts';
import { countSeen, withToolUse } from '../../lib/pipeline/use/seen-use.ts';
import { anthropicMessages } from '../../lib/protocols/anthropic-messages/protocol.ts';
import { googleGenerateContent } from '../../lib/protocols/google-generate-content/protocol.ts';
import { createOpenaiResponses } from '../../lib/protocols/openai-responses/protocol.ts';
import { newRequest, user } from './requests.ts';

const item = (action: object) => ({ type: 'web_search_call', id: 'ws_1', status: 'completed', action });
const message = { type: 'message', content: [{ type: 'output_text', text: 'At nine.' }] };

const gemini = (groundingMetadata: object) =>
  googleGenerateContent.decodeBody({
    candidates: [{ content: { parts: [{ text: 'At nine.' }] }, finishReason: 'STOP', groundingMetadata }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1 },
  });

const claude = (usage: object) =>
  anthropicMessages.decodeBody({
    content: [
      { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'now' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 'srv_1',
        content: { type: 'web_search_tool_result_error', error_code: 'unavailable' },
      },
      { type: 'text', text: 'At nine.' },
    ],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1, ...usage },
  });

const responses = (actions: readonly object[], usage: object = {}) =>
  createOpenaiResponses({ reasoningFormat: 'openai-responses-v1' }).decodeBody({
    status: 'completed',
    output: [...actions.map(item), message],
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2, ...usage },
  });

const search = { type: 'search', query: 'opening hours' };
const page = { type: 'open_page', url: 'https://a.example/' };

test.each<[string, readonly GenerationEvent[], number | undefined]>([
  ['Gemini: each query', gemini({ webSearchQueries: ['opening hours', 'now'] }), 2],
  ['Gemini: at least one', gemini({ groundingChunks: [{ web: { uri: 'https://a.example/' } }] }), 1],
  ['Gemini: none', gemini({}), undefined],
  ['Claude: as reported', claude({ server_tool_use: { web_search_requests: 2 } }), 2],
  ['OpenAI: each search, but no opened page', responses([search, page, search]), 2],
  ['OpenAI: none', responses([]), undefined],
  ['xAI: as reported', responses([search, page], { num_server_side_tools_used: 2 }), 2],
])('%s', (_, events, expected) => {
  const seen = countSeen(newRequest([user('Hi')]));
  for (const event of events) seen.add(event);
  const counted = events.find((event) => event.type === 'usage')?.usage;
  if (!counted) throw new Error('nothing was counted');
  expect(withToolUse(counted, seen.toolUse()).webSearches).toBe(expected);
});

describe('calls of other tools', () => {
  const tools = (request: object, ...items: readonly object[]) => {
    const seen = countSeen({ ...newRequest([user('Hi')]), ...request });
    for (const [index, body] of items.entries()) {
      seen.add({ type: 'protocol-item', choice: 0, item: index, body: { ...body } });
    }
    return withToolUse(noTokens, seen.toolUse()).hostedCalls;
  };
  const code = (container_id?: string) => ({ type: 'code_interpreter_call', container_id });
  const declared = (memory_limit: string) => ({
    hostedTools: [{ tool: { type: 'code_interpreter', container: { type: 'auto', memory_limit } } }],
  });
  const noTokens = {
    promptTokens: 1,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    completionTokens: 1,
    reasoningTokens: 0,
  };

  test.each<[string, object | undefined, object | undefined]>([
    [
      'each search in files',
      tools({}, { type: 'file_search_call' }, { type: 'file_search_call' }),
      { file_search: 2 },
    ],
    ['code, by its container', tools({}, code('one'), code('one'), code('two')), { code_interpreter: 2 }],
    ['code in no known container', tools({}, code(), code()), { code_interpreter: 2 }],
    ['code in a larger container', tools(declared('16g'), code('one')), { code_interpreter_16g: 1 }],
    ['code in the smallest container', tools(declared('1g'), code('one')), { code_interpreter: 1 }],
    ["a server of the caller's is not charged for", tools({}, { type: 'mcp_call' }), undefined],
  ])('%s', (_, counted, expected) => {
    expect(counted).toEqual(expected);
  });

  test('that usage counts too are the same calls', () => {
    const both = { ...noTokens, hostedCalls: { code_interpreter: 3, x_search: 1 } };
    const seen = { webSearches: 0, hostedCalls: { code_interpreter: 2, file_search: 1 } };
    expect(withToolUse(both, seen).hostedCalls).toEqual({ code_interpreter: 3, x_search: 1, file_search: 1 });
  });
});
