/**
 * A Claude with a thinking budget goes on with a tool loop in thought only if the loop began so. The sandbox refuses
 * anything else, as Anthropic does.
 */
import { describe, expect, test } from 'vitest';
import { useWatchedGateway } from '../harness/gateways/watched-gateway.ts';

const claudes = [
  { provider: 'anthropic', model: 'anthropic/claude-haiku-4-5' },
  { provider: 'bedrock', model: 'anthropic/claude-haiku-4-5:bedrock' },
];
const gateway = useWatchedGateway(...claudes.map(({ model }) => model));

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tools = ['weather', 'time'].map((name) => ({ type: 'function', function: { name, parameters } }));
const question = { role: 'user', content: 'Use both tools: sandbox call weather, sandbox call time' };

interface Call {
  readonly id: string;
}

interface Answer {
  readonly choices: readonly { readonly message: { readonly tool_calls: readonly Call[] } }[];
  readonly debug: {
    readonly normalizations: readonly { readonly param: string; readonly before: unknown }[];
  };
}

async function ask(model: string, messages: readonly object[], more: object = {}) {
  const extra = { debug: ['normalizations'] };
  const body = { model, messages, tools, reasoning_effort: 'high', extra, ...more };
  const response = await gateway.post('/v1/chat/completions', body);
  return { status: response.status, body: (await response.json()) as Answer };
}

const call = (id: string) => ({
  id,
  type: 'function',
  function: { name: 'weather', arguments: '{"city":"Rome"}' },
});
const calling = (id: string) => ({ role: 'assistant', content: null, tool_calls: [call(id)] });
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'Sunny.' });

const dropped = {
  param: 'reasoning_effort',
  action: 'override',
  before: 'high',
  after: 'none',
  reason: expect.stringContaining('signed reasoning'),
};

describe.each(claudes)('$provider', ({ model }) => {
  test.each([
    ['a loop of another model', [question, calling('a'), result('a')]],
    ['its second round', [question, calling('a'), result('a'), calling('b'), result('b')]],
    ['a new message beside the results', [question, calling('a'), result('a'), question]],
  ])('%s goes on without reasoning, on record', async (_, messages) => {
    const { status, body } = await ask(model, messages);
    expect([status, body.debug?.normalizations]).toEqual([200, expect.arrayContaining([dropped])]);
  });

  test('a budget in tokens is given up alike', async () => {
    const thinking = { type: 'enabled', budget_tokens: 2_000 };
    const messages = [question, calling('a'), result('a')];
    const { status, body } = await ask(model, messages, { reasoning_effort: undefined, thinking });
    expect(status).toBe(200);
    expect(body.debug.normalizations).toContainEqual(expect.objectContaining({ before: 2_000, after: 0 }));
  });

  test('a loop that it began in thought goes on in thought', async () => {
    const first = (await ask(model, [question])).body.choices[0]?.message;
    const results = (first?.tool_calls ?? []).map(({ id }) => result(id));
    const begun = [question, { ...first }, ...results];
    for (const messages of [begun, [...begun, calling('next'), result('next')]]) {
      const { status, body } = await ask(model, messages);
      expect(status).toBe(200);
      expect(body.debug.normalizations.map(({ param }) => param)).not.toContain('reasoning_effort');
    }
  });

  test('an earlier loop that has ended asks for nothing', async () => {
    const ended = [question, calling('a'), result('a'), { role: 'assistant', content: 'Sunny.' }, question];
    const { status, body } = await ask(model, ended);
    expect(status).toBe(200);
    expect(body.debug.normalizations.map(({ param }) => param)).not.toContain('reasoning_effort');
  });

  test("without the rules, Anthropic's own refusal is passed on", async () => {
    const messages = [question, calling('a'), result('a')];
    const { status, body } = await ask(model, messages, { extra: { normalize: false } });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(
      'Expected `thinking` or `redacted_thinking`, but found `tool_use`',
    );
  });
});
