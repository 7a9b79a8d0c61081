/** A response as the gateway keeps it. */
import type { StoredResponse } from '../../../lib/core/stored-response.ts';

export const message = (id: string, text: string) => ({
  type: 'message',
  id,
  status: 'completed',
  role: 'user',
  content: [{ type: 'input_text', text }],
});

const search = (id: string) => ({
  type: 'web_search_call',
  id,
  status: 'completed',
  action: { type: 'search', query: 'weather', sources: [{ type: 'url', url: 'https://example.org/' }] },
});

const reasoning = (id: string) => ({
  type: 'reasoning',
  id,
  summary: [{ type: 'summary_text', text: 'Thinking.' }],
  encrypted_content: 'encoded',
});

const answer = (id: string) => ({
  type: 'message',
  id,
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Sunny.', annotations: [], logprobs: [] }],
});

const call = { call_id: 'call_1', status: 'completed' };

/** One with reasoning, a search and a call, in its input as in its output. */
export function sampleResponse(id: string): StoredResponse {
  return {
    response: {
      id,
      object: 'response',
      created_at: 1_790_000_000,
      completed_at: 1_790_000_001,
      service_tier: 'default',
      status: 'completed',
      background: false,
      error: null,
      incomplete_details: null,
      instructions: null,
      max_output_tokens: null,
      metadata: { topic: 'weather' },
      model: 'openai/gpt-4.1',
      output: [reasoning('rs_2'), search('ws_2'), answer('msg_9')],
      parallel_tool_calls: true,
      temperature: 1,
      tool_choice: 'auto',
      tools: [],
      top_p: 1,
      truncation: 'disabled',
      usage: {
        input_tokens: 1,
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        output_tokens: 1,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 2,
      },
    },
    input: [
      message('msg_1', 'How is the weather?'),
      reasoning('rs_1'),
      search('ws_1'),
      { type: 'function_call', id: 'fc_1', name: 'weather', arguments: '{}', ...call },
      { type: 'function_call_output', id: 'fco_1', output: 'sunny', ...call },
      answer('msg_2'),
      message('msg_3', 'Say it again.'),
    ],
  };
}
