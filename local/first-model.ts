/**
 * The model of the first request that the local gateway suggests: the cheapest chat model, of a real provider if there
 * is one.
 */
import { seedRows } from '../infra/catalog/seed.ts';
import { priceAt } from '../lib/core/accounting/price.ts';
import type { Model } from '../lib/core/catalog/model.ts';
import { readModelRow } from '../lib/stores/catalog/model-row.ts';
import type { ProviderChoice } from './environment.ts';

/** Undefined if none of them serves a model of the catalog. */
export function chooseFirstModel(choices: readonly ProviderChoice[]): string | undefined {
  const real = choices.filter(({ kind }) => kind === 'real');
  return cheapestOf(real) ?? cheapestOf(choices);
}

function cheapestOf(choices: readonly ProviderChoice[]): string | undefined {
  const providers = new Set(choices.map(({ provider }) => provider));
  const served = seedRows
    .map((row) => readModelRow(row))
    .filter(({ deployments }) => providers.has(deployments[0]?.provider ?? ''))
    .filter(({ status, endpoints }) => status === 'active' && endpoints.includes('chat_completions'));
  return served.toSorted((one, other) => priceOf(one) - priceOf(other))[0]?.id;
}

function priceOf({ prices }: Model): number {
  const now = priceAt(prices, Date.now() / 1000)?.price;
  return now === undefined ? Number.POSITIVE_INFINITY : now.input + now.output;
}
