/** The count of a model that speaks the Messages API: of the original, with the caller's headers. */
import { describe, expect, test } from 'vitest';
import { atAnthropic as model, useFirstLane } from '../../harness/first-lane.ts';
import { answerJson } from '../../harness/upstream.ts';

const lane = useFirstLane();

const messages = [{ role: 'user', content: [{ type: 'text', text: ' Hello. ', unheard_of: 1 }] }];
const system = [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }];
const tools = [{ name: 'look', input_schema: { type: 'object' }, defer_loading: true }];
const input = { system, messages, tools, unheard_of: { of: ['it'] }, thinking: { type: 'adaptive' } };

async function count(
  body: object,
  headers: Record<string, string> = {},
  answer: object = { input_tokens: 7 },
) {
  lane.upstream.script(answerJson(answer));
  const response = await lane.gateway.post('/v1/messages/count_tokens', { model, ...body }, headers);
  const [sent] = lane.upstream.requests;
  return { response, body: JSON.parse(await response.text()), sent };
}

describe('the request', () => {
  test('is the body as it was sent, without what is about the answer', async () => {
    const ofAnswer = { max_tokens: 5, stream: true, stop_sequences: ['x'], metadata: { user_id: 'u' } };
    const { sent, body } = await count({ ...input, ...ofAnswer, extra: { debug: ['routing'] } });
    expect(sent?.path).toBe('/messages/count_tokens');
    expect(JSON.stringify(sent?.body)).toBe(JSON.stringify({ model: 'claude-opus-4-6', ...input }));
    expect(body).toEqual({
      input_tokens: 7,
      debug: { routing: [expect.objectContaining({ status: 'succeeded' })] },
    });
  });

  test('has the betas and the version of the caller, and no credentials', async () => {
    const betas = 'token-counting-2024-11-01,unheard-of-2026-01-01';
    const { sent } = await count(input, { 'anthropic-beta': betas, 'anthropic-version': '2026-10-21' });
    expect(sent?.headers).toMatchObject({ 'anthropic-beta': betas, 'anthropic-version': '2026-10-21' });
    expect(sent?.headers).not.toHaveProperty('authorization');
  });

  test('has no thinking that is not of Claude', async () => {
    const unsigned = { type: 'thinking', thinking: 'x', signature: '' };
    const answered = { role: 'assistant', content: [unsigned, { type: 'text', text: 'y' }] };
    const { sent, response } = await count({ messages: [...messages, answered, ...messages] });
    expect(JSON.stringify(sent?.body)).not.toContain('thinking');
    expect(response.headers.get('x-gateway-normalizations')).toBe('1');
  });

  test('may lack max_tokens, also with a budget for thinking', async () => {
    const thinking = { type: 'enabled', budget_tokens: 20_000 };
    const { sent, response } = await count({ messages, thinking });
    expect([response.status, sent?.body]).toEqual([200, { model: 'claude-opus-4-6', messages, thinking }]);
  });

  test('may have a list of tools without tools', async () => {
    const { response } = await count({ messages, tools: [] });
    expect(response.status).toBe(200);
  });
});

describe('the answer', () => {
  test('has what the edits of the context leave out', async () => {
    const given = { input_tokens: 7, context_management: { original_input_tokens: 70 } };
    const { body, response } = await count(input, {}, given);
    expect(body).toEqual(given);
    expect(response.headers.get('x-gateway-estimated')).toBeNull();
  });

  test('without a count is an error', async () => {
    const { response, body } = await count(input, {}, { input_tokens: '7' });
    expect([response.status, body.type]).toEqual([500, 'error']);
  });

  test.each([
    [400, 'invalid_request_error', 400],
    [401, 'authentication_error', 500],
    [429, 'rate_limit_error', 429],
    [529, 'overloaded_error', 529],
  ])('%i of the provider is an error, not an estimate', async (status, type, expected) => {
    const error = { type: 'error', error: { type, message: 'messages.0: no.' } };
    lane.upstream.script(answerJson(error, status));
    const response = await lane.gateway.post('/v1/messages/count_tokens', { model, messages });
    expect([response.status, await response.json()]).toEqual([
      expected,
      expect.objectContaining({ type: 'error', request_id: expect.any(String) }),
    ]);
  });

  test('is an estimate where the provider does not count', async () => {
    lane.upstream.script(
      answerJson({ type: 'error', error: { type: 'not_found_error', message: 'x' } }, 404),
    );
    const response = await lane.gateway.post('/v1/messages/count_tokens', { model, messages });
    expect(await response.json()).toEqual({ input_tokens: expect.any(Number), estimated: true });
    expect(response.headers.get('x-gateway-estimated')).toBe('true');
  });
});
