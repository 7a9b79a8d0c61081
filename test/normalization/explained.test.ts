/**
 * Nothing gets lost on the way unseen: whatever a caller sends is in the body that goes upstream, or a record says what
 * became of it.
 */
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedRows } from '../../infra/catalog/seed.ts';
import type { Target } from '../../lib/core/catalog/model.ts';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { fitProtocol, normalize } from '../../lib/normalization/normalize.ts';
import type { Change } from '../../lib/normalization/rule.ts';
import { readChat } from '../../lib/operations/chat/read/read.ts';
import { chatSchema } from '../../lib/operations/chat/read/schema.ts';
import { providers } from '../../lib/providers/all-providers.ts';
import type { Host } from '../../lib/providers/hosts/host.ts';
import { hosts } from '../../lib/providers/hosts/hosts.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';
import { pixel } from '../harness/matrix/providers.ts';

const at = (body: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as JsonObject | undefined)?.[key], body);
const cases: readonly (readonly [provider: string, model: string])[] = [
  ...['gpt-4.1', 'gpt-5.5', 'gpt-5.6-sol', 'gpt-6-astra', 'o3'].map(
    (model) => ['openai', `openai/${model}`] as const,
  ),
  ...['haiku-4-5', 'opus-5', 'fable-5-1', 'opus-4-6', '3-haiku-20240307'].map(
    (model) => ['anthropic', `anthropic/claude-${model}`] as const,
  ),
  ...['2.5-flash', '2.5-pro', '3.5-flash'].map((model) => ['google', `google/gemini-${model}`] as const),
  ...['amazon/nova-pro', 'amazon/nova-2-lite', 'anthropic/claude-haiku-4-5', 'anthropic/claude-opus-4-8'].map(
    (model) => ['bedrock', model] as const,
  ),
  ['azure', 'openai/gpt-5.4'],
  ['google-vertex', 'google/gemini-3.5-flash'],
  ['google-vertex-anthropic', 'anthropic/claude-sonnet-4-6'],
  ['cohere', 'cohere/command-a-plus-05-2026'],
  ['cohere', 'cohere/command-a-03-2025'],
];

const models = new Map(seedRows.map((row) => readModelRow(row)).map((model) => [model.id, model]));

function targetOf(provider: string, id: string): Target {
  const model = models.get(id);
  const deployment = model?.deployments.find((one) => one.provider === provider);
  if (!model || !deployment) throw new Error(`The catalog has no ${id} at ${provider}.`);
  return { model, deployment };
}

// Callers.
const schema = fc.constantFrom<JsonObject>(
  { type: 'object', properties: { minimum: { type: 'integer', minimum: 1 } } },
  { type: 'object', properties: { a: { oneOf: [{ type: 'string' }, { type: 'null' }] } }, required: ['a'] },
  { type: 'object', additionalProperties: { type: 'string' } },
);
const tools = fc
  .array(
    fc.record({ description: fc.constant('Says what it does'), parameters: schema, strict: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 2,
    },
  )
  .map((list) =>
    list.map((definition, index) => ({
      type: 'function',
      function: { name: `tool_${index}`, ...definition },
    })),
  );
const probability = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100);
const penalty = fc.integer({ min: -20, max: 20 }).map((tenths) => tenths / 10);
const parameters = fc.record(
  {
    temperature: fc.integer({ min: 0, max: 20 }).map((tenths) => tenths / 10),
    top_p: probability,
    max_tokens: fc.constantFrom(1, 500, 5_000, 60_000, 200_000),
    max_completion_tokens: fc.constantFrom(2, 501, 5_001, 60_001, 200_001),
    frequency_penalty: penalty,
    presence_penalty: penalty,
    stop: fc.constantFrom<string | string[]>('END', ['END', 'STOP'], ['\n']),
    seed: fc.nat(),
    response_format: fc.oneof(
      fc.constantFrom({ type: 'text' }, { type: 'json_object' }),
      fc.record({ strict: fc.boolean(), schema }).map((given) => ({
        type: 'json_schema',
        json_schema: { name: 'answer', ...given },
      })),
    ),
    reasoning_effort: fc.constantFrom('none', 'minimal', 'low', 'medium', 'high', 'xhigh'),
    user: fc.constant('user-1'),
    service_tier: fc.constantFrom('auto', 'default', 'flex'),
    store: fc.boolean(),
    metadata: fc.constant({ team: 'blue' }),
    logit_bias: fc.constant({ '50256': -100 }),
    n: fc.constantFrom(1, 1, 1, 1, 1, 2),
    parallel_tool_calls: fc.boolean(),
  },
  { requiredKeys: [] },
);
const logprobs = fc.constantFrom(
  {},
  { logprobs: true },
  { logprobs: false },
  { logprobs: true, top_logprobs: 2 },
);
const withTools = fc.oneof(
  fc.constant({}),
  tools.chain((list) =>
    fc
      .constantFrom(undefined, 'none', 'auto', 'required', { type: 'function', function: { name: 'tool_0' } })
      .map((choice) => ({ tools: list, ...(choice !== undefined && { tool_choice: choice }) })),
  ),
);
const say = (mark: number) => `words-${mark}-of-the-caller`;
const turn = fc.constantFrom<(mark: number) => readonly JsonObject[]>(
  (mark) => [{ role: 'system', content: say(mark) }],
  (mark) => [{ role: 'user', content: say(mark), name: `name-${mark}` }],
  (mark) => [{ role: 'user', content: say(mark), cache_control: { type: 'ephemeral' } }],
  (mark) => [
    {
      role: 'user',
      content: [
        { type: 'text', text: say(mark) },
        { type: 'image_url', image_url: { url: pixel } },
      ],
    },
  ],
  (mark) => [{ role: 'assistant', content: say(mark), reasoning_content: `thought-${mark}` }],
  (mark) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: `call-${mark}`,
          type: 'function',
          function: { name: 'tool_0', arguments: `{"x":"${say(mark)}"}` },
        },
        { id: `open-${mark}`, type: 'function', function: { name: 'tool_1', arguments: '' } },
      ],
    },
    { role: 'tool', tool_call_id: `call-${mark}`, content: `result-${mark}` },
  ],
  (mark) => [{ role: 'tool', tool_call_id: `lost-${mark}`, content: say(mark) }],
);
const messages = fc
  .array(turn, { maxLength: 4 })
  .map((turns) => [...turns.flatMap((make, index) => make(index)), { role: 'user', content: 'And now?' }]);
const callers = fc
  .tuple(parameters, logprobs, withTools, messages)
  .map(([given, probabilities, choice, conversation]) => ({
    ...given,
    ...probabilities,
    ...choice,
    messages: conversation,
  }));

/** The marks of what a message says, none of which may get lost. */
function marksOf(message: JsonObject): readonly string[] {
  const text = JSON.stringify(message);
  const marks = text.match(/(?:words|result|thought|name)-\d+[a-z-]*/g) ?? [];
  return text.includes(pixel) ? [...marks, pixel.slice(pixel.indexOf(',') + 1)] : marks;
}

/** What of a caller's body is neither upstream nor on record. A setting is upstream where the body would be another without it. */
function unexplained(
  caller: JsonObject,
  encode: (caller: JsonObject) => { readonly body: JsonObject; readonly changes: readonly Change[] },
): readonly string[] {
  const { body, changes } = encode(caller);
  const isTold = (path: string) =>
    changes.some(({ param }) => param === path || param.startsWith(`${path}.`));
  const { messages: said, tools: given = [], model: _, ...settings } = caller;
  const text = JSON.stringify(body);
  const lostSettings = Object.entries(settings).flatMap(([name, value]) => {
    if (isTold(name) || meansNothing(name, value)) return [];
    const { [name]: _setting, ...others } = caller;
    const without = refusedAs(/./, () => encode(others));
    return without && isDeepStrictEqual(without.body, body) ? [name] : [];
  });
  const lostTools = (given as readonly JsonObject[]).flatMap((tool, index) => {
    const declared = at(body, 'tools') ?? at(body, 'toolConfig.tools');
    if (caller.tool_choice === 'none' && declared === undefined) return [];
    const { name, parameters: wanted, strict } = tool.function as JsonObject;
    const path = `tools.${index}.function`;
    if (changes.some(({ param }) => param === `tools.${index}`)) return [];
    return [
      ...(text.includes(`"${name}"`) ? [] : [path]),
      ...(isTold(`${path}.parameters`) || text.includes(JSON.stringify(wanted).slice(1, -1))
        ? []
        : [`${path}.parameters`]),
      ...(!strict || isTold(`${path}.strict`) || /"strict(?:_tools)?":true|VALIDATED|"ANY"|"NONE"/.test(text)
        ? []
        : [`${path}.strict`]),
    ];
  });
  const lostWords = (said as readonly JsonObject[]).flatMap((message, index) => {
    const path = `messages.${index}`;
    return isTold(path) || marksOf(message).every((mark) => text.includes(mark)) ? [] : [path];
  });
  return [...lostSettings, ...lostTools, ...lostWords];
}

/** Whether a setting asks for what happens without it, at some models. */
function meansNothing(name: string, value: unknown): boolean {
  if (name === 'response_format') return isDeepStrictEqual(value, { type: 'text' });
  return name === 'reasoning_effort' || value === 'auto';
}

function encoderOf(provider: string, model: string, hasRules: boolean) {
  const target = targetOf(provider, model);
  const generation = providers.get(provider)?.generation;
  if (!generation) throw new Error(`${provider} does not generate.`);
  return (caller: JsonObject) => {
    const { request } = readChat(chatSchema.parse(caller));
    const adapt = hasRules ? normalize : fitProtocol;
    const { request: sent, changes } = adapt(request, target, generation.rules);
    return { body: generation.protocol.encode(sent, target), changes };
  };
}

describe.each(cases)('%s: %s', (provider, model) => {
  const encode = encoderOf(provider, model, true);

  test('gets all that a caller sends, or a record says what became of it', () => {
    let answered = 0;
    fc.assert(
      fc.property(callers, (given) => {
        const caller = { model, ...given };
        const encoded = refusedAs(/^(?:response_format|tools|n)$/, () => encode(caller));
        if (!encoded) return;
        answered += 1;
        expect(unexplained(caller, encode)).toEqual([]);
        for (const { before, after } of encoded.changes) {
          expect(JSON.stringify([before, after])).not.toMatch(/(?:words|result|thought)-\d/);
        }
      }),
      { numRuns: 150 },
    );
    expect(answered).toBeGreaterThan(40);
  });
});

const hostCases = Object.entries<Host>(hosts).flatMap(([provider, { baseUrl, test: called }]) =>
  baseUrl === undefined || !called ? [] : [[provider, called.model] as const],
);

describe.each([...cases, ...hostCases])('%s: %s, without the rules', (provider, model) => {
  const encode = encoderOf(provider, model, false);

  test('gets all that a caller sends, in its own form or as it is for the provider to reject, or a record says why not', () => {
    fc.assert(
      fc.property(callers, (given) => {
        const caller = { model, ...given };
        if (refusedAs(/./, () => encode(caller))) expect(unexplained(caller, encode)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

/** A refusal that names the field is an explanation too. */
function refusedAs<Result>(param: RegExp, run: () => Result): Result | undefined {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    expect(error.kind).toBe('invalid_request');
    expect(error.param).toMatch(param);
    return undefined;
  }
}
