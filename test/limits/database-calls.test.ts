/** What a request asks of the database, and when: a caller without limits waits for no write. */
import { describe, expect, test } from 'vitest';
import type { Limits } from '../../lib/core/tenancy.ts';
import { question, until, useLimitedGateway } from './limited-gateway.ts';

const gateway = useLimitedGateway();

/** Notes every call of requests from now on; gives what was called since the last time. */
function watchStore(): () => readonly string[] {
  const calls: string[] = [];
  gateway.store.setFaults((action, table, body) => {
    const name = nameOf(action, table, body);
    if (name) calls.push(name);
    return undefined;
  });
  return () => calls.splice(0).toSorted();
}

/** Undefined for what the aggregator does beside requests. */
function nameOf(action: string, table: string, body: string): string | undefined {
  if (table !== 'usage') return `${action} ${table}`;
  if (action === 'BatchWriteItem') return 'BatchWriteItem ledger';
  return body.includes('"limit#') && !body.includes('seen#') ? `${action} limit` : undefined;
}

/** Model rows are read again from time to time, for any caller; in a slow test, keys too. */
const isNoModel = (call: string) => !call.endsWith(' catalog');
const isOfRequest = (call: string) =>
  isNoModel(call) && !call.endsWith(' access') && call !== 'GetItem limit';

const isOver = () => until(() => gateway.store.idleMs() > 100);

/** Waits for these calls, and for others that must not come. */
async function expectAll(takeCalls: () => readonly string[], expected: readonly string[]): Promise<void> {
  const taken: string[] = [];
  const take = () => {
    taken.push(...takeCalls().filter(isOfRequest));
    return taken.toSorted();
  };
  await expect.poll(take, { timeout: 20_000 }).toEqual(expected);
  await isOver();
  expect(take()).toEqual(expected);
}

const wide: Limits = { requestsPerMinute: 1_000, monthlyBudget: 1_000_000_000_000 };
const record = 'BatchWriteItem ledger';
const change = 'UpdateItem limit';

interface Case {
  readonly who: string;
  readonly limits: { readonly key?: Limits; readonly tenant?: Limits };
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Each is one write unit: four with limits of both, at any number of open streams. */
const cases: readonly Case[] = [
  { who: 'without limits', limits: {}, before: [record], after: [record] },
  { who: 'the key limits', limits: { key: wide }, before: [record, change], after: [record] },
  { who: 'the tenant limits', limits: { tenant: wide }, before: [record, change], after: [record] },
  {
    who: 'both limit',
    limits: { key: wide, tenant: wide },
    before: [record, change, change],
    after: [record],
  },
  {
    who: 'one limits at a time',
    limits: { key: { ...wide, concurrentRequests: 5 } },
    before: [record, change],
    after: [record, change],
  },
];

describe.each(cases)('a request that $who', ({ limits, before, after }) => {
  test.each([false, true])('asks the provider, and then counts (streamed: %s)', async (stream) => {
    const { secret } = await gateway.newKey(limits);
    await (await gateway.ask(secret)).text();
    await isOver();
    const takeCalls = watchStore();
    const release = gateway.hold();
    const asked = gateway.ask(secret, { ...question, stream });
    await until(() => gateway.upstream.requests.length === 1);
    await expectAll(takeCalls, before);
    release();
    await (await asked).text();
    await expectAll(takeCalls, after);
  });
});

describe('the database is asked', () => {
  test('at the first request of a key whose it is, and in the end that it was used', async () => {
    const { secret } = await gateway.newKey({});
    const takeCalls = watchStore();
    await (await gateway.ask(secret)).text();
    await isOver();
    const calls = takeCalls();
    expect(calls).toContain('GetItem access');
    expect(calls.filter((call) => isNoModel(call) && call !== 'GetItem access')).toEqual([
      'BatchWriteItem ledger',
      'BatchWriteItem ledger',
      'UpdateItem access',
    ]);
  });

  test('nothing for what is refused before a provider would be asked', async () => {
    const { secret } = await gateway.newKey({ key: wide });
    await (await gateway.ask(secret)).text();
    await isOver();
    const takeCalls = watchStore();
    const refused = [
      gateway.ask(secret, { model: question.model }),
      gateway.ask(secret, { ...question, model: 'openai/none' }),
      gateway.ask(secret, { ...question, temperature: 'hot' }),
    ];
    for (const response of await Promise.all(refused)) expect([400, 404]).toContain(response.status);
    await isOver();
    expect(takeCalls().filter(isOfRequest)).toEqual([]);
  });

  test('twice if a limit refuses: the conditional write, and then a read of the use', async () => {
    const { secret } = await gateway.newKey({ key: { requestsPerMinute: 1 } });
    await (await gateway.ask(secret)).text();
    await isOver();
    const takeCalls = watchStore();
    expect((await gateway.ask(secret)).status).toBe(429);
    await isOver();
    expect(takeCalls().filter((call) => call.endsWith(' limit')).length).toBeLessThanOrEqual(2);
  });
});
