/** Requests of coding agents: the format of Codex, which does not store its responses. */
import { expect, test } from 'vitest';
import { encodeReasoning } from '../../../lib/operations/responses/write/encrypted-content.ts';
import { converse, read } from './reading.ts';

const detail = {
  type: 'reasoning.encrypted',
  data: 'abc',
  format: 'openai-responses-v1',
  index: 0,
  id: 'rs_1',
} as const;

const body = {
  instructions: 'You are a coding agent.',
  input: [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Sandbox: read-only.' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'List the files.' }] },
    { type: 'reasoning', summary: [], content: null, encrypted_content: encodeReasoning([detail]) },
    {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'I will look.' }],
      phase: 'commentary',
    },
    { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'call_1' },
    { type: 'function_call_output', call_id: 'call_1', output: 'a.ts' },
    { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'ls' } },
  ],
  tools: [
    { type: 'function', name: 'shell', description: 'Runs.', strict: false, parameters: { type: 'object' } },
    { type: 'web_search', external_web_access: true },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: true,
  reasoning: { effort: 'medium', summary: 'auto' },
  store: false,
  stream: true,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: '0192',
  text: { verbosity: 'medium' },
  client_metadata: { installation: '1' },
};

test('a request of Codex is read completely', () => {
  expect(read(body)).toMatchObject({
    store: false,
    include: ['reasoning.encrypted_content'],
    request: { stream: true },
  });
  expect(converse(body).messages).toMatchObject([
    { role: 'system' },
    { role: 'system' },
    { role: 'user' },
    {
      role: 'assistant',
      reasoningDetails: [{ ...detail, position: 0 }],
      content: [{ text: 'I will look.', phase: 'commentary', position: 1 }],
      toolCalls: [{ id: 'call_1', position: 2 }],
    },
    { role: 'tool', toolCallId: 'call_1' },
    { role: 'assistant', webSearches: [{ action: { query: 'ls' } }] },
  ]);
});
