/** Limits while something is wrong with the gateway's own database: requests still pass, and no limit is exceeded. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CapturedLog, captureLog } from '../harness/captured-log.ts';
import { startStopwatch } from '../harness/stopwatch.ts';
import type { StoreFault } from '../harness/store-faults.ts';
import { costOfAnswer, maxCost, question, until, useLimitedGateway } from './limited-gateway.ts';

const gateway = useLimitedGateway();
let log: CapturedLog;
beforeAll(() => {
  log = captureLog();
});
afterAll(() => log.release());

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
    const { secret } = await gateway.newKey({ key: { credit: maxCost }, tenant: { credit: maxCost } });
    await (await gateway.ask(secret)).text();
    expect((await gateway.ask(secret)).status).toBe(402);
    faults(() => fault);
    const before = linesOf('limits not checked').length;
    const watch = startStopwatch();
    const response = await gateway.ask(secret);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('Something.');
    expect(watch.waitedMs()).toBeLessThan(maxMs);
    expect(linesOf('limits not checked').length).toBe(before + 2);
    expect(linesOf('limits not released').length).toBeGreaterThan(0);
  });

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
    const { secret, key } = await gateway.newKey({ key: { credit: maxCost } });
    faults(() => 'failed');
    const release = gateway.hold();
    const running = gateway.ask(secret);
    await until(() => gateway.upstream.requests.length === 1);
    faults(() => undefined);
    release();
    await (await running).text();
    expect(await gateway.usageOf(key)).toMatchObject({ usedCredit: costOfAnswer, requests: 1, running: 0 });
  });
});

test('among a hundred requests and many faults every one is counted once, to the nano-dollar', async () => {
  const { secret, key, tenant } = await gateway.newKey({
    key: { credit: 40 * maxCost },
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
  await until(async () => (await gateway.usageOf(key))?.running === 0);
  await until(async () => (await gateway.usageOf(tenant))?.running === 0);
  expect(await gateway.usageOf(key)).toMatchObject({ usedCredit: passed * costOfAnswer });
  expect(await gateway.usageOf(tenant)).toMatchObject({ committed: passed * costOfAnswer });
});
