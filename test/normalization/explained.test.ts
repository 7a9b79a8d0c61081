/**
 * Nothing gets lost on the way unseen: whatever a caller sends is in the body that goes upstream, or a record says what
 * became of it. How each protocol names a parameter is written here once more, apart from the encoders.
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
import { hostNames, hosts } from '../../lib/providers/hosts/hosts.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';
import { hostModels } from '../harness/matrix/host-models.ts';
import { pixel } from '../harness/matrix/providers.ts';

/** Where a protocol has a parameter: the value that corresponds to the caller's, and its path. */
type Carried = (body: JsonObject, value: unknown) => readonly [actual: unknown, expected: unknown];
type Protocol = Readonly<Record<string, Carried>>;

const at = (body: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as JsonObject | undefined)?.[key], body);
const under = (path: string, map: (value: unknown) => unknown = (value) => value): Carried => {
  return (body, value) => [at(body, path), map(value)];
};
const list = (value: unknown) => (typeof value === 'string' ? [value] : value);
/** Where the form depends on much: only whether there is anything. */
const somewhere = (...signs: readonly string[]): Carried => {
  return (body) => [signs.some((sign) => JSON.stringify(body).includes(sign)), true];
};
const jsonAsked = somewhere(
  '"json_schema"',
  'json_response',
  'JSON object',
  'application/json',
  '"text/plain"',
);
const chosenName = (value: unknown) => (value as { function: { name: string } }).function.name;
const format: Carried = (body, value) =>
  (value as { type: string }).type === 'text' ? [undefined, undefined] : jsonAsked(body, value);

const openai: Protocol = Object.fromEntries(
  [
    ...['temperature', 'top_p', 'max_tokens', 'max_completion_tokens', 'frequency_penalty', 'seed', 'n'],
    ...['presence_penalty', 'logprobs', 'top_logprobs', 'tool_choice', 'response_format', 'reasoning_effort'],
    ...['user', 'parallel_tool_calls', 'service_tier', 'store', 'metadata', 'logit_bias'],
  ]
    .map((name) => [name, under(name)] as const)
    .concat([['stop', under('stop', list)]]),
);

const thinking = somewhere(
  '"effort"',
  '"budget_tokens"',
  '"disabled"',
  '"reasoning_effort"',
  '"thinkingConfig"',
  '"reasoningConfig"',
);
/** Leaving thinking out also means no effort. */
const effort: Carried = (body, value) => (value === 'none' ? [0, 0] : thinking(body, value));

const anthropic: Protocol = {
  temperature: under('temperature'),
  top_p: under('top_p'),
  max_tokens: under('max_tokens'),
  max_completion_tokens: under('max_tokens'),
  stop: under('stop_sequences', list),
  user: under('metadata.user_id'),
  service_tier: under('service_tier', (tier) => (tier === 'default' ? 'standard_only' : tier)),
  parallel_tool_calls: under('tool_choice.disable_parallel_tool_use', (parallel) => !parallel),
  tool_choice: (body, value) => {
    if (typeof value === 'object') return [at(body, 'tool_choice.name'), chosenName(value)];
    return [at(body, 'tool_choice.type'), value === 'required' ? 'any' : value];
  },
  reasoning_effort: effort,
  response_format: format,
};

const google: Protocol = {
  temperature: under('generationConfig.temperature'),
  top_p: under('generationConfig.topP'),
  max_tokens: under('generationConfig.maxOutputTokens'),
  max_completion_tokens: under('generationConfig.maxOutputTokens'),
  frequency_penalty: under('generationConfig.frequencyPenalty'),
  presence_penalty: under('generationConfig.presencePenalty'),
  stop: under('generationConfig.stopSequences', list),
  seed: under('generationConfig.seed'),
  n: under('generationConfig.candidateCount'),
  service_tier: under('serviceTier', (tier) => (tier === 'default' ? 'standard' : tier)),
  logprobs: under('generationConfig.responseLogprobs'),
  top_logprobs: under('generationConfig.logprobs'),
  tool_choice: (body, value) => {
    const config = at(body, 'toolConfig.functionCallingConfig');
    if (typeof value === 'object') return [at(config, 'allowedFunctionNames'), [chosenName(value)]];
    const modes: Record<string, string> = { none: 'NONE', auto: 'AUTO', required: 'ANY' };
    const mode = at(config, 'mode');
    return [mode === 'VALIDATED' ? 'AUTO' : mode, modes[String(value)]];
  },
  reasoning_effort: thinking,
  response_format: format,
};

const bedrock: Protocol = {
  temperature: under('inferenceConfig.temperature'),
  top_p: under('inferenceConfig.topP'),
  max_tokens: under('inferenceConfig.maxTokens'),
  max_completion_tokens: under('inferenceConfig.maxTokens'),
  stop: under('inferenceConfig.stopSequences', list),
  metadata: under('requestMetadata'),
  service_tier: under('serviceTier.type'),
  tool_choice: (body, value) => {
    const choice = at(body, 'toolConfig.toolChoice');
    if (typeof value === 'object') return [at(choice, 'tool.name'), chosenName(value)];
    // A choice of none leaves the tools out.
    if (value === 'none') return [at(body, 'toolConfig'), undefined];
    return [Object.keys(choice as JsonObject), [value === 'required' ? 'any' : 'auto']];
  },
  reasoning_effort: effort,
  response_format: format,
};

const cohere: Protocol = {
  temperature: under('temperature'),
  top_p: under('p'),
  max_tokens: under('max_tokens'),
  max_completion_tokens: under('max_tokens'),
  frequency_penalty: under('frequency_penalty'),
  presence_penalty: under('presence_penalty'),
  stop: under('stop_sequences', list),
  seed: under('seed'),
  tool_choice: (body, value) => {
    const words: Record<string, string> = { none: 'NONE', required: 'REQUIRED' };
    return [at(body, 'tool_choice'), words[String(value)]];
  },
  reasoning_effort: somewhere('"thinking":{"type"'),
  response_format: (body, value) =>
    (value as { type: string }).type === 'text'
      ? [at(body, 'response_format.type'), 'text']
      : somewhere('"json_object"', 'JSON object')(body, value),
};

const cases: readonly (readonly [provider: string, model: string, protocol: Protocol])[] = [
  ...['openai/gpt-4.1', 'openai/gpt-5.5', 'openai/gpt-5.6-sol', 'openai/gpt-6-astra', 'openai/o3'].map(
    (model) => ['openai', model, openai] as const,
  ),
  ...[
    'claude-haiku-4-5',
    'claude-opus-5',
    'claude-fable-5-1',
    'claude-opus-4-6',
    'claude-3-haiku-20240307',
  ].map((model) => ['anthropic', `anthropic/${model}`, anthropic] as const),
  ...['gemini-2.5-flash', 'gemini-2.5-pro', 'gemini-3.5-flash'].map(
    (model) => ['google', `google/${model}`, google] as const,
  ),
  ...['amazon/nova-pro', 'amazon/nova-2-lite', 'anthropic/claude-haiku-4-5', 'anthropic/claude-opus-4-8'].map(
    (model) => ['bedrock', model, bedrock] as const,
  ),
  ['azure', 'openai/gpt-5.4', openai],
  ['google-vertex', 'google/gemini-3.5-flash', google],
  ['google-vertex-anthropic', 'anthropic/claude-sonnet-4-6', anthropic],
  ['cohere', 'cohere/command-a-plus-05-2026', cohere],
  ['cohere', 'cohere/command-a-03-2025', cohere],
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
    max_tokens: fc.integer({ min: 1, max: 200_000 }),
    max_completion_tokens: fc.integer({ min: 1, max: 200_000 }),
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

/** What of a caller's body is neither upstream nor on record. */
function unexplained(
  caller: JsonObject,
  body: JsonObject,
  changes: readonly Change[],
  protocol: Protocol,
  isSent: (name: string, value: unknown) => boolean = () => false,
): readonly string[] {
  const isTold = (path: string) =>
    changes.some(({ param }) => param === path || param.startsWith(`${path}.`));
  const { messages: said, tools: given = [], model: _, ...settings } = caller;
  const text = JSON.stringify(body);
  const lostSettings = Object.entries(settings).flatMap(([name, value]) => {
    if (isTold(name) || isSent(name, value)) return [];
    const [actual, expected] = protocol[name]?.(body, value) ?? ['not on this protocol', value];
    return isDeepStrictEqual(actual, expected) ? [] : [name];
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

describe.each(cases)('%s: %s', (provider, model, protocol) => {
  const target = targetOf(provider, model);
  const generation = providers.get(provider)?.generation;
  if (!generation) throw new Error(`${provider} does not generate.`);

  test('gets all that a caller sends, or a record says what became of it', () => {
    let answered = 0;
    fc.assert(
      fc.property(callers, (given) => {
        const caller = { model, ...given };
        const { request } = readChat(chatSchema.parse(caller));
        const normalized = refusedAs(/^(?:response_format|tools|n)$/, () =>
          normalize(request, target, generation.rules),
        );
        if (!normalized) return;
        answered += 1;
        const body = generation.protocol.encode(normalized.request, target);
        expect(unexplained(caller, body, normalized.changes, protocol)).toEqual([]);
        for (const { before, after } of normalized.changes) {
          expect(JSON.stringify([before, after])).not.toMatch(/(?:words|result|thought)-\d/);
        }
      }),
      { numRuns: 100 },
    );
    expect(answered).toBeGreaterThan(40);
  });
});

/** A host with the protocol of OpenAI, which names some parameters in its own way. */
function hostCase(provider: string, dialect: NonNullable<Host['dialect']>, model: string) {
  const { names = {}, requiredToolChoice = 'required', noneLeavesOutTools, efforts = {} } = dialect;
  const reasoning = models.get(model)?.traits.reasoning;
  const fields = reasoning && efforts[reasoning.style];
  const effort: Carried = (body, value) => {
    // A model that always thinks unless told not to.
    const isDefault = fields && !fields.on && !fields.field && value !== 'none';
    if (isDefault && at(body, 'reasoning_effort') === undefined) return [0, 0];
    return somewhere('"reasoning', '"thinking', 'enable_thinking', 'chat_template')(body, value);
  };
  const own: Protocol = {
    ...openai,
    ...Object.fromEntries(Object.entries(names).map(([name, renamed]) => [name, under(renamed)])),
    tool_choice: (body, value) => {
      if (value === 'none' && noneLeavesOutTools) return [at(body, 'tools'), undefined];
      return [at(body, 'tool_choice'), value === 'required' ? requiredToolChoice : value];
    },
    response_format: format,
    reasoning_effort: effort,
  };
  return [provider, model, own] as const;
}

const hostCases = hostNames.flatMap((provider) => {
  const { baseUrl, dialect = {} }: Host = hosts[provider];
  const called = hostModels[provider];
  return baseUrl === undefined || !called ? [] : [hostCase(provider, dialect, called.model)];
});

describe.each([...cases, ...hostCases])('%s: %s, without the rules', (provider, model, protocol) => {
  const target = targetOf(provider, model);
  const generation = providers.get(provider)?.generation;
  if (!generation) throw new Error(`${provider} does not generate.`);

  test('gets all that a caller sends, in its own form or as it is for the provider to reject, or a record says why not', () => {
    fc.assert(
      fc.property(callers, (given) => {
        const caller = { model, ...given };
        const { request } = readChat(chatSchema.parse(caller));
        const { request: sent, changes } = fitProtocol(request, target, generation.rules);
        const body = refusedAs(/./, () => generation.protocol.encode(sent, target));
        if (!body) return;
        const places = [body, at(body, 'generationConfig'), at(body, 'additionalModelRequestFields')];
        const isSent = (name: string, value: unknown) =>
          places.some((place) => holds(at(place, name), value));
        expect(unexplained(caller, body, changes, protocol, isSent)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

/** Whether the value, or an object with all of its fields, was sent. */
function holds(sent: unknown, value: unknown): boolean {
  if (typeof sent !== 'object' || typeof value !== 'object') return isDeepStrictEqual(sent, value);
  return isDeepStrictEqual({ ...sent, ...value }, sent);
}

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
