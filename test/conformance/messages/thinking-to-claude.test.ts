/** What a Claude target gets of thinking that Claude did not sign: nothing, on record. The sandbox refuses it, as Anthropic does. */
import { describe, expect, test } from 'vitest';
import { openaiFormat } from '../../../lib/core/generation/reasoning-format.ts';
import { encodeDetails } from '../../../lib/operations/messages/signature.ts';
import { seal } from '../../../sandbox/signature.ts';
import { useWatchedGateway } from '../../harness/gateways/watched-gateway.ts';
import type { Json } from '../../harness/messages.ts';

const targets = [
  { name: 'the first lane', model: 'anthropic/claude-haiku-4-5' },
  { name: 'Bedrock', model: 'anthropic/claude-haiku-4-5:bedrock' },
] as const;
const gateway = useWatchedGateway(...targets.map(({ model }) => model));

const ours = encodeDetails({
  model: 'openai/gpt-5.5',
  format: 'openai',
  details: [{ type: 'reasoning.encrypted', data: 'gAAA', format: openaiFormat, index: 0, id: 'rs_1' }],
});
const signed = { type: 'thinking', thinking: 'I look.', signature: seal('I look.') };
const foreign = { type: 'thinking', thinking: 'I plan.', signature: ours };
const text = { type: 'text', text: 'Done.' };
const call = { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Rome' } };
const result = { type: 'tool_result', tool_use_id: 'call_1', content: 'Sunny.' };
const tools = [
  { name: 'weather', input_schema: { type: 'object', properties: { city: { type: 'string' } } } },
];
const budget = { thinking: { type: 'enabled', budget_tokens: 1024 }, max_tokens: 4000 };

interface Seen {
  readonly status: number;
  readonly body: Json & { readonly debug?: { readonly normalizations?: readonly Json[] } };
  readonly sent: Json;
}

/** All changes but cache markers, which only the second lane adds. */
const changesOfThinking = ({ debug }: Seen['body']): readonly Json[] =>
  (debug?.normalizations ?? []).filter(({ param }) => param !== 'cache_control');

async function ask(
  model: string,
  assistant: readonly Json[],
  user: readonly Json[],
  more: Json = {},
): Promise<Seen> {
  gateway.take();
  const response = await gateway.post(
    '/v1/messages',
    {
      model,
      max_tokens: 1000,
      messages: [
        { role: 'user', content: 'What is the weather?' },
        { role: 'assistant', content: assistant },
        { role: 'user', content: user },
      ],
      tools,
      extra: { debug: ['normalizations'] },
      ...more,
    },
    { 'anthropic-beta': 'context-management-2025-06-27' },
  );
  const body = (await response.json()) as Seen['body'];
  return { status: response.status, body, sent: gateway.take().at(-1)?.body as Json };
}

describe.each(targets)('$name', ({ model }) => {
  test.each<[string, Json]>([
    ['of another model, with a signature of the gateway', foreign],
    ['with a signature of the gateway that was cut', { ...foreign, signature: ours.slice(0, -5) }],
  ])('thinking %s is left out, on record', async (_, block) => {
    const { status, body, sent } = await ask(model, [block, text], [{ type: 'text', text: 'And now?' }]);
    expect([status, status === 200 ? '' : body]).toEqual([200, '']);
    expect(JSON.stringify(sent)).not.toMatch(/mgw1|I plan|gAAA/);
    expect(body.debug?.normalizations).toContainEqual(
      expect.objectContaining({ param: expect.stringMatching(/^messages\.1/), action: 'strip' }),
    );
  });

  test('thinking of its own stays, also without text', async () => {
    const unseen = { type: 'thinking', thinking: '', signature: seal('') };
    const { status, body, sent } = await ask(
      model,
      [signed, unseen, text],
      [{ type: 'text', text: 'And now?' }],
    );
    expect([status, status === 200 ? '' : body]).toEqual([200, '']);
    for (const { signature } of [signed, unseen]) expect(JSON.stringify(sent)).toContain(signature);
    expect(changesOfThinking(body)).toEqual([]);
  });

  test('a tool loop of another model goes on without thinking, on record', async () => {
    const { status, body, sent } = await ask(model, [foreign, call], [result], budget);
    expect([status, status === 200 ? '' : body]).toEqual([200, '']);
    expect(JSON.stringify(sent)).not.toContain('budget_tokens');
    expect(body.debug?.normalizations).toContainEqual(
      expect.objectContaining({ action: 'override', reason: expect.stringContaining('tool loop') }),
    );
  });

  test('a tool loop that it began in thought goes on so', async () => {
    const { status, body, sent } = await ask(model, [signed, call], [result], budget);
    expect([status, status === 200 ? '' : body]).toEqual([200, '']);
    expect(JSON.stringify(sent)).toContain('budget_tokens');
    expect(changesOfThinking(body)).toEqual([]);
  });
});

test('searches of other models become texts, and their citations are left out, on record', async () => {
  const url = 'https://example.com/a';
  const found = {
    type: 'web_search_result',
    title: 'A page',
    url,
    encrypted_content: ours,
    page_age: null,
  };
  const cited = {
    type: 'web_search_result_location',
    cited_text: 'Sunny',
    url,
    title: null,
    encrypted_index: ours,
  };
  const content = [
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'weather' } },
    { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [found] },
    { type: 'text', text: 'Sunny.', citations: [cited] },
  ];
  const { status, sent, body } = await ask(targets[0].model, content, [{ type: 'text', text: 'And now?' }]);
  expect([status, status === 200 ? '' : body]).toEqual([200, '']);
  const [, assistant] = sent.messages as readonly Json[];
  expect(assistant?.content).toEqual([
    { type: 'text', text: expect.stringContaining('weather') },
    { type: 'text', text: expect.stringContaining(url) },
    { type: 'text', text: 'Sunny.' },
  ]);
  expect(changesOfThinking(body).map(({ param }) => param)).toEqual([
    'messages.1.content.0',
    'messages.1.content.1',
    'messages.1.content.2.citations',
  ]);
});
