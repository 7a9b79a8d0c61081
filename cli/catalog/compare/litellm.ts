/**
 * The price file of LiteLLM, `model_prices_and_context_window.json`: one object per model, with USD per token. Its names of fields
 * end with the length of the input and with the service tier: `input_cost_per_token_above_272k_tokens_flex`.
 */
import { stat } from 'node:fs/promises';
import { isJsonObject } from '../../../lib/core/formats/json-object.ts';
import { readJsonFile, unreadable } from '../../read-file.ts';
import {
  amountIn,
  type DeploymentName,
  dayPattern,
  objectIn,
  type PublicAbilities,
  type PublicDeployment,
  type PublicFile,
  type PublicModel,
  tierName,
  times,
} from './public-deployment.ts';

/** For each provider: the keys that it may have, with the id and the region, and the names that LiteLLM has for it. */
const providers: Readonly<
  Record<string, { readonly keys: readonly string[]; readonly names: readonly string[] }>
> = {
  openai: { keys: ['<id>'], names: ['openai'] },
  azure: { keys: ['azure/<id>', 'azure/<region>/<id>'], names: ['azure'] },
  'alibaba-dashscope': { keys: ['dashscope/<id>'], names: [] },
  'azure-cohere': { keys: ['azure_ai/<id>'], names: [] },
  anthropic: { keys: ['<id>'], names: ['anthropic'] },
  bedrock: { keys: ['<id>', 'bedrock/<region>/<id>'], names: ['bedrock', 'bedrock_converse'] },
  google: { keys: ['gemini/<id>'], names: ['gemini'] },
  'google-vertex': {
    keys: ['<id>', 'vertex_ai/<id>'],
    names: ['vertex_ai-language-models', 'vertex_ai-embedding-models', 'vertex_ai'],
  },
  'google-vertex-anthropic': { keys: ['vertex_ai/<id>'], names: ['vertex_ai-anthropic_models'] },
  'google-vertex-ranking': { keys: ['vertex_ai/<id>'], names: [] },
  cohere: { keys: ['<id>', 'cohere/<id>', 'cohere_chat/<id>'], names: ['cohere', 'cohere_chat'] },
  together: { keys: ['together_ai/<id>'], names: ['together_ai'] },
  fireworks: { keys: ['fireworks_ai/<id>'], names: ['fireworks_ai'] },
  alibaba: { keys: ['dashscope/<id>'], names: ['dashscope'] },
  jina: { keys: ['<id>'], names: ['jina_ai'] },
  ...Object.fromEntries(
    ['xai', 'groq', 'cerebras', 'mistral', 'moonshot', 'deepseek', 'minimax', 'zai', 'voyage'].map((name) => [
      name,
      { keys: [`${name}/<id>`], names: [name] },
    ]),
  ),
};

const providerNamed = new Map(
  Object.entries(providers).flatMap(([provider, { names }]) => names.map((name) => [name, provider])),
);

const perMillion: Readonly<Record<string, string>> = {
  input_cost_per_token: 'input',
  output_cost_per_token: 'output',
  cache_read_input_token_cost: 'cachedInput',
  cache_creation_input_token_cost: 'cacheWrite',
  cache_creation_input_token_cost_above_1hr: 'cacheWriteHour',
  cache_creation_input_token_cost_above_12hr: 'cacheWriteHour',
  output_cost_per_reasoning_token: 'reasoning',
  input_cost_per_image_token: 'imageInput',
  cache_read_input_image_token_cost: 'cachedImageInput',
  output_cost_per_image_token: 'imageOutput',
  input_cost_per_audio_token: 'audioInput',
  cache_read_input_audio_token_cost: 'cachedAudioInput',
};

/** `decisions` is a product of its own. */
const otherTier = 'decisions';

/** The service tiers that the catalog has other names for. */
const tierNames: Readonly<Record<string, string>> = { batches: 'batch' };

const fieldPattern = /^(.*?)(?:_above_(\d+)k_tokens)?(?:_(flex|priority|ultrafast|batches|decisions))?$/;

const served = ['chat', 'responses', 'embedding', 'image_generation', 'rerank', 'audio_speech'];

/** The largest files have a few megabytes, and some thousand models. */
const maxComparedBytes = 64 * 1024 * 1024;
const maxComparedModels = 50_000;

/** Rejects with an Error that names the file and what is wrong. */
export async function readPriceFile(path: string): Promise<PublicFile> {
  const { size } = await stat(path).catch(unreadable(path));
  if (size > maxComparedBytes)
    throw new Error(`${path} is too large: ${size} bytes, at most ${maxComparedBytes}.`);
  const entries = entriesIn(await readJsonFile(path));
  if (![...entries.values()].some((entry) => providerOf(entry) !== undefined))
    throw new Error(`${path} is not the price file of LiteLLM.`);
  if (entries.size > maxComparedModels)
    throw new Error(`${path} has too many models: ${entries.size}, at most ${maxComparedModels}.`);
  return {
    find: (deployment) => {
      const found = keysOf(deployment).find((key) => isAt(deployment.provider, entries.get(key)));
      return found === undefined ? undefined : readPlace(found, objectIn(found, entries.get(found)));
    },
    listActive: (at) => [...entries].flatMap(([key, entry]) => activeModel(key, entry, at)),
  };
}

/** Models are on top, or in `models`. */
function entriesIn(content: unknown): ReadonlyMap<string, unknown> {
  const { models = content } = Object(content) as { readonly models?: unknown };
  return new Map(isJsonObject(models) ? Object.entries(models) : []);
}

const keysOf = ({ provider, region, upstreamId }: DeploymentName) =>
  (providers[provider]?.keys ?? []).map((key) =>
    key.replace('<region>', () => region).replace('<id>', () => upstreamId),
  );

function isAt(provider: string, entry: unknown): boolean {
  const name = providerOf(entry);
  return name !== undefined && providerNamed.get(name) === provider;
}

function providerOf(entry: unknown): string | undefined {
  const { litellm_provider: name } = Object(entry) as { readonly litellm_provider?: unknown };
  return typeof name === 'string' ? name : undefined;
}

function activeModel(key: string, entry: unknown, at: string): readonly PublicModel[] {
  const provider = providerNamed.get(providerOf(entry) ?? '');
  if (provider === undefined) return [];
  const { mode, deprecation_date: ends } = objectIn(key, entry);
  const isActive = !(typeof ends === 'string' && ends <= at);
  return isActive && served.some((one) => one === mode) ? [{ key, provider }] : [];
}

function readPlace(key: string, entry: Readonly<Record<string, unknown>>): PublicDeployment {
  const { max_input_tokens: input, max_output_tokens: output, deprecation_date: ends } = entry;
  const limit = (field: string, value: unknown) =>
    value === undefined || value === null ? undefined : amountIn(key, field, value);
  const limits = { input: limit('max_input_tokens', input), output: limit('max_output_tokens', output) };
  return {
    key,
    prices: new Map([...tokenPrices(key, entry), ...tieredPrices(key, entry), ...otherPrices(key, entry)]),
    limits: {
      ...(limits.input !== undefined && { input: limits.input }),
      ...(limits.output !== undefined && { output: limits.output }),
    },
    ...(typeof ends === 'string' && dayPattern.test(ends) && { ends }),
    abilities: readAbilities(key, entry),
  };
}

const kinds: Readonly<Record<string, NonNullable<PublicAbilities['kind']>>> = {
  chat: 'text',
  responses: 'text',
  embedding: 'embedding',
  image_generation: 'image',
  rerank: 'rerank',
  audio_speech: 'speech',
};

const inputs = { supports_vision: 'image', supports_pdf_input: 'pdf', supports_audio_input: 'audio' };

function readAbilities(key: string, entry: Readonly<Record<string, unknown>>): PublicAbilities {
  const { mode, supports_response_schema: schema, output_vector_size: dimensions } = entry;
  const kind = kinds[String(mode)];
  return {
    ...(kind && { kind }),
    ...(mode === 'responses' && { onlyResponses: true }),
    input: Object.entries(inputs).flatMap(([field, name]) => (entry[field] === true ? [name] : [])),
    reasoning: entry.supports_reasoning === true,
    ...(typeof schema === 'boolean' && { schema }),
    webSearch: entry.supports_web_search === true,
    ...(dimensions !== undefined && { dimensions: amountIn(key, 'output_vector_size', dimensions) }),
  };
}

type Prices = readonly (readonly [name: string, usd: number])[];

function tokenPrices(key: string, entry: Readonly<Record<string, unknown>>): Prices {
  return Object.entries(entry).flatMap(([field, value]) => {
    const [, base = '', thousands, service] = fieldPattern.exec(field) ?? [];
    const name = perMillion[base];
    if (name === undefined || value === null || service === otherTier) return [];
    const above = thousands === undefined ? undefined : Number(thousands) * 1_000;
    const tier = service && (tierNames[service] ?? service);
    return [[`${tierName(tier, above)}${name}`, times(1e6, amountIn(key, field, value))] as const];
  });
}

/** `tiered_pricing`: a list of ranges of input tokens, each with its prices. */
function tieredPrices(key: string, { tiered_pricing: tiers }: Readonly<Record<string, unknown>>): Prices {
  if (!Array.isArray(tiers)) return [];
  return tiers.flatMap((given) => {
    const { range, ...prices } = objectIn(`${key} tiered_pricing`, given);
    const above = amountIn(key, 'tiered_pricing range', Array.isArray(range) ? range[0] : undefined);
    return tokenPrices(key, prices).map(
      ([name, usd]) => [`${tierName(undefined, above)}${name}`, usd] as const,
    );
  });
}

function otherPrices(key: string, entry: Readonly<Record<string, unknown>>): Prices {
  const { search_context_cost_per_query: search, output_cost_per_image_token: imageToken, mode } = entry;
  // Where images have tokens, a price for each is only an example.
  const image =
    mode === 'image_generation' && imageToken === undefined
      ? (entry.output_cost_per_image ?? entry.input_cost_per_image)
      : undefined;
  return [
    ...(search === undefined ? [] : [['webSearch', searchPrice(key, search)] as const]),
    ...(entry.input_cost_per_character === undefined
      ? []
      : [
          [
            'characters',
            times(1e6, amountIn(key, 'input_cost_per_character', entry.input_cost_per_character)),
          ] as const,
        ]),
    ...(image === undefined ? [] : [['image', amountIn(key, 'output_cost_per_image', image)] as const]),
    ...(Object.keys(perThousand) as (keyof typeof perThousand)[]).flatMap((field) =>
      // Other modes have prices of queries that are none of reranking.
      entry[field] === undefined || (field === 'input_cost_per_query' && mode !== 'rerank')
        ? []
        : [[perThousand[field], times(1e3, amountIn(key, field, entry[field]))] as const],
    ),
  ];
}

const perThousand = {
  input_cost_per_request: 'request',
  input_cost_per_query: 'searchUnit',
  code_interpreter_cost_per_session: 'hostedTools.code_interpreter',
} as const;

/** Of a search with the default size of context. */
function searchPrice(key: string, sizes: unknown): number {
  const field = 'search_context_cost_per_query';
  return times(1e3, amountIn(key, field, objectIn(`${key} ${field}`, sizes).search_context_size_medium));
}
