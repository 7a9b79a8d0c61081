/** Lists of keys and tenants on a local gateway: what each was charged this month and has used of its budgets, and their order over pages. */
import { beforeAll, describe, expect, test } from 'vitest';
import { pageSizes } from '../../dashboard/api/page-sizes.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createTenantEdits } from '../../lib/stores/access/tenant-edits.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { openTable } from '../../lib/stores/dynamodb/table.ts';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { type AdminClient, signInAs } from '../harness/admin/admin-client.ts';
import { useGateway } from '../harness/gateways/use-gateway.ts';
import { testRecord } from '../harness/ledger.ts';
import { useLedger } from '../harness/use-ledger.ts';

const gateway = useGateway();
const used = useLedger(() => []);
const dollar = 1_000_000_000;
const month = Date.parse(new Date().toISOString().slice(0, 7));
const at = month + 1_000;

let operator: AdminClient;
let member: AdminClient;
const ids: Record<string, string> = {};

const noteSince = (marks: object) =>
  openTable({ call: used.ledger.call, table: 'usage' }).put(['sums', 'since'], marks);

beforeAll(async () => {
  const { ledger } = used;
  const access = { call: ledger.call, table: 'access' };
  const limits = createLimitStore({ call: ledger.call, table: 'usage', now: Date.now });
  await noteSince({ at: 1, keysAt: 1 });
  for (const name of ['idle', 'large', 'small']) await createTenantStore(access).create(name);
  await createTenantEdits(access).edit('small', () => ({
    limits: { credit: 10 * dollar, monthlyBudget: 100 * dollar },
  }));
  await createTenantEdits(access).edit('large', () => ({ limits: { requestsPerMinute: 5 } }));
  const keys = createKeyStore(access);
  const make = async (tenant: string, name: string, more: object = {}) => {
    ids[name] = (await keys.create({ tenant, name, ...more })).id;
  };
  await make('large', 'key 10', { owner: 'mia' });
  await make('large', 'key 9');
  await make('small', 'Budgeted', { limits: { dailyBudget: 4 * dollar, monthlyBudget: 100 * dollar } });
  const committed = { day: 3 * dollar, week: 3 * dollar, month: 3 * dollar, total: 3 * dollar };
  await limits.seed({ kind: 'key', id: ids.Budgeted ?? '' }, committed);
  await limits.seed({ kind: 'tenant', id: 'small' }, committed);
  const record = (tenant: string, name: string, changes: object) =>
    testRecord({ tenant, key: ids[name] ?? '', at, ...changes });
  await ledger.write(
    record('large', 'key 10', { cost: 4 * dollar, charge: 5 * dollar }),
    record('large', 'key 9', { cost: null, charge: null }),
    record('small', 'Budgeted', { cost: dollar, charge: 3 * dollar }),
    record('small', 'Budgeted', { cost: null, charge: null }),
    record('small', 'Budgeted', { cost: dollar, charge: 9 * dollar, at: month - 1_000 }),
  );
  operator = await signInAs(gateway(), { id: 'olga', name: 'Olga', role: 'operator' });
  member = await signInAs(gateway(), { id: 'mia', name: 'Mia', role: 'member', tenant: 'large' });
});

const get = async (path: string, client = operator) => {
  const { status, body } = await client.call('GET', path);
  expect([status, body.error]).toEqual([200, undefined]);
  return body;
};

// Those of members: test/admin/members.test.ts.
const { '/members': _, ...sizes } = pageSizes;
test.each(Object.entries(sizes))('%s gives %i rows at once, and no more', async (path, limit) => {
  await get(`${path}?limit=${limit}`);
  const { status, body } = await operator.call('GET', `${path}?limit=${limit + 1}`);
  expect([status, body.error.param]).toEqual([400, 'limit']);
});

/** All pages of two rows. */
async function inPages(path: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (let after = ''; ; ) {
    const { data, has_more, next_after } = await get(`${path}&limit=2${after}`);
    found.push(...data.map(({ name, id }: { name?: string; id: string }) => name ?? id));
    if (!has_more) return found;
    after = `&after=${next_after}`;
  }
}

describe('the spend of this month', () => {
  test('of keys is exact, what is unknown is counted, and last month is not in it', async () => {
    const { data } = await get('/keys?include=spend&sort=name');
    const [budgeted, nine, ten] = ['Budgeted', 'key 9', 'key 10'].map((wanted) =>
      data.find(({ name }: { name: string }) => name === wanted),
    );
    expect(budgeted.spend).toEqual({
      from: month / 1_000,
      requests: 2,
      unpriced_requests: 1,
      estimated_requests: 0,
      cost: '3.00',
      cost_nano_usd: 3 * dollar,
      estimated_cost_nano_usd: 0,
      provider_cost: '1.00',
      provider_cost_nano_usd: dollar,
      provider_unpriced_requests: 1,
    });
    expect(nine.spend).toMatchObject({ requests: 1, cost: null, unpriced_requests: 1 });
    expect(budgeted.use).toMatchObject([
      { limit: 'daily_budget_usd', set: '4.00', used: '3.00', share: 0.75 },
      { limit: 'monthly_budget_usd', used: '3.00', share: 0.03 },
    ]);
    expect(ten).toMatchObject({ use: [], spend: { cost: '5.00' } });
    expect((await get(`/keys/${ten.id}`)).spend).toEqual(ten.spend);
  });

  test('of tenants has what is left of their credit', async () => {
    const { data } = await get('/tenants?include=spend');
    const of = (name: string) => data.find(({ id }: { id: string }) => id === name);
    expect(of('small').use).toMatchObject([
      { limit: 'monthly_budget_usd', share: 0.03 },
      { limit: 'credit_usd', set: '10.00' },
    ]);
    expect(of('small').spend).toMatchObject({ cost: '3.00', provider_cost: '1.00', unpriced_requests: 1 });
    expect(of('idle')).toMatchObject({ use: [], spend: { requests: 0, cost: '0.00' } });
    expect((await get('/tenants/small')).spend).toEqual(of('small').spend);
  });

  test('is not read where it is not asked for, and others than operators do not see what providers take', async () => {
    expect((await get('/keys')).data[0]).not.toHaveProperty('spend');
    const { data } = await get('/keys?include=spend', member);
    expect(data).toMatchObject([{ name: 'key 10', spend: { cost: '5.00' } }]);
    expect(JSON.stringify([data, await get(`/keys/${ids['key 10']}`, member)])).not.toContain(
      'provider_cost',
    );
  });

  test('begins with the sums, and is unknown without any', async () => {
    await noteSince({ at: 1, keysAt: month + 86_400_500 });
    expect((await get('/keys?include=spend')).data[0].spend.from).toBe(month / 1_000 + 86_401);
    await noteSince({});
    expect((await get('/keys?include=spend')).data[0].spend).toBeNull();
    expect((await get('/tenants/small')).spend).toBeNull();
    await noteSince({ at: 1, keysAt: 1 });
  });
});

describe('the order', () => {
  test.each([
    ['/keys?sort=name', ['Budgeted', 'key 9', 'key 10']],
    ['/keys?sort=name&order=desc', ['key 10', 'key 9', 'Budgeted']],
    // What is unknown is last in both directions.
    ['/keys?sort=spend', ['key 10', 'Budgeted', 'key 9']],
    ['/keys?sort=spend&order=asc', ['Budgeted', 'key 10', 'key 9']],
    ['/tenants?sort=spend', ['large', 'small', 'idle', 'local']],
    ['/tenants?order=desc', ['small', 'local', 'large', 'idle']],
    ['/tenants?sort=budget&search=a', ['small', 'large', 'local']],
  ])('of %s is the same over all pages', async (path, names) => {
    const found = await inPages(path);
    expect(found.filter((name) => names.includes(name))).toEqual(names);
    expect(new Set(found).size).toBe(found.length);
  });

  test('by budget begins with the tightest one, of all keys', async () => {
    expect((await get('/keys?sort=budget&limit=1')).data).toMatchObject([{ name: 'Budgeted' }]);
  });

  test.each([
    ['/keys?sort=cost', 'sort'],
    ['/keys?order=down', 'order'],
    ['/tenants?include=all', 'include'],
    ['/tenants?sort=last_used', 'sort'],
    ['/keys?sort=spend&after=key_1', 'after'],
  ])('%s is refused, and names the field', async (path, param) => {
    const { status, body } = await operator.call('GET', path);
    expect([status, body.error.param]).toEqual([400, param]);
  });

  test('a position in one order is none in another', async () => {
    const { next_after: after } = await get('/keys?sort=spend&limit=1');
    const { status, body } = await operator.call('GET', `/keys?sort=name&after=${after}`);
    expect([status, body.error.param]).toEqual([400, 'after']);
  });
});
