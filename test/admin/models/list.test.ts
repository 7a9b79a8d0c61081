/** The catalog of the dashboard: pages, searches, aliases, rows that cannot be used, and whose prices are shown. */
import { expect, test } from 'vitest';
import { listModels } from '../../../lib/admin/models/list.ts';
import type { User } from '../../../lib/core/admin/user.ts';

const operator: User = { id: 'olga', name: 'Olga', role: 'operator', via: 'oidc' };
const viewer: User = { ...operator, role: 'viewer', tenant: 'acme' };

const row = (id: string, more: object = {}) => ({
  id,
  source: 'seed' as const,
  row: {
    id,
    created: '2025-04-14',
    status: 'active',
    endpoints: ['chat_completions'],
    modalities: { input: ['text'], output: ['text'] },
    limits: { context: 100, input: null, output: 10 },
    traits: {},
    price: { input: 2, output: 8 },
    sources: ['example.org, 2026-11-22'],
    deployments: [{ provider: 'openai', region: 'global', upstreamId: 'x' }],
    ...more,
  },
});

const rows = [
  row('acme/alpha-1'),
  row('acme/beta', { aliases: ['beta-2025-04-14'], status: 'deprecated' }),
  { ...row('acme/broken', { price: 'free' }), source: 'operator' as const },
  row('other/gamma'),
];

const tenant = { name: 'acme', createdAt: 1, models: ['acme/*'], pricing: [{ from: 0, markup: 5_000 }] };

const list = (query: Parameters<typeof listModels>[2] = {}, user = operator) =>
  listModels(
    {
      models: {
        list: async () => rows,
        aliases: async () => new Map([['fast', [{ model: 'acme/beta', weight: 1 }]]]),
      },
      tenants: { find: async (name) => (name === 'acme' ? tenant : undefined) },
      now: () => 1_000_000,
      warn: () => {},
    },
    user,
    query,
  );

const idsOf = async (...asked: Parameters<typeof list>) =>
  (await list(...asked)).data.map(({ id }) => id.split('/')[1]).join(' ');

test('rows that cannot be used are listed apart, for operators with every page', async () => {
  const { data, ...whole } = await list();
  expect(data).toHaveLength(3);
  expect(whole).toEqual({
    object: 'list',
    has_more: false,
    next_after: null,
    faulty: [{ id: 'acme/broken', written_by: 'operator', fault: expect.stringContaining('price') }],
  });
  expect((await list({ after: 'acme/alpha-1' })).faulty).toEqual(whole.faulty);
  expect((await list({}, viewer)).faulty).toEqual([]);
});

test('pages go on after an id', async () => {
  expect(await list({ limit: 2 })).toMatchObject({ has_more: true, next_after: 'acme/beta' });
  expect(await list({ limit: 3 })).toMatchObject({ has_more: false, next_after: null });
  expect(await idsOf({ limit: 1, after: 'acme/alpha-1' })).toBe('beta');
  expect(await list({ limit: 2, after: 'acme/beta' })).toMatchObject({ has_more: false });
  expect(await list({ after: 'zero' })).toMatchObject({ data: [], has_more: false });
});

test.each([
  [{ status: 'deprecated' as const }, 'beta'],
  [{ search: 'ACME/' }, 'alpha-1 beta'],
  [{ search: ' alpha 1 ' }, 'alpha-1'],
  [{ search: '2025-04' }, 'beta'],
  [{ search: 'fast' }, ''],
  [{ search: '' }, 'alpha-1 beta gamma'],
])('%j finds %s', async (query, ids) => {
  expect(await idsOf(query)).toBe(ids);
});

test('an alias of the operator is a name of its models', async () => {
  const { data } = await list();
  expect(data.map(({ aliases }) => aliases)).toEqual([[], ['beta-2025-04-14', 'fast'], []]);
});

test('a tenant sees its own prices, and what it may use', async () => {
  const facts = async (...asked: Parameters<typeof list>) =>
    (await list(...asked)).data.map(({ price, allowed }) => [price?.input, allowed]);
  expect(await facts({}, viewer)).toEqual([
    ['3.00', true],
    ['3.00', true],
    ['3.00', false],
  ]);
  expect(await facts({ tenant: 'acme' })).toEqual(await facts({}, viewer));
  expect(await facts({ tenant: 'acme' }, viewer)).toEqual(await facts({}, viewer));
  expect((await facts())[2]).toEqual(['2.00', true]);
});

test.each([
  ['other', viewer],
  ['other', operator],
])('the tenant %s is not found', async (name, user) => {
  await expect(list({ tenant: name }, user)).rejects.toMatchObject({ status: 404, param: 'tenant' });
});

test('a user of a tenant that is gone finds none', async () => {
  await expect(list({}, { ...viewer, tenant: 'gone' })).rejects.toThrow('Tenant not found: gone.');
});
