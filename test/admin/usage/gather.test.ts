/** Which sums answer a question about usage, what has to be read from the ledger and how much of it, and what cannot be asked. */
import { describe, expect, test } from 'vitest';
import { gatherAll } from '../../../lib/admin/usage/gather-all.ts';
import { gatherTenant } from '../../../lib/admin/usage/gather-tenant.ts';
import { readUsage, usageQuery } from '../../../lib/admin/usage/usage-question.ts';
import { dayOf } from '../../../lib/core/accounting/counters.ts';
import type { SumKey } from '../../../lib/core/accounting/sums.ts';
import type { LedgerFinding, LedgerQuestion } from '../../../lib/core/ports/ledger-search.ts';
import type { Periods } from '../../../lib/core/ports/sums-store.ts';
import { testRecord } from '../../harness/ledger.ts';

const now = Date.parse('2026-03-10T12:34:56Z');
const at = (time: string) => Date.parse(`${time}Z`);
const one = { requests: 1 };

/** Of one request in each of what is asked for. `asked` is what was read. */
function reads(since: number | undefined = 1) {
  const asked: unknown[][] = [];
  const note = (name: string, ...question: readonly unknown[]) => asked.push([name, ...question]);
  const ofKeys = (name: string) => async (tenant: string, periods: Periods) => {
    note(name, tenant, periods);
    const row = { period: periods.from, key: 'key_one', model: 'a/b', numbers: one };
    return [row, { ...row, key: 'key_two' }, { ...row, model: 'c/d' }];
  };
  const ofDeployments = (name: string) => async (periods: Periods) => {
    note(name, periods);
    const row = { period: periods.from, provider: 'acme', region: 'global', model: 'a/b', numbers: one };
    const idle = { ...row, provider: 'idle', numbers: { attempts: 3 } };
    return [row, { ...row, provider: 'other', model: 'c/d' }, idle];
  };
  const sums = {
    since: async () => since,
    hours: ofKeys('hours'),
    days: ofKeys('days'),
    async usersIn(tenant: string, user: string, days: readonly string[]) {
      note('users', tenant, user, days);
      return days.map((period) => ({ period, user, numbers: one }));
    },
    deploymentHours: ofDeployments('deploymentHours'),
    deploymentDays: ofDeployments('deploymentDays'),
    async tenants(period: string) {
      note('tenants', period);
      return ['acme', 'other'].map((tenant) => ({ period, tenant, numbers: one, lastAt: 0 }));
    },
    keysSince: async () => since,
    async tenantCharges(period: string) {
      note('tenantCharges', period);
      return ['acme', 'other'].map((tenant) => ({ period, tenant, numbers: one, lastAt: 0 }));
    },
    async keyCharges(month: string) {
      note('keyCharges', month);
      return ['acme', 'other'].map((tenant) => ({ tenant, key: `key_${tenant}`, numbers: one }));
    },
    async findMany(keys: readonly SumKey[]) {
      note('findMany', keys);
      return keys.map(() => ({ requests: 2, t40: 1 }));
    },
  };
  const usage = {
    oldestDay: () => '2026-02-01',
    async records(tenant: string, { from, to }: { readonly from: number; readonly to: number }) {
      note('ledger', tenant, from, to);
      const record = { at: from, key: 'key_one', model: 'a/b', user: 'ann' };
      const changes = [
        {},
        { key: 'key_two' },
        { model: 'c/d' },
        { user: 'bob' },
        { session: 's', tags: { t: 'v' } },
      ];
      return { records: changes.map((change) => testRecord({ ...record, ...change })) };
    },
  };
  const search = {
    async newest({ from, to, tenants, matches, maxRead }: LedgerQuestion): Promise<LedgerFinding> {
      note('newest', tenants, from, to, maxRead);
      const records = tenants.map((tenant) =>
        testRecord({
          at: from,
          tenant,
          key: 'key_one',
          model: 'a/b',
          provider: 'acme',
          user: `${tenant}-ann`,
        }),
      );
      return { records: records.filter(matches), searchedTo: from, lookedAt: records.length };
    },
  };
  return { asked, sums, usage, search };
}

/** As it is read of a query. */
const question = (query: object = {}) => {
  const { data, error } = usageQuery.safeParse(query);
  if (!data) throw error;
  return readUsage(data, now);
};

/** The names of the groups that were found, and where. */
const shown = ({ sums, source, completeFrom }: Awaited<ReturnType<typeof gatherAll>>) => ({
  names: sums.sorted().map(({ names }) => names.join(' ')),
  source,
  completeFrom,
});

const days = { from: '2026-03-08', to: '2026-03-09' };
const [from, to] = [at('2026-03-08T00:00:00'), at('2026-03-10T00:00:00')];
const hours = { from: '2026-03-09T10:00:00Z', to: '2026-03-09T12:00:00Z' };
const minutes = { from: '2026-03-09T10:30:00Z', to: '2026-03-09T12:00:00Z' };
const hourPeriods = { from: '2026-03-09T10', to: '2026-03-09T11' };

describe('of one tenant', () => {
  const gather = async (
    query: object,
    {
      since,
      keys,
      ...parts
    }: Partial<ReturnType<typeof reads>> & { since?: number; keys?: ReadonlySet<string> } = {},
  ) => {
    const all = { ...reads(since), ...parts };
    const asked = { ...question(query), tenant: 'acme', keys, signal: AbortSignal.timeout(60_000) };
    return { ...shown(await gatherTenant(all, asked, now)), asked: all.asked };
  };

  test('whole days come from the daily counters', async () => {
    expect(await gather({ ...days, group_by: 'day,model,key,tenant' })).toEqual({
      names: ['2026-03-08 a/b key_one acme', '2026-03-08 a/b key_two acme', '2026-03-08 c/d key_one acme'],
      source: 'daily_counters',
      completeFrom: from,
      asked: [['days', 'acme', { from: '2026-03-08', to: '2026-03-09' }]],
    });
  });

  test.each([
    [hours, 'day', 'hourly_counters', '2026-03-09'],
    [{ ...days, to: '2026-03-08' }, 'hour', 'hourly_counters', '2026-03-08T00'],
    [minutes, 'hour', 'ledger', '2026-03-09T10'],
    [{ from: hours.from, to: '2026-03-09T12:00:01Z' }, 'hour', 'ledger', '2026-03-09T10'],
  ])('%j by %s come from the %s', async (span, by, source, name) => {
    expect(await gather({ ...span, group_by: by })).toMatchObject({ source, names: [name] });
  });

  test.each([
    ['34 days ago', '2026-02-04T13:00:00Z', 1, 'hourly_counters'],
    ['longer ago', '2026-02-04T12:00:00Z', 1, 'ledger'],
    ['since before there were sums', hours.from, Date.parse(hours.from) + 1, 'ledger'],
    ['since sums', hours.from, Date.parse(hours.from), 'hourly_counters'],
  ])('hours of %s', async (_, begin, since, source) => {
    const query = { from: begin, to: hours.to, group_by: 'hour' };
    expect(await gather(query, { since })).toMatchObject({ source, completeFrom: Date.parse(begin) });
  });

  test.each([
    [{ key: 'key_two' }, undefined, ['key_two a/b']],
    [{ model: 'c/d' }, undefined, ['key_one c/d']],
    [{}, new Set(['key_two']), ['key_two a/b']],
  ])('of %j are those alone', async (filter, keys, names) => {
    const query = { group_by: 'key,model', ...filter };
    for (const span of [days, hours, minutes])
      expect((await gather({ ...span, ...query }, keys && { keys })).names).toEqual(names);
  });

  test('a user comes from the sums of users, by whole days and with nothing else', async () => {
    const query = { ...days, user: 'bob', group_by: 'day,user,tenant' };
    expect(await gather(query)).toEqual({
      names: ['2026-03-08 bob acme', '2026-03-09 bob acme'],
      source: 'daily_counters',
      completeFrom: from,
      asked: [['users', 'acme', 'bob', ['2026-03-08', '2026-03-09']]],
    });
    const ledger = { source: 'ledger', asked: [['ledger', 'acme', from, to]] };
    for (const other of [{ model: 'a/b' }, { key: 'key_one' }, { group_by: 'user,model' }])
      expect(await gather({ ...query, ...other })).toMatchObject(ledger);
    expect(await gather(query, { keys: new Set(['key_one']) })).toMatchObject(ledger);
    expect(await gather(query, { since: from + 1 })).toMatchObject(ledger);
    expect(await gather(query, { since: from })).toMatchObject({ source: 'daily_counters' });
    expect(await gather({ ...query, ...hours })).toMatchObject({
      source: 'ledger',
      names: ['2026-03-09 bob acme'],
    });
    // Requests without a user are in none of these sums.
    expect(await gather({ ...days, group_by: 'user' })).toMatchObject(ledger);
  });

  test('the ledger has every group, as far as it goes back', async () => {
    const query = { ...days, group_by: 'user,session,tag:t,key,model' };
    expect((await gather(query)).names).toEqual([
      'ann   key_one a/b',
      'ann   key_one c/d',
      'ann   key_two a/b',
      'ann s v key_one a/b',
      'bob   key_one a/b',
    ]);
    const long = await gather({ from: '2026-01-01', to: '2026-02-01', group_by: 'session' });
    expect(long).toMatchObject({
      completeFrom: at('2026-02-01T00:00:00'),
      asked: [['ledger', 'acme', at('2026-02-01T00:00:00'), at('2026-02-02T00:00:00')]],
    });
    const gone = await gather({ from: '2026-01-01', to: '2026-01-31', group_by: 'session' });
    expect(gone).toMatchObject({ names: [], asked: [] });
  });

  test('fifty thousand requests are read of it', async () => {
    const ledgerOf = (count: number) => {
      const records = Array(count).fill(testRecord({ at: from }));
      return { usage: { oldestDay: () => '2026-02-01', records: async () => ({ records }) } };
    };
    const query = { ...days, group_by: 'session' };
    expect(await gather(query, ledgerOf(50_000))).toMatchObject({ source: 'ledger' });
    await expect(gather(query, ledgerOf(50_001))).rejects.toMatchObject({ param: 'from' });
  });

  test('providers come from the ledger', async () => {
    const found = await gather({ ...days, group_by: 'provider' });
    expect(found).toMatchObject({ source: 'ledger', names: ['acme'] });
  });
});

describe('of all tenants', () => {
  const gather = async (query: object, since?: number, changes: object = {}) => {
    const { asked, ...all } = reads(since);
    const gathered = await gatherAll(
      { ...all, ...changes },
      { ...question(query), signal: AbortSignal.timeout(60_000) },
      now,
    );
    return { ...gathered, ...shown(gathered), asked };
  };

  test('whole days come from the sums of deployments, hours and parts of days from those of hours', async () => {
    expect(await gather({ ...days, group_by: 'day,model,provider' })).toMatchObject({
      names: ['2026-03-08 a/b acme', '2026-03-08 c/d other'],
      source: 'daily_counters',
      completeFrom: from,
      asked: [['deploymentDays', { from: '2026-03-08', to: '2026-03-09' }]],
    });
    const byHour = { source: 'hourly_counters', asked: [['deploymentHours', hourPeriods]] };
    expect(await gather({ ...hours, group_by: 'hour' })).toMatchObject({
      ...byHour,
      names: ['2026-03-09T10'],
    });
    expect(await gather({ ...hours, group_by: 'day' })).toMatchObject({ ...byHour, names: ['2026-03-09'] });
    expect(await gather({ ...days, group_by: 'hour' })).toMatchObject({ source: 'hourly_counters' });
    expect(await gather({ ...days, group_by: 'model', model: 'c/d' })).toMatchObject({ names: ['c/d'] });
    expect((await gather(days, from + 5)).completeFrom).toBe(from + 5);
  });

  test('sums of longer ago than they are kept are not complete', async () => {
    const long = await gather({ from: '2025-01-01', to: '2025-03-01', group_by: 'model' });
    expect(dayOf(long.completeFrom)).toBe('2025-02-04');
  });

  test('by day and tenant they come from the sums of days', async () => {
    expect(await gather({ ...days, group_by: 'day,tenant' })).toMatchObject({
      names: ['2026-03-08 acme', '2026-03-08 other', '2026-03-09 acme', '2026-03-09 other'],
      source: 'daily_counters',
      asked: [
        ['tenants', '2026-03-08'],
        ['tenants', '2026-03-09'],
      ],
    });
  });

  test('by tenant: the amounts of all, and every number of those that are shown', async () => {
    const { asked, names, details, total, sums } = await gather({ ...days, group_by: 'tenant' });
    expect(names).toEqual(['acme', 'other']);
    expect(sums.total()).toEqual({ requests: 4 });
    expect(total).toMatchObject({ requests: 2, attempts: 3 });
    expect(asked.filter(([name]) => name === 'tenantCharges')).toHaveLength(2);
    expect(await details?.([['other']], { from, to })).toEqual([{ requests: 4, t40: 2 }]);
    expect(asked.at(-1)).toEqual([
      'findMany',
      ['2026-03-08', '2026-03-09'].map((period) => ({ of: 'tenant', period, tenant: 'other' })),
    ]);
  });

  test('by key they come from the sums of whole months, or of this month until now', async () => {
    const months = await gather({ from: '2026-02-01', to: '2026-03-10', group_by: 'tenant,key' });
    expect(months.names).toEqual(['acme key_acme', 'other key_other']);
    expect(months.source).toBe('daily_counters');
    expect(months.asked.slice(0, 2)).toEqual([
      ['keyCharges', '2026-02'],
      ['keyCharges', '2026-03'],
    ]);
    expect(await months.details?.([['acme', 'key_acme']], { from, to })).toBeUndefined();
    const month = { from: at('2026-02-01T00:00:00'), to: at('2026-03-01T00:00:00') };
    expect(await months.details?.([['acme', 'key_acme']], month)).toEqual([{ requests: 2, t40: 1 }]);
    expect(months.asked.at(-1)).toEqual([
      'findMany',
      [{ of: 'key', month: '2026-02', tenant: 'acme', key: 'key_acme' }],
    ]);
  });

  test.each([
    [{ ...days, group_by: 'user' }, ['acme-ann', 'other-ann']],
    [{ ...days, group_by: 'key' }, ['key_one']],
    [{ ...days, group_by: 'tenant,session' }, ['acme ', 'other ']],
    [{ ...minutes, group_by: 'tenant' }, ['acme', 'other']],
    [{ ...days, group_by: 'tenant', model: 'a/b' }, ['acme', 'other']],
    [{ ...days, group_by: 'tenant,provider', model: 'c/d' }, []],
  ])('%j comes from the newest records of the tenants of each day', async (query, names) => {
    const found = await gather(query);
    const begin = Date.parse('from' in query ? query.from : '');
    expect(found).toMatchObject({ source: 'ledger', names, completeFrom: begin });
    expect(found.asked.slice(0, 2)).toMatchObject([
      ['tenantCharges', '2026-03-09'],
      ['newest', ['acme', 'other'], Math.max(begin, at('2026-03-09T00:00:00')), expect.anything(), 4_000],
    ]);
  });

  test('what was not read of the ledger is said', async () => {
    const busy = {
      newest: async ({ from, maxRead }: LedgerQuestion): Promise<LedgerFinding> => ({
        records: [],
        searchedTo: from + 5_000,
        lookedAt: maxRead,
        next: 'x',
      }),
    };
    const query = { ...days, group_by: 'user' };
    const last = at('2026-03-09T00:00:00');
    expect((await gather(query, 1, { search: busy })).completeFrom).toBe(last + 5_000);
    const many = (count: number) => ({
      sums: {
        ...reads().sums,
        tenantCharges: async (period: string) =>
          Array.from({ length: count }, (_, index) => ({
            period,
            tenant: `t${index}`,
            numbers: one,
            lastAt: 0,
          })),
      },
    });
    expect((await gather(query, 1, many(200))).completeFrom).toBe(from);
    expect((await gather(query, 1, many(201))).completeFrom).toBe(last);
    await expect(gather(query, 1, many(1_001))).rejects.toMatchObject({ param: 'group_by' });
    expect((await gather(query, last + 7)).completeFrom).toBe(last + 7);
  });

  test.each([
    ['key', { key: 'key_one' }],
    ['user', { user: 'ann' }],
    ['from', { ...minutes, group_by: 'hour' }],
    ['to', { from: hours.from, to: '2026-03-09T12:30:00Z', group_by: 'hour' }],
    ['from', { from: '2026-02-01', to: '2026-03-04', group_by: 'hour' }],
    ['from', { from: '2026-03-01', to: '2026-03-08', group_by: 'day,tenant' }],
  ])("'%s' is refused of %j", async (param, query) => {
    await expect(gather({ ...days, ...query })).rejects.toMatchObject({ status: 400, param });
  });

  test('31 days may be asked for by hour', async () => {
    expect(await gather({ from: '2026-02-01', to: '2026-03-03', group_by: 'hour' })).toMatchObject({
      source: 'hourly_counters',
    });
  });
});
