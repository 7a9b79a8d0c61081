/** Limits while something is wrong with the gateway's own database: requests still pass, and no limit is exceeded. */
import { describe, expect, test } from 'vitest';
import type { LimitScope } from '../../lib/core/accounting/limits.ts';
import { captureLog } from '../harness/captured-log.ts';
import { startStopwatch } from '../harness/stopwatch.ts';
import type { StoreFault } from '../harness/store-faults.ts';
import { use } from '../harness/use.ts';
import { costOfAnswer, maxCost, question, until, useLimitedGateway } from './limited-gateway.ts';

const gateway = useLimitedGateway();
const log = use(captureLog);

/** Faults of what touches the limits, and nothing else. */
const faults = (choose: () => StoreFault | undefined) =>
  gateway.store.setFaults((_action, table, body) =>
    table === 'usage' && body.includes('"limit#') ? choose() : undefined,
  );

const linesOf = (message: string) => log.lines.filter((line) => line.includes(`"${message}"`));

describe('a database that', () => {
  test.each([
    ['fails', 'failed', 1_000],
    ['hangs up', 'hung up', 1_000],
    // A second for letting it in, and a second for giving back.
    ['is silent', 'silent', 2_900],
  ] as const)('%s blocks no request, and the log says that nothing was checked', async (_, fault, maxMs) => {
    const budget = { monthlyBudget: 1_000 };
    const { secret } = await gateway.newKey({ key: budget, tenant: budget });
    expect((await gateway.ask(secret)).status).toBe(429);
    faults(() => fault);
    const before = linesOf('limits not checked').length;
    const watch = startStopwatch();
    const response = await gateway.ask(secret);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('Something.');
    expect(watch.waitedMs()).toBeLessThan(maxMs);
    expect(linesOf('limits not checked').length).toBe(before + 2);
  });

  test.each(['failed', 'hung up', 'silent'] as const)(
    '%s refuses a tenant that has paid in advance',
    async (fault) => {
      const { secret } = await gateway.newKey({ tenant: { credit: 1_000 * maxCost } });
      faults(() => fault);
      const response = await gateway.ask(secret);
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await response.text()).toContain('limits_unavailable');
      expect(gateway.upstream.requests).toHaveLength(0);
    },
  );

  test('is overloaded does not let a request exceed a limit', async () => {
    const { secret } = await gateway.newKey({ key: { credit: 1_000 * maxCost } });
    faults(() => 'throttled');
    const response = await gateway.ask(secret);
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('1');
    await response.text();
    expect(gateway.upstream.requests).toHaveLength(0);
  });

  test('comes back while a request runs, counts what it used', async () => {
    const { secret, key } = await gateway.newKey({ key: { monthlyBudget: maxCost } });
    faults(() => 'failed');
    const release = gateway.hold();
    const running = gateway.ask(secret);
    await until(() => gateway.upstream.requests.length === 1);
    faults(() => undefined);
    release();
    await (await running).text();
    await until(async () => (await gateway.usageOf(key))?.committed === costOfAnswer);
  });
});

test('among a hundred requests and many faults every one is counted, and nothing twice', async () => {
  // Far enough above a hundred requests that no output is lowered: each reservation is of the same amount.
  const { secret, key, tenant } = await gateway.newKey({
    key: { monthlyBudget: 400 * maxCost },
    tenant: { monthlyBudget: 1_000 * maxCost },
  });
  let calls = 0;
  faults(() => {
    calls += 1;
    if (calls % 7 === 0) return 'hung up';
    if (calls % 3 === 0) return 'done unheard';
    return calls % 11 === 0 ? 20 : undefined;
  });
  let passed = 0;
  for (let round = 0; round < 5; round += 1) {
    const responses = await Promise.all(Array.from({ length: 20 }, () => gateway.ask(secret, question)));
    await Promise.all(responses.map((response) => response.text()));
    passed += responses.filter(({ status }) => status === 200).length;
  }
  expect(gateway.upstream.requests).toHaveLength(passed);
  expect(passed).toBeGreaterThan(20);
  faults(() => undefined);
  // What was held by a write whose outcome is unknown stays; everything else is replaced by the actual use.
  const isSettled = async (scope: LimitScope) => {
    const { committed = 0 } = (await gateway.usageOf(scope)) ?? {};
    const unknown = committed - passed * costOfAnswer;
    return unknown >= 0 && unknown % maxCost === 0;
  };
  await until(() => isSettled(key));
  await until(() => isSettled(tenant));
});
