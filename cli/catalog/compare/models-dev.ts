/**
 * The price file of models.dev, `api.json`: providers, each with its models; USD per million tokens.
 * Source: anomalyco/models.dev, packages/core/src/schema.ts.
 */
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
} from './public-deployment.ts';

/** The names of providers that differ from ours. */
const namesThere: Readonly<Record<string, string>> = {
  bedrock: 'amazon-bedrock',
  together: 'togetherai',
  fireworks: 'fireworks-ai',
  moonshot: 'moonshotai',
};

const same = [
  ...['openai', 'azure', 'anthropic', 'google', 'google-vertex', 'google-vertex-anthropic', 'xai', 'groq'],
  ...['cerebras', 'mistral', 'deepseek', 'alibaba', 'minimax', 'zai', 'cohere', 'openrouter', 'huggingface'],
];

const ours = new Map([
  ...same.map((name) => [name, name] as const),
  ...Object.entries(namesThere).map(([name, there]) => [there, name] as const),
]);

const fields: Readonly<Record<string, string>> = {
  input: 'input',
  output: 'output',
  cache_read: 'cachedInput',
  cache_write: 'cacheWrite',
  reasoning: 'reasoning',
  input_audio: 'audioInput',
};

/** Reads the providers of the file. */
export function readModelsDev(providers: ReadonlyMap<string, unknown>): PublicFile {
  const models = new Map<string, { readonly provider: string; readonly model: unknown }>(
    [...providers]
      .filter(([provider]) => ours.has(provider))
      .flatMap(([provider, entry]) =>
        Object.entries(objectIn(provider, objectIn(provider, entry).models)).map(
          ([id, model]) =>
            [`${provider}/${id}`, { provider: ours.get(provider) ?? provider, model }] as const,
        ),
      ),
  );
  return {
    name: 'models.dev',
    size: models.size,
    find: (deployment) => {
      const key = keyOf(deployment);
      const found = models.get(key);
      return found && readPlace(key, objectIn(key, found.model));
    },
    listActive: () => [...models].flatMap(([key, { provider, model }]) => activeModel(key, provider, model)),
  };
}

const keyOf = ({ provider, upstreamId }: DeploymentName) =>
  `${namesThere[provider] ?? provider}/${upstreamId}`;

function activeModel(key: string, provider: string, model: unknown): readonly PublicModel[] {
  return objectIn(key, model).status === 'deprecated' ? [] : [{ key, provider }];
}

function readPlace(key: string, model: Readonly<Record<string, unknown>>): PublicDeployment {
  const limit = objectIn(`${key} limit`, model.limit ?? {});
  const input = limit.input ?? limit.context;
  return {
    key,
    prices: new Map(pricesIn(key, objectIn(`${key} cost`, model.cost ?? {}))),
    limits: {
      ...(input !== undefined && { input: amountIn(key, 'limit.context', input) }),
      ...(limit.output !== undefined && { output: amountIn(key, 'limit.output', limit.output) }),
    },
    abilities: readAbilities(key, model),
  };
}

/** The file has no kind for models of embeddings: their output is text there, too. */
function readAbilities(key: string, model: Readonly<Record<string, unknown>>): PublicAbilities {
  const { input, output } = objectIn(`${key} modalities`, model.modalities ?? {});
  const { structured_output: schema, release_date: created } = model;
  return {
    ...(Array.isArray(output) && { kind: output.includes('text') ? 'text' : 'image' }),
    input: (Array.isArray(input) ? input : []).map(String).filter((name) => name !== 'text'),
    reasoning: model.reasoning === true,
    ...(typeof schema === 'boolean' && { schema }),
    ...(typeof created === 'string' && dayPattern.test(created) && { created }),
  };
}

type Prices = readonly (readonly [name: string, usd: number])[];

function pricesIn(key: string, cost: Readonly<Record<string, unknown>>): Prices {
  const { context_over_200k: over200k, tiers = [], ...standard } = cost;
  const long = Array.isArray(tiers) ? tiers : [];
  return [
    ...amountsIn(key, undefined, standard),
    // Written beside the tiers, for programs that know none.
    ...(over200k !== undefined && long.length === 0
      ? amountsIn(key, 200_000, objectIn(`${key} context_over_200k`, over200k))
      : []),
    ...long.flatMap((given) => {
      const { tier, ...prices } = objectIn(`${key} tiers`, given);
      const { size } = objectIn(`${key} tier`, tier);
      return amountsIn(key, amountIn(key, 'tier.size', size), prices);
    }),
  ];
}

function amountsIn(
  key: string,
  above: number | undefined,
  prices: Readonly<Record<string, unknown>>,
): Prices {
  return Object.entries(prices).flatMap(([field, value]) => {
    const name = fields[field];
    if (name === undefined || value === undefined) return [];
    return [[`${tierName(undefined, above)}${name}`, amountIn(key, field, value)] as const];
  });
}
