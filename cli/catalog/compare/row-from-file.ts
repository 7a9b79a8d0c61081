/**
 * A catalog row with what a public price file says about a model: prices, limits and abilities. What the file does not say is null
 * or absent, unless another row is given as an example: how a model reasons, or which parameters it refuses, no file says.
 */
import type { Model } from '../../../lib/core/catalog/model.ts';
import type { PublicAbilities, PublicFile } from './public-deployment.ts';

interface RowSource {
  readonly file: PublicFile;
  /** The id of the new row, and where it is served. */
  readonly id: string;
  readonly provider: string;
  readonly region: string;
  readonly upstreamId: string;
  /** The stored row whose traits and timeouts it gets. */
  readonly example?: unknown;
  /** The day on which the file was read. */
  readonly day: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Throws an Error that says what the file does not have. */
export function rowFromFile({ file, id, provider, region, upstreamId, example, day }: RowSource): Fields {
  const deployment = file.find({ provider, region, upstreamId });
  if (!deployment) throw new Error(`The file has no model ${upstreamId} of ${provider}.`);
  const { abilities, limits, prices, key, ends } = deployment;
  const { kind } = abilities;
  if (!kind) throw new Error(`The file does not say what ${key} generates.`);
  const input = ['text', ...inputsOf(abilities, prices)];
  const same = (example ?? {}) as Partial<Pick<Model, 'id' | 'traits' | 'timeouts'>>;
  return {
    id,
    created: day,
    status: 'active',
    endpoints: endpointsOf[kind],
    modalities: { input, output: [kind] },
    limits: { context: null, input: limits.input ?? null, output: limits.output ?? null },
    // Searches without a price would make the cost of an answer unknown.
    traits: traitsOf({ ...abilities, ...(!prices.has('webSearch') && { webSearch: false }) }, same.traits),
    price: priceRow(prices, { key, kind, hasAudio: input.includes('audio') }),
    sources: [`litellm ${key}, ${day}`, ...(same.id ? [`traits as ${same.id}, ${day}`] : [])],
    deployments: [{ provider, region, upstreamId, ...(ends !== undefined && { ends }) }],
    ...(same.timeouts && { timeouts: same.timeouts }),
  };
}

const endpointsOf = {
  text: ['chat_completions', 'responses'],
  embedding: ['embeddings'],
  image: ['images_generations'],
  rerank: ['rerank'],
  speech: ['audio_speech'],
} as const;

/** Input whose price is unknown is left out: it would make the cost of an answer unknown. */
const inputsOf = (
  { kind, input }: PublicAbilities,
  prices: ReadonlyMap<string, number>,
): readonly string[] =>
  kind === 'text' ? input.filter((name) => name !== 'audio' || prices.has('audioInput')) : [];

/** The traits of the example, without what the file denies. */
function traitsOf(abilities: PublicAbilities, example: Model['traits'] | undefined): Fields {
  const { kind, reasoning, schema, webSearch, dimensions } = abilities;
  if (kind === 'embedding') {
    const embedding = dimensions === undefined ? undefined : { dimensions: { default: dimensions } };
    return { embedding: example?.embedding ?? embedding ?? missing('how long its vectors are') };
  }
  if (kind === 'image') return { image: example?.image ?? {} };
  if (kind === 'rerank') return {};
  if (kind === 'speech') return { speech: example?.speech ?? {} };
  if (reasoning && !example) missing('how it reasons');
  const { embedding: _, image: __, structuredOutput, webSearch: searches, ...traits } = example ?? {};
  const format = schema === undefined ? structuredOutput : schema && 'schema';
  return {
    ...(reasoning ? traits : withoutReasoning(traits)),
    ...(abilities.onlyResponses && { onlyResponses: true }),
    ...(format && { structuredOutput: format }),
    ...((webSearch ?? searches) && { webSearch: true }),
  };
}

function withoutReasoning({
  reasoning: _,
  refusesWhileReasoning: __,
  toolsWhileReasoning: ___,
  ...others
}: Partial<Model['traits']>): Fields {
  return others;
}

function missing(what: string): never {
  throw new Error(`The file does not say ${what}: name a similar model with --like.`);
}

/** Before the name of a price stand the service tier and the length of the input from which it applies. */
const namePattern = /^(?:(?!above )(\S+) )?(?:above (\d+) )?(\S+)$/;

interface NamedPrice {
  readonly tier: string | undefined;
  readonly above: number | undefined;
  readonly field: string;
  readonly usd: number;
}

const toolPrefix = 'hostedTools.';

interface Priced {
  readonly key: string;
  readonly kind: NonNullable<PublicAbilities['kind']>;
  readonly hasAudio: boolean;
}

function priceRow(prices: ReadonlyMap<string, number>, { key, kind, hasAudio }: Priced): Fields {
  const named = [...prices]
    .map(([name, usd]) => readName(name, usd))
    .filter(({ field }) => hasAudio || !/audio/i.test(field));
  const tools = named.filter(({ field }) => field.startsWith(toolPrefix));
  const others = named.filter(({ field }) => !field.startsWith(toolPrefix));
  const price = tieredPrice(others.filter(({ tier }) => tier === undefined));
  if ([price.input, price.image, price.searchUnit, price.characters].every((one) => one === undefined))
    throw new Error(`The file has no price for ${key}.`);
  if (price.output === undefined && kind === 'text')
    throw new Error(`The file has no price for the output of ${key}.`);
  const serviceTiers = [...new Set(others.flatMap(({ tier }) => tier ?? []))].flatMap((name) => {
    const ofTier = tieredPrice(others.filter(({ tier }) => tier === name));
    // Vectors have no output; of anything else, a tier without a price of it says too little.
    const tier: Fields = { ...(kind === 'embedding' && { output: 0 }), ...ofTier };
    return tier.input === undefined || tier.output === undefined ? [] : [[name, tier] as const];
  });
  return {
    // Vectors, scores, and images that are charged one by one, have no tokens of output that are charged.
    input: 0,
    output: 0,
    ...price,
    ...(serviceTiers.length > 0 && { serviceTiers: Object.fromEntries(serviceTiers) }),
    ...(tools.length > 0 && {
      hostedTools: Object.fromEntries(tools.map(({ field, usd }) => [field.slice(toolPrefix.length), usd])),
    }),
  };
}

function readName(name: string, usd: number): NamedPrice {
  const [, tier, above, field = name] = namePattern.exec(name) ?? [];
  return { tier, above: above === undefined ? undefined : Number(above), field, usd };
}

/** The prices of one service tier. What a length of input does not state costs as much as at the others. */
function tieredPrice(prices: readonly NamedPrice[]): Fields {
  const base = amountsAbove(prices, undefined);
  const thresholds = [...new Set(prices.flatMap(({ above }) => above ?? []))].sort(
    (one, other) => one - other,
  );
  const tiers = thresholds.map((above) => ({
    aboveInputTokens: above,
    ...(base.input !== undefined && { input: base.input }),
    ...(base.output !== undefined && { output: base.output }),
    ...amountsAbove(prices, above),
  }));
  return { ...base, ...(tiers.length > 0 && { tiers }) };
}

function amountsAbove(prices: readonly NamedPrice[], threshold: number | undefined): Fields {
  const chosen = prices.filter(({ above }) => above === threshold);
  const { imageInput, ...others } = Object.fromEntries(chosen.map(({ field, usd }) => [field, usd]));
  // Without a price of their own, images cost as much as text.
  return { ...others, ...(imageInput !== undefined && imageInput !== others.input && { imageInput }) };
}
