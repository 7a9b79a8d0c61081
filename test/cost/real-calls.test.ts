/** The cost model agrees with a running gateway: the calls of a request, and the sizes of what it writes. */
import { describe, expect, test } from 'vitest';
import { readTraffic } from '../../infra/cost/options.ts';
import * as sizes from '../../infra/cost/sizes.ts';
import { tableCalls } from '../../infra/cost/table-calls.ts';
import { limitChoices, type Traffic } from '../../infra/cost/traffic.ts';
import type { Limits } from '../../lib/core/tenancy.ts';
import { question, until, useLimitedGateway } from '../limits/limited-gateway.ts';
import { itemSize } from './item-size.ts';

const gateway = useLimitedGateway();
const wide: Limits = { requestsPerMinute: 1_000, monthlyBudget: 1_000_000_000_000 };

interface Call {
  readonly name: string;
  readonly body: string;
}

function watchCalls(): readonly Call[] {
  const calls: Call[] = [];
  gateway.store.setFaults((action, table, body) => {
    calls.push({ name: `${table} ${action}`, body });
    return undefined;
  });
  return calls;
}

const isOver = () => until(() => gateway.store.idleMs() > 100);

async function ask(limits: Parameters<typeof gateway.newKey>[0]): Promise<readonly Call[]> {
  const { secret } = await gateway.newKey(limits);
  const calls = watchCalls();
  const response = await gateway.ask(secret);
  expect(response.status).toBe(200);
  await response.text();
  await isOver();
  return calls;
}

/** So rare and so long that nothing is cached, and each request starts a minute. */
const rare: Traffic = { ...readTraffic({}, new Set()), rps: 0.001, duration: 400 };

function counted(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function modelled(traffic: Traffic): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { table, action, times } of tableCalls(traffic)) {
    const name = `${table} ${action}`;
    counts[name] = (counts[name] ?? 0) + times;
  }
  return counts;
}

describe('the calls of a request without a cache', () => {
  test.each(limitChoices)('are those of the model, with limits: %s', async (limits) => {
    const calls = await ask({
      ...(limits !== 'none' && { key: wide }),
      ...(limits === 'key+tenant' && { tenant: wide }),
    });
    const isOfModel = (name: string) => name.startsWith('catalog');
    const found = counted(calls.map(({ name }) => name).filter((name) => !isOfModel(name)));
    const { 'catalog GetItem': model, ...expected } = modelled({ ...rare, limits });
    expect(found).toEqual(expected);
    expect(model).toBe(1);
  });
});

describe('the sizes of what a request writes', () => {
  const scan = async (prefix: string) => {
    const { Items } = await gateway.store.call('DynamoDB_20120810.Scan', {
      TableName: 'usage',
      FilterExpression: 'begins_with(pk, :prefix)',
      ExpressionAttributeValues: { ':prefix': { S: prefix } },
    });
    return (Array.isArray(Items) ? Items : []).map(itemSize);
  };

  const near = (size: number) => ({ least: size * 0.6, most: size * 1.15 });

  test.each([
    // This upstream reports few usage fields; the tolerance is for those of real providers.
    ['ledger#', sizes.ledgerRecord],
    ['count#', sizes.counter],
    ['limit#', sizes.limitItem],
  ])('an item %s… has about the size of the model', async (prefix, expected) => {
    await ask({ key: wide, tenant: wide });
    const found = await scan(prefix);
    expect(found.length).toBeGreaterThan(0);
    const { least, most } = near(expected);
    expect(Math.min(...found)).toBeGreaterThan(least);
    expect(Math.max(...found)).toBeLessThan(most);
  });

  test('each running request adds its size to the item of a limit', async () => {
    const { secret, key } = await gateway.newKey({ key: wide });
    await (await gateway.ask(secret)).text();
    await isOver();
    const mine = `limit#key#${key.id}`;
    const [before = 0] = await scan(mine);
    const release = gateway.hold();
    const open = Array.from({ length: 5 }, () => gateway.ask(secret, question));
    await until(() => gateway.upstream.requests.length === open.length);
    const [during = 0] = await scan(mine);
    release();
    for (const response of await Promise.all(open)) await response.text();
    const { least, most } = near(sizes.openReservation);
    expect((during - before) / open.length).toBeGreaterThan(least);
    expect((during - before) / open.length).toBeLessThan(most);
  });
});
