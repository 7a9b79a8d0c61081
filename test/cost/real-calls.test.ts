/** The cost model agrees with a running gateway: the calls of a request, and the sizes of what it writes. */
import { describe, expect, test } from 'vitest';
import { readTraffic } from '../../cli/cost/options.ts';
import * as sizes from '../../cli/cost/sizes.ts';
import { tableCalls } from '../../cli/cost/table-calls.ts';
import { limitChoices, type Traffic } from '../../cli/cost/traffic.ts';
import type { Limits } from '../../lib/core/tenancy.ts';
import { settled } from '../harness/settled.ts';
import { question, until, usage, useLimitedGateway } from '../limits/limited-gateway.ts';
import {
  isLater,
  itemSize,
  type SeenCall,
  sizesOf,
  unitsOf,
  watchCalls,
  writesOf,
} from './request-writes.ts';

const gateway = useLimitedGateway();
const wide: Limits = { requestsPerMinute: 1_000, monthlyBudget: 1_000_000_000_000 };

/** The request has ended, and what follows from it. */
async function isOver(): Promise<void> {
  await settled();
  await until(() => gateway.store.idleMs() > 100);
}

async function ask(limits: Parameters<typeof gateway.newKey>[0]): Promise<readonly SeenCall[]> {
  const { secret } = await gateway.newKey(limits);
  const calls = watchCalls(gateway.store);
  const response = await gateway.ask(secret);
  expect(response.status).toBe(200);
  await response.text();
  await isOver();
  return calls;
}

/** So rare and so long that nothing is cached, and each request starts a minute. */
const rare: Traffic = { ...readTraffic({}, new Set()), rps: 0.001, duration: 400 };

const counted = (names: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));

function modelled(traffic: Traffic): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { table, action, times } of tableCalls(traffic).filter(
    (call) => !call.isLater || call.action === 'GetItem',
  )) {
    const name = `${table} ${action}`;
    counts[name] = (counts[name] ?? 0) + times;
  }
  return counts;
}

describe('what a request writes while its caller waits', () => {
  test('without limits it is one write, from when its provider has answered', async () => {
    const { secret } = await gateway.newKey({});
    const calls = watchCalls(gateway.store);
    const release = gateway.hold();
    const asked = gateway.ask(secret, question);
    await until(() => gateway.upstream.requests.length === 1 && writesOf(calls).length === 1);
    // The open record is written beside the call of the provider.
    expect(writesOf(calls)[0]?.body).toContain('"open"');
    release();
    await (await asked).text();
    await isOver();
    expect(writesOf(calls).map(({ name }) => name)).toEqual(['usage PutItem', 'usage PutItem']);
    expect(await unitsOf(gateway.store.call, calls)).toBe(2);
  });

  test.each([1, 50])('with limits of key and tenant it is four units, with %i open streams', async (open) => {
    const { secret } = await gateway.newKey({ key: wide, tenant: wide });
    const release = gateway.hold();
    const others = Array.from({ length: open }, () => gateway.ask(secret, question));
    await until(() => gateway.upstream.requests.length === open);
    await isOver();
    const calls = watchCalls(gateway.store);
    const asked = gateway.ask(secret, question);
    await until(() => gateway.upstream.requests.length === open + 1);
    await isOver();
    expect(writesOf(calls)).toHaveLength(3);
    release();
    const answered = await Promise.all([asked, ...others]);
    for (const response of answered) await response.text();
    await isOver();
    const finals = writesOf(calls).slice(3);
    expect(finals.map(({ name }) => name)).toEqual(Array(open + 1).fill('usage PutItem'));
    expect(await unitsOf(gateway.store.call, [...writesOf(calls).slice(0, 3), ...finals.slice(0, 1)])).toBe(
      4,
    );
  });
});

describe('the calls of a request without a cache', () => {
  test.each(limitChoices)('are those of the model, with limits: %s', async (limits) => {
    const calls = await ask({
      ...(limits !== 'none' && { key: wide }),
      ...(limits === 'key+tenant' && { tenant: wide }),
    });
    const isOfModel = (name: string) => name.startsWith('catalog');
    const own = calls.filter((call) => !isLater(call)).map(({ name }) => name);
    const found = counted(own.filter((name) => !isOfModel(name)));
    const { 'catalog GetItem': model, ...expected } = modelled({ ...rare, limits });
    expect(found).toEqual(expected);
    expect(model).toBe(1);
  });
});

test('a stream that can be resumed writes its head, and a block of about the size of the model', async () => {
  const { secret } = await gateway.newKey({});
  const chunks = 50;
  gateway.upstream.script((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = (content: string) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
    for (let n = 0; n < chunks; n += 1) response.write(`data: ${JSON.stringify(chunk(`word${n} `))}\n\n`);
    const last = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage };
    response.end(`data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`);
  });
  const calls = watchCalls(gateway.store);
  await (await gateway.ask(secret, { ...question, stream: true, extra: { resumable: true } })).text();
  await isOver();
  const puts = calls.filter(({ name }) => name === 'state PutItem');
  const [head = 0, block = 0] = puts.map(({ body }) => itemSize(JSON.parse(body).Item));
  expect([puts.length, head < sizes.writeUnit]).toEqual([2, true]);
  const expected = sizes.logBlock + sizes.logChunk * chunks;
  expect(block / expected).toBeGreaterThan(0.6);
  expect(block / expected).toBeLessThan(1.15);
});

describe('the sizes of what a request writes', () => {
  const near = (size: number) => ({ least: size * 0.6, most: size * 1.15 });

  test.each([
    // This upstream reports few usage fields; the tolerance is for those of real providers.
    ['ledger#', sizes.ledgerRecord],
    ['count#', sizes.counter],
    ['limit#', sizes.limitItem],
  ])('an item %s… has about the size of the model', async (prefix, expected) => {
    await ask({ key: wide, tenant: wide });
    const found = await sizesOf(gateway.store.call, prefix);
    expect(found.length).toBeGreaterThan(0);
    const { least, most } = near(expected);
    expect(Math.min(...found)).toBeGreaterThan(least);
    expect(Math.max(...found)).toBeLessThan(most);
  });
});
