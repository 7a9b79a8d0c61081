/**
 * An outage of the gateway's own store: recent callers are served as fast as before, for a limited time, and their use is not
 * lost.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readLogLine } from '../../../lib/metering/records/log-lines.ts';
import { type CapturedLog, captureLog } from '../../harness/captured-log.ts';
import { startTestGateway, type TestGateway } from '../../harness/gateways/gateway.ts';
import { type Ledger, openLedger, sumOf } from '../../harness/ledger.ts';
import { startStopwatch } from '../../harness/stopwatch.ts';
import { type FaultyStore, type StoreFault, startFaultyStore } from '../../harness/store-faults.ts';

let store: FaultyStore;
let gateway: TestGateway;
let ledger: Ledger;
let log: CapturedLog;
/** Moves the gateway's clock. */
let laterMs = 0;
const realNow = Date.now;

beforeAll(async () => {
  Date.now = () => realNow() + laterMs;
  log = captureLog();
  store = await startFaultyStore();
  gateway = await startTestGateway({}, { database: store });
  ledger = openLedger();
});
afterAll(async () => {
  Date.now = realNow;
  log?.close();
  await ledger?.close();
  await gateway?.close();
  await store?.close();
});

let requests = 0;

/** A streamed request; returns when the first and the last byte arrived. */
async function ask(model = 'openai/gpt-4.1') {
  const first = startStopwatch();
  const whole = startStopwatch();
  requests += 1;
  const response = await gateway.post(
    '/v1/chat/completions',
    { model, messages: [{ role: 'user', content: 'Hello.' }], stream: true },
    { 'x-gateway-user-id': `caller-${requests}` },
  );
  const reader = response.body?.getReader();
  await reader?.read();
  const firstMs = first.waitedMs();
  while (!(await reader?.read())?.done);
  return { status: response.status, firstMs, totalMs: whole.waitedMs(), user: `caller-${requests}` };
}

interface Outage {
  readonly name: string;
  readonly fault: StoreFault;
}

test.each<Outage>([
  { name: 'answers with errors', fault: 'failed' },
  { name: 'closes every connection', fault: 'hung up' },
  { name: 'does not answer', fault: 'silent' },
])('while it $name, callers are answered, and their use is in the ledger after it', async ({ fault }) => {
  const before = await ask();
  expect(before.status).toBe(200);
  store.setFaults(() => fault);
  // Recently read items are cached for a few seconds; after that, reads fail.
  laterMs += 10_000;
  const seen = [];
  for (const _ of Array(3)) seen.push(await ask());
  expect(seen.map(({ status }) => status)).toEqual([200, 200, 200]);
  // A hanging read has a timeout of one second, for the key and for the model, and is then not retried for some time.
  expect(seen[0]?.firstMs).toBeLessThan(3_500);
  for (const { firstMs } of seen.slice(1)) expect(firstMs).toBeLessThan(1_000);
  for (const { firstMs, totalMs } of seen) expect(totalMs - firstMs).toBeLessThan(3_000);
  store.setFaults(undefined);
  const span = { from: realNow() - 86_400_000, to: Date.now() + 60_000 };
  const users = [before, ...seen].map(({ user }) => user);
  const recorded = async () => (await ledger.recordsOf('local', span)).map(({ user }) => user);
  await vi.waitFor(async () => expect(await recorded()).toEqual(expect.arrayContaining(users)), {
    timeout: 60_000,
    interval: 100,
  });
  while (store.idleMs() < 500) await new Promise((done) => setTimeout(done, 50));
  const records = await ledger.recordsOf('local', span);
  for (const one of users) expect(records.filter(({ user }) => user === one)).toHaveLength(1);
  expect(await ledger.sums('local', span)).toEqual(sumOf(records));
  // Nothing was lost, so nothing is reported.
  expect(log.lines.flatMap((line) => readLogLine(line) ?? [])).toEqual([]);
});

test('a key that is not cached is an error, and no provider is called', async () => {
  await ask();
  store.setFaults(() => 'failed');
  laterMs += 400_000;
  const { status, user } = await ask();
  store.setFaults(undefined);
  expect(status).toBe(500);
  const asked = log.lines.flatMap((line) => readLogLine(line) ?? []).map((record) => record.user);
  expect(asked).not.toContain(user);
});
