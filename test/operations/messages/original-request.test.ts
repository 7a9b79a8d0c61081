/** What a target that speaks the Messages API gets of a caller of it: the caller's own body. */
import { describe, expect, test } from 'vitest';
import { useOriginalLane } from '../../harness/original-lane.ts';

const lane = useOriginalLane();

const cache_control = { type: 'ephemeral', ttl: '1h', scope: 'global' };

const body = {
  max_tokens: 100,
  system: [
    { type: 'text', text: 'x-billing: first' },
    { type: 'text', text: ' Be brief. ', cache_control },
  ],
  messages: [
    { role: 'user', content: [{ type: 'text', text: ' Hello. ' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Yes?' }] },
    { role: 'user', content: [{ type: 'text', text: 'Now?', cache_control, unknown_of_block: [1, null] }] },
  ],
  tools: [{ name: 'look', input_schema: { type: 'object', properties: {} }, eager_input_streaming: true }],
  metadata: { user_id: 'user_1' },
  context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
};

describe('the body', () => {
  test('arrives as it was sent, in its order, with our name of the model and without our fields', async () => {
    const sent = await lane.sent({ ...body, extra: { debug: ['routing'] } });
    expect(sent.path).toBe('/messages');
    expect(JSON.stringify(sent.body)).toBe(JSON.stringify({ model: 'claude-opus-4-6', ...body }));
  });
});

describe('the headers', () => {
  test('betas arrive as they were sent, credentials and other headers do not', async () => {
    const betas = 'claude-code-20250219,context-management-2025-06-27, unheard-of-2026-01-01';
    const { headers } = await lane.sent(body, {
      'anthropic-beta': betas,
      'anthropic-version': '2023-06-01',
      'anthropic-workspace-id': 'wrkspc_1',
      'x-stainless-lang': 'js',
    });
    expect(headers['anthropic-beta']).toBe(betas);
    expect(headers['anthropic-version']).toBe('2023-06-01');
    expect(headers['x-api-key']).toBe('a-provider-key');
    expect(headers).not.toHaveProperty('authorization');
    expect(headers).not.toHaveProperty('anthropic-workspace-id');
    expect(headers).not.toHaveProperty('x-stainless-lang');
  });
});
