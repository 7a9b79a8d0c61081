/** Every figure of the examples in docs/operate/billing.md is what the gateway computes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatDollars } from '../../lib/core/accounting/money.ts';
import type { Pricing } from '../../lib/core/accounting/pricing.ts';
import { objectOf, strictObjectOf } from '../../lib/core/formats/given-fields.ts';
import { chargeOf } from '../../lib/metering/cost/charge.ts';
import { costOf } from '../../lib/metering/cost/cost.ts';
import { pricesSchema } from '../../lib/stores/catalog/price-row.ts';
import { readPrices } from '../../lib/stores/catalog/read-price.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/operate/billing.md'), 'utf8');

/** The heading before each example, and the example. */
const examples = page.split(/^#+ /m).flatMap((section) => {
  const [title = ''] = section.split('\n');
  return Array.from(
    section.matchAll(/^```json\n([\s\S]*?)^```/gm),
    ([, text = '']) => [title, JSON.parse(text)] as const,
  );
});

const prices = objectOf(pricesSchema(strictObjectOf));

function priceOf(row: unknown) {
  const [dated] = readPrices(prices.parse({ price: row }));
  if (!dated) throw new Error('No price.');
  return dated.price;
}

const dollars = (amount: number | null) => (amount === null ? null : formatDollars(amount));

test('there is an example for each kind of price', () => {
  const fields = new Set(examples.flatMap(([, { price }]) => Object.keys(price)));
  const kinds = [
    'tiers',
    'serviceTiers',
    'hours',
    'request',
    'webSearch',
    'hostedTools',
    'image',
    'cacheStorage',
  ];
  const others = [
    'cachedInput',
    'cacheWrite',
    'cacheWriteHour',
    'reasoning',
    'imageInput',
    'imageOutput',
    'audioInput',
  ];
  for (const kind of [...kinds, ...others, 'upliftPercent', 'statedCost'])
    expect([...fields]).toContain(kind);
});

test.each(examples)('%s: %j', (_, { price, usage: used, served = {}, cost, ...terms }) => {
  const usage = { cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0, ...used };
  const computed = costOf(usage, priceOf(price), served);
  expect(dollars(computed)).toBe(cost);
  const { markupPercent, fixed, charge } = terms;
  if (charge === undefined) return;
  const markup = Math.round((markupPercent ?? 0) * 100);
  const models = fixed && { 'acme/one': priceOf(fixed) };
  const pricing: Pricing = [{ from: 0, markup, ...(models && { models }) }];
  expect(dollars(chargeOf({ model: 'acme/one', usage, cost: computed }, pricing, Date.now()))).toBe(charge);
});
