/** Usage and the overview of the dashboard: whose figures a user sees, and that they are those of the ledger. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Added, without } from '../../lib/admin/usage/group-figures.ts';
import { overviewAnswer, usageAnswer } from '../../lib/admin/usage/schema.ts';
import { dayOf } from '../../lib/core/accounting/counters.ts';
import type { LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { openTable } from '../../lib/stores/dynamodb/table.ts';
import { type AdminClient, signInAs, signInByAddress, signInByKey } from '../harness/admin/admin-client.ts';
import { useGateway } from '../harness/gateways/use-gateway.ts';
import { testRecord } from '../harness/ledger.ts';
import { settled } from '../harness/settled.ts';
import { useLedger } from '../harness/use-ledger.ts';

const gateway = useGateway();
const used = useLedger(() => []);

const dayMs = 86_400_000;
const today = Math.floor(Date.now() / dayMs) * dayMs;
const yesterday = today - dayMs;
/** Of the first hour of today. */
const at = today + 1_000;

let operator: AdminClient;
let acmeAdmin: AdminClient;
let member: AdminClient;
let byKey: AdminClient;
let ownKey = '';
let records: readonly LedgerRecord[] = [];

const record = (changes: Parameters<typeof testRecord>[0]) =>
  testRecord({ tenant: 'acme', key: 'key_one', streamed: true, firstByteMs: 500, at, ...changes });

beforeAll(async () => {
  const { ledger } = used;
  const access = { call: ledger.call, table: 'access' };
  await createTenantStore(access).create('acme');
  // The gateway has had sums for long.
  await openTable({ call: ledger.call, table: 'usage' }).put(['sums', 'since'], { at: 1, keysAt: 1 });
  const keys = createKeyStore(access);
  const own = await keys.create({ tenant: 'acme', name: 'laptop', owner: 'mia' });
  ownKey = own.id;
  operator = await signInByAddress(gateway());
  acmeAdmin = await signInAs(gateway(), { id: 'ada', name: 'Ada', role: 'tenant_admin', tenant: 'acme' });
  member = await signInAs(gateway(), { id: 'mia', name: 'Mia', role: 'member', tenant: 'acme' });
  byKey = await signInByKey(gateway(), own.secret);
  records = [
    record({ cost: 1_000, charge: 2_000, user: 'ann', tags: { 'a:b': 'c' } }),
    record({ cost: null, charge: null, model: 'acme/two', status: 500, error: 'provider_error' }),
    record({ cost: 500, charge: 700, key: ownKey, user: 'b#o\n', firstByteMs: 4_000 }),
    record({ cost: 300, charge: 300, at: yesterday + 5_000 }),
    record({ cost: 9_000, charge: 9_000, tenant: 'other', key: 'key_other' }),
  ];
  await ledger.write(...records);
  await settled();
});

const get = async (client: AdminClient, path: string) => {
  const { status, body } = await client.call('GET', path);
  expect([status, body.error]).toEqual([200, undefined]);
  return body;
};

const span = `from=${dayOf(today)}&to=${dayOf(today)}`;
/** No sums of keys are of a part of a day; a whole one may be the month until now. */
const firstHour = `from=${today / 1000}&to=${today / 1000 + 3_600}`;

describe('the overview', () => {
  test('of one tenant has the sums of its records, and of the day before', async () => {
    const body = overviewAnswer.parse(await get(operator, `/overview?tenant=acme&${span}`));
    expect(body.total).toMatchObject({
      requests: 3,
      failed_requests: 1,
      unpriced_requests: 1,
      cost_nano_usd: 2_700,
      provider_cost_nano_usd: 1_500,
      cached_share: 0.4,
      cache_hit_rate: 1,
    });
    expect(body.before_total).toMatchObject({ requests: 1, cost_nano_usd: 300 });
    expect(body).toMatchObject({ object: 'overview', time_zone: 'UTC', grain: 'hour', tenant: 'acme' });
    expect(body.times).toHaveLength(24);
    expect(body.series[0]).toMatchObject({ requests: 3, cost_nano_usd: 2_700 });
    expect(body.total.first_byte_ms?.p50).toBeGreaterThan(450);
    expect(body.total.first_byte_ms?.p95).toBeGreaterThan(3_600);
    expect(body.today).toMatchObject({ requests: 3 });
    expect(body.yesterday).toMatchObject({ requests: 1 });
  });

  test('shows what is unknown as unknown, not as nothing', async () => {
    const body = overviewAnswer.parse(await get(operator, `/overview?tenant=acme&${span}`));
    const two = body.groups.find(({ id }) => id === 'acme/two');
    expect(two?.total).toMatchObject({ requests: 1, cost: null, cost_nano_usd: null, blended_price: null });
    expect(two?.slots[0]).toMatchObject({ requests: 1, cost_nano_usd: null });
  });

  test.each(['model', 'key', 'user', 'tenant'] as const)(
    'by %s: groups and others are the whole',
    async (by) => {
      const body = overviewAnswer.parse(await get(acmeAdmin, `/overview?${span}&group_by=${by}`));
      const parts = [...body.groups.map(({ total }) => total), ...(body.others ? [body.others.total] : [])];
      const named = by === 'user' ? 2 : 3;
      expect(parts.reduce((sum, { requests }) => sum + requests, 0)).toBe(named);
      expect(body.grain).toBe(by === 'user' ? 'day' : 'hour');
      const names = body.groups.map(({ name }) => name);
      if (by === 'key') expect(names).toEqual(['key_one', 'laptop']);
    },
  );

  test('of all tenants has every record, by model, provider and tenant', async () => {
    for (const by of ['model', 'provider', 'tenant']) {
      const body = overviewAnswer.parse(await get(operator, `/overview?${span}&group_by=${by}`));
      expect(body.total).toMatchObject({ requests: 4, cost_nano_usd: 11_700 });
      expect(body.groups_are_exact).toBe(true);
    }
    const tenants = await get(operator, `/overview?${span}&group_by=tenant`);
    expect(tenants.groups.map(({ id, total }: { id: string; total: object }) => [id, total])).toMatchObject([
      ['other', { cost_nano_usd: 9_000 }],
      ['acme', { cost_nano_usd: 2_700 }],
    ]);
    expect(tenants.movers[0]).toMatchObject({ id: 'other', change_nano_usd: 9_000, before_nano_usd: 0 });
  });

  test('names what cannot be asked, and the limit', async () => {
    for (const [query, param] of [
      ['group_by=key', 'group_by'],
      ['from=yesterday', 'from'],
      ['group_by=moon', 'group_by'],
    ]) {
      const { status, body } = await operator.call('GET', `/overview?${query}`);
      expect([query, status, body.error?.param]).toEqual([query, 400, param]);
    }
  });
});

describe('where sums began just now', () => {
  const began = Date.now();
  const setSince = (time: number) =>
    openTable({ call: used.ledger.call, table: 'usage' }).put(['sums', 'since'], { at: time, keysAt: time });
  beforeAll(() => setSince(began));
  afterAll(() => setSince(1));

  test.each(['model', 'key'])('the days of a tenant by %s are those of the daily counters', async (by) => {
    const week = `from=${dayOf(today - 6 * dayMs)}&to=${dayOf(today)}`;
    const body = await get(operator, `/overview?tenant=acme&${week}&group_by=${by}`);
    expect(body.total.requests).toBe(4);
    expect(body.complete_from).toBe(body.from);
    expect(body.series).not.toContain(null);
    expect(body.before_total).toMatchObject({ requests: 0 });
  });

  test('a day of a tenant is shown by day, as its hours were not counted', async () => {
    const body = await get(operator, `/overview?tenant=acme&${span}`);
    expect([body.grain, body.total.requests, body.before_total.requests]).toEqual(['day', 3, 1]);
  });

  test('the data of all tenants and of users begins then, and what was before has no figures', async () => {
    for (const query of ['group_by=provider', 'group_by=tenant', 'tenant=acme&group_by=user']) {
      const body = await get(operator, `/overview?${query}`);
      expect([body.complete_from, body.before_total]).toEqual([Math.floor(began / 1000), null]);
      expect(body.series.slice(0, -1)).toEqual(Array(6).fill(null));
      expect(body.series.at(-1).requests).toBeGreaterThan(0);
    }
  });
});

describe('who sees what', () => {
  test('no tenant sees what providers take', async () => {
    for (const path of [`/overview?${span}`, `/usage?${span}`, '/requests']) {
      for (const client of [acmeAdmin, member, byKey])
        expect(JSON.stringify(await get(client, path))).not.toContain('provider_cost');
    }
  });

  test('another tenant does not exist', async () => {
    for (const path of ['/overview', '/usage', '/requests']) {
      for (const client of [acmeAdmin, member, byKey]) {
        const { status, body } = await client.call('GET', `${path}?tenant=other`);
        expect([path, status, body.error.param]).toEqual([path, 404, 'tenant']);
      }
    }
  });

  test('a member sees the requests of their own keys only', async () => {
    const overview = await get(member, `/overview?${span}`);
    expect(overview.total).toMatchObject({ requests: 1, cost_nano_usd: 700 });
    expect(overview.today).toMatchObject({ requests: 1 });
    expect((await get(member, `/usage?${span}&group_by=key`)).data).toMatchObject([{ key: ownKey }]);
    expect((await get(member, `/usage?${span}&group_by=user`)).data).toMatchObject([{ user: 'b#o\n' }]);
    expect((await get(member, `/usage?${span}&group_by=tag:a:b`)).total).toMatchObject({ requests: 1 });
    const { data } = await get(member, '/requests');
    expect(data.map(({ key, key_name }: { key: string; key_name: string }) => [key, key_name])).toEqual([
      [ownKey, 'laptop'],
    ]);
    expect((await member.call('GET', `/overview?group_by=user`)).status).toBe(400);
    expect((await get(member, `/usage?${span}&group_by=key&key=key_one`)).data).toEqual([]);
  });

  test('a session of an API key sees its whole tenant', async () => {
    expect((await get(byKey, `/overview?${span}`)).total).toMatchObject({ requests: 3 });
  });
});

describe('usage', () => {
  test.each([
    ['day', 'daily_counters', 1],
    ['hour', 'hourly_counters', 1],
    ['model', 'daily_counters', 2],
    ['key,model', 'daily_counters', 3],
    ['user', 'ledger', 3],
    ['session', 'ledger', 1],
    ['tag:a:b', 'ledger', 2],
    ['hour,user', 'ledger', 3],
  ])('by %s comes from %s', async (by, source, rows) => {
    const body = usageAnswer.parse(await get(acmeAdmin, `/usage?${span}&group_by=${by}`));
    expect([body.source, body.data.length, body.group_by]).toEqual([source, rows, by.split(',')]);
    expect(body.total).toMatchObject({ requests: 3, cost_nano_usd: 2_700, unpriced_requests: 1 });
    expect(body.total.first_byte_ms?.p50).toBeGreaterThan(450);
  });

  test('of one user comes from the sums of users', async () => {
    const body = await get(acmeAdmin, `/usage?${span}&group_by=user&user=${encodeURIComponent('b#o\n')}`);
    expect([body.source, body.data]).toMatchObject([
      'daily_counters',
      [{ user: 'b#o\n', cost_nano_usd: 700 }],
    ]);
  });

  test('of all tenants is for operators', async () => {
    expect((await get(operator, `/usage?${span}&group_by=tenant`)).data).toMatchObject([
      { tenant: 'acme', requests: 3 },
      { tenant: 'other', requests: 1, provider_cost_nano_usd: 9_000 },
    ]);
    expect((await get(operator, `/usage?${span}&group_by=hour,provider`)).total).toMatchObject({
      requests: 4,
    });
    const month = await get(operator, `/usage?${monthOfToday()}&group_by=tenant`);
    expect(month.data).toMatchObject([{ tenant: 'acme' }, { tenant: 'other' }]);
  });

  test.each([
    ['key', monthOfToday(), 'daily_counters', ['key_one', 'key_other', () => ownKey]],
    ['key', firstHour, 'ledger', ['key_one', 'key_other', () => ownKey]],
    ['user', span, 'ledger', [null, 'ann', 'b#o\n']],
    ['tag:a:b', span, 'ledger', [null, 'c']],
    ['tenant,session', span, 'ledger', ['acme', 'other']],
  ])('of all tenants by %s, of %s, comes from %s', async (by, asked, source, names) => {
    const body = usageAnswer.parse(await get(operator, `/usage?${asked}&group_by=${by}`));
    const found = body.data.map((row) => row[by.split(',')[0] as 'key']);
    const wanted = names.map((name) => (typeof name === 'function' ? name() : name));
    expect([body.source, new Set(found)]).toEqual([source, new Set(wanted)]);
    const all = asked === monthOfToday() ? { cost_nano_usd: asIn(asked) } : { requests: 4 };
    expect(body.total).toMatchObject(all);
    expect(body.complete_from).toBe(body.from);
  });

  test('of a tenant by provider comes from as many of its newest records as are asked for, and says since when', async () => {
    const newest = async (max: number) =>
      await get(
        acmeAdmin,
        `/usage?from=${dayOf(yesterday)}&to=${dayOf(today)}&group_by=provider&max_records=${max}`,
      );
    const [all, some, one] = [await newest(100), await newest(3), await newest(1)];
    expect([all.total.requests, all.complete_from]).toEqual([4, all.from]);
    expect([some.source, some.total.requests, some.complete_from]).toEqual(['ledger', 3, today / 1_000]);
    expect([one.total.requests, one.complete_from]).toEqual([1, at / 1_000]);
    const { status, body } = await acmeAdmin.call('GET', '/usage?group_by=provider&max_records=50001');
    expect([status, body.error.param]).toEqual([400, 'max_records']);
  });

  test('is in the order that is asked for, on every page, and what is unknown comes last', async () => {
    const keysBy = async (order: string) =>
      (await get(operator, `/usage?${span}&tenant=acme&group_by=model,key&${order}`)).data.map(
        ({ model, key }: { model: string; key: string }) => `${model} ${key === ownKey ? 'laptop' : key}`,
      );
    const [one] = records;
    const known = [`${one?.model} key_one`, `${one?.model} laptop`];
    expect(await keysBy('sort=spend')).toEqual([...known, 'acme/two key_one']);
    expect(await keysBy('sort=spend&order=asc')).toEqual([...known.toReversed(), 'acme/two key_one']);
    expect(await keysBy('sort=margin')).toEqual([...known, 'acme/two key_one']);
    expect((await keysBy('sort=failed'))[0]).toBe('acme/two key_one');
    expect(await keysBy('order=desc')).toEqual(expect.arrayContaining(known));
    let after = '';
    const pages: string[] = [];
    do {
      const page = await get(operator, `/usage?${span}&group_by=tenant&sort=spend&limit=1${after}`);
      pages.push(...page.data.map(({ tenant }: { tenant: string }) => tenant));
      after = page.has_more ? `&after=${page.next_after}` : '';
    } while (after);
    expect(pages).toEqual(['other', 'acme']);
  });

  test('no tenant can sort by what providers take', async () => {
    for (const sort of ['margin', 'provider_cost']) {
      const { status, body } = await acmeAdmin.call('GET', `/usage?${span}&sort=${sort}`);
      expect([status, body.error.param]).toEqual([400, 'sort']);
    }
  });

  test('is searched by a part of a name, of a key also by its own, while the total stays', async () => {
    const found = await get(operator, `/usage?${monthOfToday()}&group_by=tenant,key&search=LAP`);
    expect(found.data).toMatchObject([
      { tenant: 'acme', key: ownKey, key_name: 'laptop', cost_nano_usd: 700 },
    ]);
    expect(found.data[0].first_byte_ms.p50).toBeGreaterThan(3_600);
    expect(found.total.cost_nano_usd).toBe(asIn(monthOfToday()));
    expect((await get(operator, `/usage?${span}&group_by=tenant&search=nobody`)).data).toEqual([]);
  });

  test('has the time before beside it, where there are sums of it', async () => {
    for (const [client, query, before] of [
      [acmeAdmin, 'group_by=key&sort=spend', { requests: 1, cost_nano_usd: 300 }],
      [operator, 'group_by=model&tenant=acme&sort=spend', { requests: 1, provider_cost_nano_usd: 300 }],
      [operator, 'group_by=tenant&search=acme', { requests: 1, cost_nano_usd: 300 }],
      [operator, 'group_by=tenant&search=other', { requests: 0, cost_nano_usd: 0 }],
      [operator, 'group_by=user', null],
    ] as const) {
      const { data } = await get(client, `/usage?${span}&${query}&include=before`);
      expect([query, data[0].before]).toMatchObject([query, before]);
    }
  });

  test('goes on where a page ended, and takes no cursor of another question', async () => {
    const first = await get(acmeAdmin, `/usage?${span}&group_by=key,model&limit=2`);
    expect([first.data.length, first.has_more]).toEqual([2, true]);
    const rest = await get(acmeAdmin, `/usage?${span}&group_by=key,model&limit=2&after=${first.next_after}`);
    expect([rest.data.length, rest.has_more]).toEqual([1, false]);
    const other = await acmeAdmin.call('GET', `/usage?${span}&group_by=model&after=${first.next_after}`);
    expect(other.body.error).toMatchObject({ param: 'after' });
  });
});

/** What the records of a span of this month were charged. */
const asIn = (month: string) =>
  records
    .filter(({ at: time }) => time / 1000 >= Number(/from=(\d+)/.exec(month)?.[1]))
    .reduce((sum, { charge }) => sum + (charge ?? 0), 0);

function monthOfToday(): string {
  const now = new Date(today);
  const [first, last] = [0, 1].map((more) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + more));
  return `from=${(first ?? 0) / 1000}&to=${(last ?? 0) / 1000}`;
}

describe('what is left of a total without some of its groups', () => {
  const added = (requests: number, more: Partial<Added> = {}): Added => ({
    id: null,
    now: { requests },
    before: { requests: 2 * requests },
    slots: [{ requests }],
    ...more,
  });

  test('the rest has each number less those of the groups, in each span and slot', () => {
    expect(without(added(10), [added(3), added(2)])).toEqual(added(5));
  });

  test('a group that was read after the total never makes the rest negative', () => {
    expect(without(added(1), [added(3)])).toEqual(added(0));
  });
});
