/**
 * The models of these tests, one for each kind of price. Their rows are what an operator would write: USD per million tokens.
 * `price-list.ts` computes with the same rows and without the gateway's code.
 */

import { createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { connectDatabase } from '../../local/database-call.ts';
import { databaseEndpoint } from '../harness/gateways/environment.ts';

/** How the provider counts and answers. */
export type Protocol =
  | 'chat'
  | 'responses'
  | 'messages'
  | 'gemini'
  | 'embeddings'
  | 'images'
  | 'gemini-images';

interface BilledModel {
  readonly id: string;
  readonly protocol: Protocol;
  readonly provider: string;
  readonly price: PriceRow;
}

/** USD per million tokens; `webSearch` per thousand. */
export interface Amounts {
  readonly input: number;
  readonly output: number;
  readonly cachedInput?: number;
  readonly cacheWrite?: number;
  readonly cacheWriteHour?: number;
  readonly imageInput?: number;
  readonly imageOutput?: number;
  readonly tiers?: readonly (Omit<Amounts, 'tiers'> & { readonly aboveInputTokens: number })[];
}

export interface PriceRow extends Amounts {
  readonly serviceTiers?: Readonly<Record<string, Amounts>>;
  readonly webSearch?: number;
}

export const models = {
  'billed/chat': {
    protocol: 'chat',
    provider: 'deepseek',
    price: { input: 1.25, output: 10, cachedInput: 0.125 },
  },
  'billed/long': {
    protocol: 'chat',
    provider: 'deepseek',
    price: {
      input: 2.5,
      output: 15,
      cachedInput: 0.25,
      tiers: [
        { aboveInputTokens: 20_000, input: 5, output: 22.5, cachedInput: 0.5 },
        { aboveInputTokens: 80_000, input: 7.5, output: 30, cachedInput: 0.75 },
      ],
    },
  },
  'billed/tiered': {
    protocol: 'responses',
    provider: 'openai',
    price: {
      input: 4,
      output: 20,
      cachedInput: 0.4,
      webSearch: 10,
      serviceTiers: {
        flex: { input: 2, output: 10, cachedInput: 0.2 },
        priority: { input: 8, output: 40, cachedInput: 0.8 },
      },
    },
  },
  'billed/claude': {
    protocol: 'messages',
    provider: 'anthropic',
    price: {
      input: 5,
      output: 25,
      cachedInput: 0.5,
      cacheWrite: 6.25,
      cacheWriteHour: 10,
      webSearch: 10,
    },
  },
  'billed/gemini': {
    protocol: 'gemini',
    provider: 'google',
    price: {
      input: 2,
      output: 12,
      cachedInput: 0.2,
      tiers: [{ aboveInputTokens: 40_000, input: 4, output: 18, cachedInput: 0.4 }],
    },
  },
  'billed/vectors': { protocol: 'embeddings', provider: 'openai', price: { input: 0.13, output: 0 } },
  'billed/pictures': {
    protocol: 'images',
    provider: 'openai',
    price: { input: 5, output: 30, cachedInput: 1.25, imageInput: 8, imageOutput: 32 },
  },
  'billed/drawings': {
    protocol: 'gemini-images',
    provider: 'google',
    price: { input: 0.3, output: 2.5, imageOutput: 30 },
  },
} as const satisfies Readonly<Record<string, Omit<BilledModel, 'id'>>>;

export type ModelId = keyof typeof models;

export const billedModel = (id: string): BilledModel => {
  const found: Omit<BilledModel, 'id'> | undefined = models[id as ModelId];
  if (!found) throw new Error(`No model ${id}.`);
  return { id, ...found };
};

/** The model's name at its provider. */
const upstreamIdOf = (id: string): string => id.slice('billed/'.length);

const endpointsOf = (protocol: Protocol) => {
  if (protocol === 'embeddings') return ['embeddings'];
  return protocol.endsWith('images') ? ['images_generations'] : ['chat_completions', 'responses'];
};

const traitsOf = (protocol: Protocol) => {
  if (protocol === 'embeddings') return { embedding: { dimensions: { default: 3 } } };
  if (protocol.endsWith('images')) return { image: {} };
  return protocol === 'responses' ? { webSearch: true, onlyResponses: true } : {};
};

/** Writes the rows into the catalog of the gateway that runs in this process. */
export async function putBilledModels(): Promise<void> {
  const { call, close } = connectDatabase(databaseEndpoint());
  const catalog = createCatalogStore({ call, table: 'catalog' });
  for (const id of Object.keys(models)) {
    const { protocol, provider, price } = billedModel(id);
    const output = protocol === 'embeddings' ? 'embedding' : protocol.endsWith('images') ? 'image' : 'text';
    const row = {
      id,
      created: '2026-01-01',
      status: 'active',
      endpoints: endpointsOf(protocol),
      modalities: { input: ['text'], output: [output] },
      limits: { context: null, input: null, output: output === 'text' ? 4096 : null },
      traits: traitsOf(protocol),
      price,
      deployments: [{ provider, region: 'global', upstreamId: upstreamIdOf(id) }],
    };
    await catalog.put(row, { source: 'operator' });
  }
  await close();
}
