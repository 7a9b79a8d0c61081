/** The ledger from the newest record to the oldest, and in order of time, over days, partitions and tenants. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import type { AwsCall } from '../../lib/core/ports/aws.ts';
import type { LedgerQuestion } from '../../lib/core/ports/ledger-search.ts';
import { createLedgerSearch } from '../../lib/stores/usage/ledger-search.ts';
import { createUsageStore } from '../../lib/stores/usage/usage.ts';
import { testRecord } from '../harness/ledger.ts';
import { useTestDatabase } from './database.ts';

const dayMs = 86_400_000;
const noon = Date.UTC(2026, 10, 20, 12);
const database = useTestDatabase('usage');
const ranges: { readonly from: string; readonly limit: number }[] = [];
/** Notes what is asked of the table. */
const call: AwsCall = (action, input, given) => {
  const { ExpressionAttributeValues: values, Limit: limit } = input as {
    readonly ExpressionAttributeValues?: Readonly<Record<string, { readonly S?: string }>>;
    readonly Limit?: number;
  };
  if (action.endsWith('Query')) ranges.push({ from: values?.[':from']?.S ?? '', limit: limit ?? 0 });
  return database.call(action, input, given);
};
let partitions = 1;
const options = { call, table: 'usage', now: () => noon, partitionsOf: async () => partitions };
const usage = createUsageStore(options);
let tenants = 0;
let tenant: string;

beforeEach(() => {
  tenants += 1;
  tenant = `tenant-${tenants}`;
  partitions = 1;
  ranges.length = 0;
});

const record = (at: number, given: Partial<LedgerRecord> = {}) => testRecord({ tenant, at, ...given });

async function write(...records: readonly LedgerRecord[]) {
  await Promise.all(records.map((one) => usage.record(one, one.requestId)));
  return records;
}

const idsOf = (records: readonly LedgerRecord[]) => records.map(({ requestId }) => requestId);

const question = (given: Partial<LedgerQuestion> = {}): LedgerQuestion => ({
  from: noon - 3 * dayMs,
  to: noon + dayMs,
  tenants: [tenant],
  matches: () => true,
  limit: 100,
  maxRead: 1_000,
  signal: new AbortController().signal,
  ...given,
});

const newest = (given: Partial<LedgerQuestion> = {}) => createLedgerSearch(options).newest(question(given));

/** All pages, and what was looked at for them. */
async function pages(given: Partial<LedgerQuestion>) {
  const found: string[] = [];
  const sizes: number[] = [];
  let after: string | undefined;
  do {
    const page = await newest({ ...given, after });
    found.push(...idsOf(page.records));
    sizes.push(page.records.length);
    after = page.next;
  } while (after !== undefined);
  return { found, sizes };
}

describe('a search', () => {
  test.each([
    [1, 3],
    [4, 3],
    [4, 1],
    [4, 11],
  ])('of %i partitions has pages of %i records, each record once', async (count, limit) => {
    partitions = count;
    const times = Array.from({ length: 11 }, (_, index) => noon - index * 7 * 3_600_000);
    const written = await write(...times.map((at) => record(at)).toReversed());
    const { found, sizes } = await pages({ limit });
    const wanted = written.filter(({ at }) => at >= noon - 3 * dayMs);
    expect(found).toEqual(idsOf(wanted.toReversed()));
    expect(Math.max(...sizes)).toBe(Math.min(limit, 11));
  });

  test('has everything from its first moment to before its last', async () => {
    const [first, second, third] = await write(...[-2, -1, 0].map((more) => record(noon + more)));
    const { records, searchedTo, lookedAt, next } = await newest({ from: noon - 2, to: noon });
    expect(idsOf(records)).toEqual([second?.requestId, first?.requestId]);
    expect({ searchedTo, lookedAt, next }).toEqual({ searchedTo: noon - 2, lookedAt: 2, next: undefined });
    expect(idsOf((await newest({ from: noon, to: noon + 1 })).records)).toEqual([third?.requestId]);
    expect(await newest({ from: noon, to: noon })).toEqual({ records: [], searchedTo: noon, lookedAt: 0 });
  });

  test('merges tenants', async () => {
    const other = `${tenant}-other`;
    const [one, two, three] = await write(
      record(noon - 2),
      record(noon - 1, { tenant: other }),
      record(noon),
    );
    await write(record(noon, { tenant: `${tenant}-third` }));
    const { records } = await newest({ tenants: [tenant, other] });
    expect(idsOf(records)).toEqual([three, two, one].map((each) => each?.requestId));
  });

  test('that reads enough stops, and says from when on it has looked at everything', async () => {
    const written = await write(...[0, 1, 2, 3].map((days) => record(noon - days * 1_000)));
    const oldest = written.at(-1)?.requestId;
    const matches = ({ requestId }: LedgerRecord) => requestId === oldest;
    const first = await newest({ matches, maxRead: 2 });
    expect(first).toMatchObject({ records: [], lookedAt: 2, searchedTo: noon - 1_000 });
    const second = await newest({ matches, maxRead: 2, after: first.next });
    expect(idsOf(second.records)).toEqual([oldest]);
  });

  test('asks for more with each query of a day where it finds little', async () => {
    await write(...Array.from({ length: 30 }, (_, index) => record(noon - index * 1_000)));
    ranges.length = 0;
    await newest({ matches: () => false, limit: 1, from: noon - 3_600_000, to: noon + 1 });
    expect(ranges.map(({ limit }) => limit)).toEqual([6, 11, 21]);
  });

  test('looks at no day before the first one that may have records, or after tomorrow', async () => {
    await newest({ from: 0, to: Number.MAX_SAFE_INTEGER / 2, maxRead: 1 });
    const days = ranges.map(({ from }) => from.slice(0, 10));
    expect(days.length).toBeLessThanOrEqual(150);
    expect(days[0]).toBe('2025-10-16');
    expect(await newest({ from: 0, to: noon - 401 * dayMs })).toMatchObject({ records: [], lookedAt: 0 });
  });

  test('has at most 150 queries for a page, and at least a whole day', async () => {
    partitions = 64;
    await newest({ from: noon - 20 * dayMs });
    expect(ranges).toHaveLength(128);
    ranges.length = 0;
    const many = Array.from({ length: 3 }, (_, index) => `none-${index}`);
    const { next } = await newest({ from: noon - 20 * dayMs, tenants: many });
    expect([ranges.length, next?.slice(0, 10)]).toEqual([192, '2026-11-21']);
  });

  test('shows no open record, however old', async () => {
    for (const at of [noon - 1, noon - 960_000]) await usage.open(record(at));
    expect((await newest()).records).toEqual([]);
  });

  test('ends when nobody waits for it', async () => {
    const signal = AbortSignal.abort(new Error('left'));
    await expect(newest({ signal })).rejects.toThrow('left');
  });
});

test.each([1, 4, 5, 100])('pages of %i records of several partitions are in order of time', async (limit) => {
  partitions = 4;
  const written = await write(...Array.from({ length: 25 }, (_, index) => record(noon - index * 3_600_000)));
  const found: string[] = [];
  let after: string | undefined;
  do {
    const page = await usage.records(tenant, { from: noon - 2 * dayMs, to: noon + 1, limit, after });
    expect(page.records.length).toBeLessThanOrEqual(limit);
    found.push(...idsOf(page.records));
    after = page.after;
  } while (after !== undefined);
  expect(found).toEqual(idsOf(written.toReversed()));
});

test('a request is found in whichever partition its record is, and gets new costs there', async () => {
  const [written] = await write(record(noon, { requestId: '01a20456-a181-78b2-9789-e33e409ff94d' }));
  if (!written) throw new Error('Nothing was written.');
  partitions = 8;
  const id = written.requestId;
  const { at } = written;
  expect(await usage.find(tenant, 'no-id')).toBeUndefined();
  const bill = { attempts: written.attempts, cost: 77, charge: 88 };
  expect(await usage.reprice(written, bill)).toBe(true);
  expect(await usage.reprice(written, bill)).toBe(false);
  const { records } = await usage.records(tenant, { from: at, to: at + 1, limit: 5 });
  expect(records).toMatchObject([{ requestId: id, cost: 77, charge: 88 }]);
});
