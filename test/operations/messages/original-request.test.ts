/** What a target that speaks the Messages API gets of a caller of it: the original. */
import { describe, expect, test } from 'vitest';
import { atAnthropic, message, useFirstLane } from '../../harness/first-lane.ts';
import { answerJson } from '../../harness/upstream.ts';

const lane = useFirstLane();

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

test.each([
  ['anthropic-beta', 'x'.repeat(4097)],
  ['anthropic-beta', 'béta'],
])('a header that cannot be sent on is refused: %s', async (name, value) => {
  const response = await lane.answered(answerJson(message), body, { [name]: value });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('4096');
  expect(lane.upstream.requests).toEqual([]);
});

test('a further call of one id gets another id, and so does its result, on record', async () => {
  const call = (id: string) => ({ type: 'tool_use', id, name: 'look', input: {} });
  const result = (tool_use_id: string) => ({ type: 'tool_result', tool_use_id, content: tool_use_id });
  const turn = (...ids: string[]) => [
    { role: 'assistant', content: ids.map(call) },
    { role: 'user', content: ids.map(result) },
  ];
  const start = { role: 'user', content: 'Hello.' };
  const messages = [start, ...turn('a', 'a'), ...turn('b'), ...turn('a')];
  const debug = { extra: { debug: ['normalizations'] } };
  const response = await lane.answered(answerJson(message), { ...body, ...debug, messages });
  const sent = lane.upstream.requests.at(-1)?.body as { readonly messages: typeof messages };
  const ids = sent.messages.flatMap(({ content }) =>
    [content].flat().flatMap((block) => {
      if (typeof block === 'string') return [];
      return 'id' in block ? [block.id] : [block.tool_use_id];
    }),
  );
  expect(ids).toEqual(['a', 'a_2', 'a', 'a_2', 'b', 'b', 'a_3', 'a_3']);
  const { debug: seen } = (await response.json()) as { debug: { normalizations: object[] } };
  expect(seen.normalizations).toHaveLength(4);
  expect(seen.normalizations[0]).toMatchObject({
    param: 'messages.1.content.1.id',
    action: 'override',
    before: 'a',
    after: 'a_2',
  });
});

describe('thinking', () => {
  const signed = { type: 'thinking', thinking: '', signature: 'c2lnbmVk' };
  const hidden = { type: 'redacted_thinking', data: 'aGlkZGVu' };
  const text = { type: 'text', text: 'Yes.' };
  const ask = { role: 'user', content: 'Hello.' };
  const conversation = (...content: object[]) => [ask, { role: 'assistant', content }, ask];

  test('that Claude signed arrives as it was, also without its text', async () => {
    const messages = conversation(signed, hidden, text);
    expect((await lane.sent({ max_tokens: 100, messages })).body.messages).toEqual(messages);
  });

  test('that it did not sign is left out, on record, and a message of nothing else too', async () => {
    const ours = { ...signed, signature: 'mgw1.e30' };
    const messages = [
      ...conversation({ type: 'thinking', thinking: 'Hm.' }, ours, text),
      ...conversation(ours),
    ];
    const response = await lane.answered(answerJson(message), {
      max_tokens: 100,
      messages,
      extra: { debug: ['normalizations'] },
    });
    expect(lane.upstream.requests[0]?.body.messages).toEqual([...conversation(text), ask, ask]);
    expect(response.headers.get('x-gateway-normalizations')).toBe('2');
    const { debug } = (await response.json()) as { debug: { normalizations: { param: string }[] } };
    expect(debug.normalizations.map(({ param }) => param)).toEqual([
      'messages.1.content',
      'messages.4.content',
    ]);
  });
});

describe('numbers that JavaScript does not have', () => {
  const input =
    '{"id":12345678901234567890,"at":0.12345678901234567,"huge":1e400,"one":1.0,"small":-9007199254740993,"text":"1234567890123456"}';
  const use = `{"type":"tool_use","id":"toolu_1","name":"look","input":${input}}`;
  const asked = (more: string) =>
    `{"model":"${atAnthropic}","max_tokens":100,"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":[${use}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}]${more}}`;
  const kept = input.replace('1.0', '1');

  const post = async (more: string) => {
    const url = `${lane.gateway.url}/v1/messages`;
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${lane.gateway.apiKey}` };
    return await fetch(url, { method: 'POST', headers, body: asked(more) });
  };

  test('arrive as they were sent', async () => {
    lane.upstream.script(async (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(
          `{"id":"msg_1","type":"message","role":"assistant","model":"x","content":[${use}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`,
        );
    });
    for (const more of ['', ',"stream":true']) {
      const response = await post(more);
      const answer = await response.text();
      expect(response.status).toBe(200);
      if (more === '') expect(answer).toContain(`"input":${kept}`);
      else expect(answer).toContain(JSON.stringify(kept).slice(1, -1));
      expect(lane.upstream.requests.at(-1)?.text).toContain(`"input":${kept}`);
    }
  });
});
