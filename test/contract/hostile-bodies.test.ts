/** Few bytes may ask for much work: a body that is refused costs little more than to receive and to parse it. */
import { beforeAll, expect, test } from 'vitest';
import { maxDepth, maxEntries, maxJsonValues } from '../../lib/http/request/body-shape.ts';
import { maxElements, maxWords, toolLimit } from '../../lib/operations/request-schema.ts';
import { cpuOf } from '../harness/cpu.ts';
import { startTestGateway } from '../harness/gateways/gateway.ts';
import { use } from '../harness/use.ts';

/** The processor time of the smallest refusal. */
let least = 0;
const gateway = use(() => startTestGateway());
beforeAll(async () => {
  least = await cpuOf(async () => (await gateway.post('/v1/chat/completions', {})).text(), 20);
});

const list = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index));
const entries = (count: number, value: (index: number) => unknown = () => 1) =>
  Object.fromEntries(list(count, (index) => [`key_${index}`, value(index)]));
const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) as object;

const model = 'openai/gpt-4.1';
const user = (content: unknown = 'Hello.') => ({ role: 'user', content });
const chat = (fields: object) => ({ model, messages: [user()], ...fields });
const responses = (fields: object) => ({ model, input: 'Hello.', ...fields });
const text = { type: 'text', text: 'a' };
const tool = (index: number, parameters: object = {}) => ({
  type: 'function',
  function: { name: `tool_${index}`, parameters },
});
const call = (index: number) => ({
  id: `c${index}`,
  type: 'function',
  function: { name: 'f', arguments: '{}' },
});
const format = (schema: object) =>
  chat({ response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } });

type Hostile = readonly [name: string, body: object, named: string, limit?: number];

const ofChat: readonly Hostile[] = [
  ['unknown fields', chat(entries(600_000)), 'JSON values', maxJsonValues],
  ['unknown fields within the limit', chat(entries(9_000)), "'key_0'"],
  ['empty arrays', chat({ native_fields: { a: list(600_000, () => []) } }), 'JSON values', maxJsonValues],
  ['nesting', chat({ native_fields: nested(3_000) }), 'nested deeper', maxDepth],
  ['messages', chat({ messages: list(100_000, () => user()) }), "'messages'", maxElements],
  ['messages that are none', chat({ messages: list(400_000, () => 1) }), "'messages"],
  ['one message that is none', chat({ messages: [...list(9_000, () => user()), 1] }), "'messages.9000'"],
  ['parts', chat({ messages: [user(list(100_000, () => text))] }), "'messages.0.content'", maxElements],
  ['parts that are none', chat({ messages: [user(list(400_000, () => 1))] }), "'messages.0.content"],
  [
    'calls of tools',
    chat({ messages: [{ role: 'assistant', tool_calls: list(50_000, call) }] }),
    "'messages.0.tool_calls'",
    maxElements,
  ],
  ['tools', chat({ tools: list(60_000, (index) => tool(index)) }), "'tools'", toolLimit],
  ['tools of one name', chat({ tools: [...list(1_023, (index) => tool(index)), tool(0)] }), "'tools.1023"],
  [
    'allowed tools',
    chat({
      tools: list(1_024, (index) => tool(index)),
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: {
          mode: 'auto',
          tools: list(20_000, () => ({ type: 'function', function: { name: 'x' } })),
        },
      },
    }),
    "'tool_choice.allowed_tools.tools'",
    toolLimit,
  ],
  ['properties of a tool', chat({ tools: [tool(1, { properties: entries(50_000) })] }), 'object', maxEntries],
  ['values of an enum', format({ enum: list(600_000, (index) => index) }), 'JSON values', maxJsonValues],
  ['stop sequences', chat({ stop: list(400_000, () => 'x') }), "'stop'", 4],
  ['stop sequences that are none', chat({ stop: list(400_000, () => 1) }), "'stop"],
  ['metadata', chat({ metadata: entries(50_000, () => 'x') }), 'object', maxEntries],
  ['numbers', chat({ seed: list(400_000, (index) => index / 7) }), "'seed'"],
  ['a long string', chat({ user: ['a'.repeat(5_000_000)] }), "'user'"],
  ['escapes', chat({ user: ['"\\\n'.repeat(1_000_000)] }), "'user'"],
];

const ofResponses: readonly Hostile[] = [
  ['items that are none', responses({ input: list(400_000, () => 1) }), "'input"],
  ['items that are empty', responses({ input: list(200_000, () => ({})) }), "'input"],
  ['items', responses({ input: list(50_000, () => user()) }), "'input'", maxElements],
  [
    'words',
    responses({ include: list(100_000, () => 'message.output_text.logprobs') }),
    "'include'",
    maxWords,
  ],
];

const at = (path: string, bodies: readonly Hostile[]) =>
  bodies.map(([name, body, named, limit]) => ({ path, name, body, named, limit }));

const cases = [...at('/v1/chat/completions', ofChat), ...at('/v1/responses', ofResponses)];

/** Without bounds it is up to a hundred times. */
const mostTimes = 5;

test.each(cases)('$path: many $name', async ({ path, body, named, limit }) => {
  const sent = JSON.stringify(body);
  const ask = async (headers?: Record<string, string>) => {
    const response = await gateway.post(path, sent, headers);
    const { error } = (await response.json()) as { readonly error: { readonly message: string } };
    return { status: response.status, message: error.message };
  };
  const { status, message } = await ask();
  expect([status, message]).toEqual([400, expect.stringContaining(named)]);
  if (limit !== undefined) expect(message).toContain(`${limit}`);
  expect(message.length).toBeLessThan(400);
  // To receive it, to refuse it by the form of the key, and to parse it.
  const receiving = await cpuOf(() => ask({ authorization: 'Bearer none' }), 3);
  const parsing = await cpuOf(() => JSON.parse(sent), 3);
  expect(await cpuOf(() => ask(), 7)).toBeLessThan(mostTimes * (receiving + parsing + least));
});
