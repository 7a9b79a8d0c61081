/** What Bedrock gets of a caller of the Messages operation: the original, in a call of InvokeModel. */
import { describe, expect, test } from 'vitest';
import { message, useFirstLane } from '../../harness/first-lane.ts';
import { answerJson, type UpstreamScript } from '../../harness/upstream.ts';

const model = 'anthropic/claude-sonnet-5:bedrock';
const lane = useFirstLane('BEDROCK', model);

const cache_control = { type: 'ephemeral', ttl: '1h' };

const body = {
  max_tokens: 100,
  system: [{ type: 'text', text: ' Be brief. ', cache_control }],
  messages: [
    { role: 'user', content: [{ type: 'text', text: ' Look. ' }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'A tree.' }] },
  ],
  tools: [{ name: 'look', input_schema: { type: 'object', properties: {} }, eager_input_streaming: true }],
  metadata: { user_id: 'user_1' },
  unheard_of: [1, null],
};

const version = { anthropic_version: 'bedrock-2023-05-31' };

test('the body arrives as it was sent, without the model, with the version of Bedrock', async () => {
  const sent = await lane.sent(
    { ...body, extra: { debug: ['routing'] } },
    { 'anthropic-version': '2026-10-21' },
  );
  expect(sent.path).toBe('/model/us.anthropic.claude-sonnet-5/invoke');
  expect(JSON.stringify(sent.body)).toBe(JSON.stringify({ ...body, ...version }));
  expect(sent.headers).toMatchObject({ authorization: 'Bearer a-provider-key' });
  expect(sent.headers).not.toHaveProperty('anthropic-version');
});

test('a model of another owner is asked by Converse', async () => {
  const hello = { max_tokens: 100, messages: [{ role: 'user', content: 'Hello.' }] };
  await lane.answered(answerJson({ message: 'Too many.' }, 429), { ...hello, model: 'amazon/nova-pro' });
  expect(lane.upstream.requests[0]?.path).toBe('/model/us.amazon.nova-pro-v1%3A0/converse');
});

test('a service tier of Anthropic’s own is left out on record', async () => {
  const given = { ...body, service_tier: 'auto', extra: { debug: ['normalizations'] } };
  const response = await lane.answered(answerJson(message), given);
  expect(lane.upstream.requests[0]?.body).toEqual({ ...body, ...version });
  expect(await response.json()).toMatchObject({
    usage: { input_tokens: 12 },
    debug: { normalizations: [{ param: 'service_tier', action: 'strip', before: 'auto', after: null }] },
  });
});

describe('betas', () => {
  const refused = { message: 'The model returned the following errors: invalid beta flag' };
  const header = 'claude-code-20250219,advanced-tool-use-2025-11-20, interleaved-thinking-2025-05-14';
  const betas = ['claude-code-20250219', 'advanced-tool-use-2025-11-20', 'interleaved-thinking-2025-05-14'];
  const known = ['tool-search-tool-2025-10-19', 'interleaved-thinking-2025-05-14'];

  /** Refuses requests with one of these betas, in the way of Bedrock. */
  const refusing =
    (...unknown: readonly string[]): UpstreamScript =>
    async (request, response) => {
      const given = (request.body.anthropic_beta ?? []) as readonly string[];
      const isRefused = given.some((beta) => unknown.includes(beta));
      await answerJson(isRefused ? refused : message, isRefused ? 400 : 200)(request, response);
    };

  async function ask(script: UpstreamScript, fields: object, beta = header) {
    const response = await lane.answered(
      script,
      { ...body, ...fields, extra: { debug: ['normalizations'] } },
      { 'anthropic-beta': beta },
    );
    const { debug } = (await response.json()) as { debug?: { normalizations: readonly object[] } };
    const sent = lane.upstream.requests.map((request) => request.body);
    return { status: response.status, sent, changes: debug?.normalizations ?? [] };
  }

  test('are in the body, as they came', async () => {
    const { sent, changes } = await ask(answerJson(message), {});
    expect(sent).toEqual([{ ...body, anthropic_beta: betas, ...version }]);
    expect(changes).toEqual([]);
  });

  test('that are refused are left out on record, with what is refused without them; the refusal is remembered', async () => {
    const fields = {
      context_management: { edits: [] },
      thinking: { type: 'adaptive', display: 'updates' },
      messages: [
        {
          role: 'user',
          content: [{ type: 'text', text: 'Now?', cache_control: { ...cache_control, scope: 'global' } }],
          output_config: { effort: 'low' },
        },
      ],
      tools: [{ ...body.tools[0], defer_loading: true }],
    };
    const script = refusing('claude-code-20250219', 'advanced-tool-use-2025-11-20');
    const first = await ask(script, fields);
    const left = {
      ...body,
      thinking: { type: 'adaptive' },
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Now?', cache_control }] }],
      tools: fields.tools,
      ...version,
    };
    expect(first.status).toBe(200);
    expect(first.sent).toEqual([
      { ...body, ...fields, anthropic_beta: betas, ...version },
      { ...left, anthropic_beta: known },
    ]);
    const reason = expect.any(String);
    expect(first.changes).toEqual([
      { param: 'anthropic-beta', action: 'override', before: betas.join(), after: known.join(), reason },
      ...[
        ['context_management', { edits: [] }],
        ['thinking.display', 'updates'],
        ['messages.output_config', { effort: 'low' }],
        ['cache_control.scope', 'global'],
      ].map(([param, before]) => ({ param, action: 'strip', before, after: null, reason })),
    ]);
    const second = await ask(script, {});
    expect(second.sent).toEqual([{ ...body, anthropic_beta: known, ...version }]);
  });

  test('that a model refuses altogether are all left out', async () => {
    const other = 'effort-2025-11-24,unheard-of-2026-01-01';
    const { status, sent, changes } = await ask(
      refusing('effort-2025-11-24', 'unheard-of-2026-01-01'),
      { tools: [{ ...body.tools[0], defer_loading: true }] },
      other,
    );
    expect([status, sent.length]).toEqual([200, 3]);
    expect(sent[2]).toEqual({ ...body, ...version });
    expect(changes).toMatchObject([
      { param: 'anthropic-beta', action: 'strip', before: other, after: null },
      { param: 'tools.defer_loading', before: true },
    ]);
  });

  test('do not hide another refusal', async () => {
    const words = 'messages.0.content.0.text.cache_control.ephemeral.scope: Extra inputs are not permitted';
    lane.upstream.script(answerJson({ message: words }, 400));
    const response = await lane.post(body, { 'anthropic-beta': 'another-2026-01-01' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ type: 'error', error: { message: words } });
    expect(lane.upstream.requests).toHaveLength(1);
  });
});
