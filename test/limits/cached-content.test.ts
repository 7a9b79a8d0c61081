/** Content that a provider stores for later requests is reserved before it is made: its tokens once more, and its storage. */

import { beforeAll, expect, test } from 'vitest';
import { createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { connectDatabase } from '../../local/database-call.ts';
import { databaseEndpoint } from '../harness/gateways/environment.ts';
import { textModel } from '../harness/text-model.ts';
import { useLimitedGateway } from './limited-gateway.ts';

const gateway = useLimitedGateway();

const row = (name: string, more: object) =>
  textModel(
    `stored/${name}`,
    { provider: 'google', upstreamId: 'gemini-2.5-flash' },
    { price: { input: 2, output: 12, cachedInput: 0.2, ...more } },
  );

beforeAll(async () => {
  const { call, close } = connectDatabase(databaseEndpoint());
  const catalog = createCatalogStore({ call, table: 'catalog' });
  await catalog.put(row('priced', { cacheStorage: 4.5 }), { source: 'operator' });
  await catalog.put(row('unpriced', {}), { source: 'operator' });
  await close();
});

const characters = 10_000;
/** In nano-dollars, as in the row: of a token of input, and of keeping one for an hour. */
const [input, storage] = [2_000, 4_500];

async function codeOf(model: string, monthlyBudget: number, ttl?: string) {
  const { secret } = await gateway.newKey({ key: { monthlyBudget } });
  const marker = ttl !== undefined && { cache_control: { type: 'ephemeral', ttl } };
  const rules = { type: 'text', text: 'a'.repeat(characters), ...marker };
  const response = await gateway.ask(secret, {
    model,
    max_completion_tokens: 50,
    messages: [
      { role: 'system', content: [rules] },
      { role: 'user', content: 'Go.' },
    ],
  });
  const { error } = (await response.json()) as { error?: { code: string } };
  return error?.code;
}

test('its creation and its storage are within the budget, or it is refused', async () => {
  const once = characters * input;
  expect(await codeOf('stored/priced', 1.5 * once)).toBeUndefined();
  expect(await codeOf('stored/priced', 1.5 * once, '1h')).toBe('insufficient_quota');
  expect(await codeOf('stored/priced', 2 * once + 0.9 * characters * storage, '1h')).toBe(
    'insufficient_quota',
  );
  expect(await codeOf('stored/priced', 2.5 * once + characters * storage, '1h')).toBeUndefined();
  expect(await codeOf('stored/priced', 2.5 * once + characters * storage, '31536000s')).toBeUndefined();
});

test('without a price of storage it is refused', async () => {
  expect(await codeOf('stored/unpriced', 1e12, '1h')).toBe('price_unknown');
  expect(await codeOf('stored/unpriced', 1e12)).toBeUndefined();
});
