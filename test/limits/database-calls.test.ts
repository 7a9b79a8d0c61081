/** What a request asks of the database, and when: a caller without limits waits for no write. */
import { describe, expect, test } from 'vitest';
import type { Limits } from '../../lib/core/tenancy.ts';
import { question, until, useLimitedGateway } from './limited-gateway.ts';

const gateway = useLimitedGateway();

/** Notes every call from now on; gives what was called since the last time. */
function watchStore(): () => readonly string[] {
  const calls: string[] = [];
  gateway.store.setFaults((action, table) => {
    calls.push(`${action} ${table}`);
    return undefined;
  });
  return () => calls.splice(0).toSorted();
}

/** Model rows are read again from time to time, for any caller; in a slow test, keys too. */
const isNoModel = (call: string) => !call.endsWith(' catalog');
const isOfRequest = (call: string) => isNoModel(call) && call !== 'GetItem access';

const isOver = () => until(() => gateway.store.idleMs() > 100);

const wide: Limits = { requestsPerMinute: 1_000, monthlyBudget: 1_000_000_000_000 };
const counted = ['PutItem usage', 'UpdateItem usage'];
const change = 'UpdateItem usage';

interface Case {
  readonly who: string;
  readonly limits: { readonly key?: Limits; readonly tenant?: Limits };
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const cases: readonly Case[] = [
  { who: 'without limits', limits: {}, before: [], after: counted },
  { who: 'the key limits', limits: { key: wide }, before: [change], after: [...counted, change] },
  { who: 'the tenant limits', limits: { tenant: wide }, before: [change], after: [...counted, change] },
  {
    who: 'both limit',
    limits: { key: wide, tenant: wide },
    before: [change, change],
    after: [...counted, change, change],
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
    await isOver();
    expect(takeCalls().filter(isOfRequest)).toEqual(before);
    release();
    await (await asked).text();
    await isOver();
    expect(takeCalls().filter(isOfRequest)).toEqual(after);
  });
});

describe('the database is asked', () => {
  test('at the first request of a key whose it is, and in the end that it was used', async () => {
    const { secret } = await gateway.newKey({});
    const takeCalls = watchStore();
    await (await gateway.ask(secret)).text();
    await isOver();
    expect(takeCalls().filter(isNoModel)).toEqual([
      'GetItem access',
      'GetItem access',
      'PutItem usage',
      'UpdateItem access',
      'UpdateItem usage',
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
    expect(takeCalls().filter(isOfRequest)).toEqual(['GetItem usage', 'UpdateItem usage']);
  });
});
