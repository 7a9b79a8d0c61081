/** `catalog compare`: the models against the public price file of LiteLLM. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { seedRows } from '../../infra/catalog/seed.ts';
import { createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { parsed, useOneOperator } from './operator.ts';

const operator = useOneOperator();
beforeAll(async () => {
  const catalog = createCatalogStore(operator.at('catalog'));
  for (const row of rows) await catalog.put(row, { source: 'operator' });
});

const base = {
  created: '2026-01-01',
  status: 'active',
  endpoints: ['chat_completions', 'responses'],
  modalities: { input: ['text', 'image'], output: ['text'] },
  limits: { context: 131_072, input: null, output: 8_192 },
  traits: {},
};
const placeAt = (provider: string, upstreamId: string, more: object = {}) => ({
  provider,
  region: provider === 'bedrock' ? 'us-east-1' : 'global',
  upstreamId,
  ...more,
});
const reason = 'The file rounds this price; ours is the exact one.';
const usual = {
  input: 2,
  output: 8,
  cachedInput: 0.5,
  tiers: [{ aboveInputTokens: 200_000, input: 4, output: 12, cachedInput: 1 }],
  serviceTiers: {
    batch: { input: 1, output: 4, cachedInput: 0.5 },
    flex: { input: 1, output: 4, cachedInput: 0.25 },
  },
};

const rows = [
  {
    ...base,
    id: 'acme/one',
    aliases: ['one-2026-01-01'],
    price: usual,
    deployments: [
      placeAt('openai', 'one'),
      placeAt('azure', 'one', { differs: [{ file: 'litellm', fields: ['cachedInput'], reason }] }),
    ],
  },
  {
    ...base,
    id: 'acme/two',
    price: { input: 1, output: 2, hours: [{ utc: ['01:00-04:00'], input: 2, output: 4 }] },
    deployments: [placeAt('deepseek', 'two', { ends: '2027-01-01' })],
  },
  {
    ...base,
    id: 'acme/three',
    price: { input: 0.1, output: 0.4 },
    laterPrices: [{ from: '2027-01-01', input: 0.2, output: 0.8 }],
    deployments: [placeAt('bedrock', 'us.three-v1:0')],
  },
  {
    ...base,
    id: 'acme/gone',
    status: 'retired',
    price: { input: 1, output: 1 },
    deployments: [placeAt('mistral', 'gone')],
  },
];

const perToken = (usd: number) => usd / 1_000_000;
const oneInLiteLlm = {
  input_cost_per_token: perToken(2),
  output_cost_per_token: perToken(8),
  cache_read_input_token_cost: perToken(0.5),
  input_cost_per_token_above_200k_tokens: perToken(4),
  output_cost_per_token_above_200k_tokens: perToken(12),
  cache_read_input_token_cost_above_200k_tokens: perToken(1),
  input_cost_per_token_flex: perToken(1),
  output_cost_per_token_flex: perToken(4),
  cache_read_input_token_cost_flex: perToken(0.25),
  input_cost_per_token_batches: perToken(1),
  output_cost_per_token_batches: perToken(4),
  cache_read_input_token_cost_batches: perToken(0.5),
  input_cost_per_token_decisions: perToken(77),
  input_cost_per_audio_token: perToken(99),
  max_input_tokens: 128_000,
  max_output_tokens: 8_192,
  mode: 'chat',
};
const liteLlm = {
  sample_spec: { max_tokens: 'a description', litellm_provider: 'one of the providers' },
  one: { ...oneInLiteLlm, litellm_provider: 'openai' },
  'one-2026-01-01': { ...oneInLiteLlm, litellm_provider: 'openai' },
  'azure/one': {
    ...oneInLiteLlm,
    cache_read_input_token_cost: perToken(0.51),
    litellm_provider: 'azure',
  },
  'deepseek/two': {
    input_cost_per_token: perToken(2),
    output_cost_per_token: perToken(4),
    deprecation_date: '2027-01-01',
    litellm_provider: 'deepseek',
    mode: 'chat',
  },
  'us.three-v1:0': {
    input_cost_per_token: perToken(0.1),
    output_cost_per_token: perToken(0.4),
    litellm_provider: 'bedrock_converse',
    mode: 'chat',
  },
  'mistral/gone': {
    input_cost_per_token: perToken(1),
    deprecation_date: '2026-01-01',
    litellm_provider: 'mistral',
    mode: 'chat',
  },
};

const at = '2026-11-22';

async function compare(content: unknown, ...words: readonly string[]) {
  const path = join(operator.directory, 'prices.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return await operator.run(['catalog', 'compare', path, '--installed', '--json', '--at', at, ...words]);
}

/** The differences, one text each. */
async function differencesFrom(content: unknown, ...words: readonly string[]) {
  const outcome = await compare(content, ...words);
  const found: readonly Record<string, unknown>[] = parsed(outcome);
  expect(outcome.code).toBe(found.length > 0 ? 1 : 0);
  return found.map(({ model, deployment, field, here, there }) =>
    [model, deployment, `${field}:`, here, there].join(' '),
  );
}

const changed = (key: keyof typeof liteLlm, more: object) => ({
  ...liteLlm,
  [key]: { ...liteLlm[key], ...more },
});

describe("LiteLLM's file", () => {
  test('that agrees has no differences, where they have no reason', async () => {
    const { code, stderr } = await compare(liteLlm);
    expect(code).toBe(0);
    expect(stderr).toContain('Compared 5 deployments: 1 differences have a reason');
    expect(await differencesFrom({ source: 'facts', models: liteLlm })).toEqual([]);
  });

  test.each([
    ['a price', { output_cost_per_token: perToken(9) }, 'output: 8 9'],
    [
      'a price that ours lacks',
      { cache_creation_input_token_cost_above_1hr: perToken(6) },
      'cacheWriteHour: unknown 6',
    ],
    [
      'a price of long prompts',
      { input_cost_per_token_above_200k_tokens: perToken(5) },
      'above 200000 input: 4 5',
    ],
    ['a price of a service tier', { output_cost_per_token_flex: perToken(5) }, 'flex output: 4 5'],
    ['a price of batches', { input_cost_per_token_batches: perToken(2) }, 'batch input: 1 2'],
    ['a tier that ours lacks', { input_cost_per_token_priority: perToken(5) }, 'priority input: unknown 5'],
    ['a limit', { max_output_tokens: 16_384 }, 'limits.output: 8192 16384'],
    ['an end', { deprecation_date: '2027-06-01' }, 'ends: unknown 2027-06-01'],
    ['what has ended', { deprecation_date: at }, `status: active ended on ${at}`],
  ])('shows %s', async (_, more, difference) => {
    expect(await differencesFrom(changed('one', more))).toEqual([`acme/one openai:global ${difference}`]);
  });

  test('shows prices of long prompts that only ours has', async () => {
    const { input_cost_per_token_above_200k_tokens: _, ...one } = liteLlm.one;
    expect(await differencesFrom({ ...liteLlm, one })).toEqual([
      'acme/one openai:global above 200000 input: set none',
    ]);
  });

  test('shows a reason whose difference is gone', async () => {
    const mended = changed('azure/one', { cache_read_input_token_cost: perToken(0.5) });
    expect(await differencesFrom(mended)).toEqual([
      'acme/one azure:global cachedInput: has a reason no difference',
    ]);
  });

  test('shows a retired model that it lists as active', async () => {
    expect(await differencesFrom(changed('mistral/gone', { deprecation_date: undefined }))).toEqual([
      'acme/gone mistral:global status: retired active',
    ]);
  });

  test('may have the prices of any hour, and is compared with those of a day', async () => {
    const cheap = { input_cost_per_token: perToken(1), output_cost_per_token: perToken(2) };
    expect(await differencesFrom(changed('deepseek/two', cheap))).toEqual([]);
    expect(await differencesFrom(liteLlm, '--at', '2027-01-01')).toEqual([
      'acme/three bedrock:us-east-1 input: 0.2 0.1',
      'acme/three bedrock:us-east-1 output: 0.8 0.4',
      'acme/two deepseek:global status: active ended on 2027-01-01',
    ]);
  });

  test('counts active models that the catalog lacks, and lists them when asked', async () => {
    const entry = { litellm_provider: 'groq', mode: 'chat' };
    const more = {
      ...liteLlm,
      'groq/new': entry,
      'groq/old': { ...entry, deprecation_date: '2026-01-01' },
      'groq/voice': { ...entry, mode: 'audio_transcription' },
      'elsewhere/new': { ...entry, litellm_provider: 'elsewhere' },
    };
    const { code, stderr } = await compare(more);
    expect([code, stderr]).toEqual([0, expect.stringContaining('1 active models of the file')]);
    expect(parsed(await compare(more, '--missing'))).toEqual([{ provider: 'groq', key: 'groq/new' }]);
  });
});

describe('catalog add --from', () => {
  const reasoning = { style: 'switch', efforts: ['none', 'high'], defaultEffort: 'high' };
  const thinks = { ...oneInLiteLlm, litellm_provider: 'openai', supports_reasoning: true };
  const addFrom = async (content: unknown, words: string) => {
    const path = join(operator.directory, 'prices.json');
    await writeFile(path, JSON.stringify(content));
    return await operator.run(['catalog', 'add', '--from', path, ...words.split(' ')]);
  };

  test('makes a row of what the file says, and stores it', async () => {
    const entry = { ...thinks, supports_reasoning: false, supports_vision: true, supports_audio_input: true };
    const file = { new: { ...entry, input_cost_per_audio_token: undefined, supports_web_search: true } };
    expect(await addFrom(file, 'openai/new')).toMatchObject({
      code: 0,
      output: [expect.stringContaining('Stored openai/new.')],
    });
    const { deployments, sources, created, ...row } = parsed(await operator.run('catalog show openai/new'));
    expect(deployments).toEqual([{ provider: 'openai', region: 'global', upstreamId: 'new' }]);
    expect(sources).toEqual([`litellm new, ${created}`]);
    expect(row).toEqual({
      id: 'openai/new',
      status: 'active',
      endpoints: ['chat_completions', 'responses'],
      // Neither audio nor searches have a price in this file.
      modalities: { input: ['text', 'image'], output: ['text'] },
      limits: { context: null, input: 128_000, output: 8_192 },
      traits: {},
      price: {
        input: 2,
        output: 8,
        cachedInput: 0.5,
        tiers: [{ aboveInputTokens: 200_000, input: 4, output: 12, cachedInput: 1 }],
        serviceTiers: usual.serviceTiers,
      },
    });
  });

  test('takes from a similar model what no file says, and stores nothing in a dry run', async () => {
    const id = 'acme/thinking';
    const row = { ...rows[0], id, aliases: [], traits: { reasoning, refuses: ['stop'] } };
    const catalog = createCatalogStore(operator.at('catalog'));
    await catalog.put({ ...row, deployments: [placeAt('openai', 'thinking')] }, { source: 'operator' });
    const words = `acme/next --like ${id} --upstream-id next-1 --dry-run`;
    const [next] = parsed(await addFrom({ 'next-1': thinks }, words));
    expect(next).toMatchObject({
      id: 'acme/next',
      traits: { reasoning, refuses: ['stop'] },
      deployments: [{ provider: 'openai', upstreamId: 'next-1' }],
    });
    expect((await operator.run('catalog show acme/next')).code).toBe(1);
  });

  test.each([
    ['openai/other', {}, 'The file has no model other of openai.'],
    ['openai/new', thinks, 'The file does not say how it reasons: name a similar model with --like.'],
    ['openai/new', { ...thinks, mode: 'embedding' }, 'The file does not say how long its vectors are'],
    ['openai/new', { ...thinks, mode: 'audio_transcription' }, 'The file does not say what new generates.'],
    ['openai/new --like acme/nothing', thinks, '--like: unknown model acme/nothing.'],
    ['new', thinks, 'new is not the id of a model'],
  ])('refuses %s in words', async (words, entry, explanation) => {
    expect(
      await addFrom({ new: { litellm_provider: 'openai', mode: 'chat', ...entry } }, words),
    ).toMatchObject({
      output: [],
      stderr: expect.stringContaining(explanation),
    });
  });

  test('the options of a row need the file', async () => {
    const outcome = await operator.run('catalog add my.json --like acme/one');
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining('--like needs --from.') });
  });
});

test.each([
  ['[1,', 'is not valid JSON: '],
  ['[]', 'is not the price file of LiteLLM.'],
  ['{"one":{"price":2}}', 'is not the price file'],
  [changed('one', { input_cost_per_token: '2e-6' }), 'one: input_cost_per_token is not a number: "2e-6"'],
  [changed('one', { output_cost_per_token: -1 }), 'one: output_cost_per_token is not a number: -1'],
])('a malformed file is refused in words: %j', async (content, explanation) => {
  expect(await compare(content)).toMatchObject({
    code: 1,
    output: [],
    stderr: expect.stringContaining(explanation),
  });
});

test('a file that is not there, or a day that is none, is refused', async () => {
  expect(await operator.run('catalog compare nowhere.json')).toMatchObject({
    code: 1,
    stderr: 'Error: Cannot read nowhere.json: no such file or directory.',
  });
  expect(await compare(liteLlm, '--at', '2026-13-01')).toMatchObject({ code: 2 });
});

const recorded = join(import.meta.dirname, '../../../shared/data/price-facts.json');

test.skipIf(!existsSync(recorded))(
  'recorded: the models that ship with the gateway have no unexplained difference',
  async () => {
    const outcome = await operator.run(['catalog', 'compare', recorded, '--at', at, '--json']);
    expect([outcome.code, parsed(outcome)]).toEqual([0, []]);
    expect(seedRows.length).toBeGreaterThan(100);
  },
);
