/**
 * The gateway's process is killed during requests and restarted on the same data: each request is in the ledger once, those that
 * were running as interrupted, and the sums follow, without any command.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { overAfterMs } from '../../../lib/core/accounting/interrupted.ts';
import type { LedgerRecord } from '../../../lib/core/accounting/ledger.ts';
import { reconcile } from '../../../lib/metering/records/reconcile.ts';
import { openTable } from '../../../lib/stores/dynamodb/table.ts';
import { type GatewayProcess, startGatewayProcess } from '../../harness/gateways/gateway-process.ts';
import { daysOf, type Ledger, openLedger, sumOf } from '../../harness/ledger.ts';
import { postJson } from '../../harness/post.ts';
import { shiftedClock } from '../../harness/shifted-clock.ts';
import { startUpstream } from '../../harness/upstream.ts';
import { use } from '../../harness/use.ts';

const tenant = 'local';
const finishedBefore = 3;
const running = 6;

/** Requests at once, and how many of them have reached the provider when the process is killed. */
const burst = 40;
const burstSeen = 20;

/** How much later the second process runs, by its clock: longer than any request may take. */
const shiftMs = overAfterMs + 60_000;
const later = () => ({ from: Date.now() - 86_400_000, to: Date.now() + 2 * shiftMs });

let first: GatewayProcess;
let second: GatewayProcess;
let ledger: Ledger;
/** The users whose requests of the burst the provider has seen. */
const seen = new Set<string>();

async function ledgerOf({ dataDirectory }: GatewayProcess): Promise<Ledger> {
  const { endpoint } = JSON.parse(await readFile(join(dataDirectory, 'database.json'), 'utf8'));
  return openLedger(endpoint, () => Date.now() + shiftMs);
}

const upstream = use(() => startUpstream());
beforeAll(async () => {
  upstream.script(async ({ body }, response) => {
    const [, user] = /Burst (\S+)"/.exec(JSON.stringify(body.messages)) ?? [];
    if (user !== undefined) {
      seen.add(user);
      if (seen.size === burstSeen) process.kill(first.pid, 'SIGKILL');
      return;
    }
    // Requests nothing and gets nothing.
    if (JSON.stringify(body.messages).includes('Nothing')) return;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (choices: readonly object[], more: object = {}) =>
      response.write(
        `data: ${JSON.stringify({ id: 'one', object: 'chat.completion.chunk', choices, ...more })}\n\n`,
      );
    send([{ index: 0, delta: { role: 'assistant', content: 'One' }, finish_reason: null }]);
    // Waits, but never gets the rest.
    if (JSON.stringify(body.messages).includes('Wait')) return;
    send([{ index: 0, delta: {}, finish_reason: 'stop' }]);
    send([], { usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 } });
    response.end('data: [DONE]\n\n');
  });
  const environment = { OPENAI_UPSTREAM_URL: upstream.url, OPENAI_API_KEY: 'a-provider-key' };
  first = await startGatewayProcess({ environment });
  for (const _ of Array(finishedBefore)) await (await ask(first, 'Go on.', 'finished')).text();
  const begun = await Promise.all(
    Array.from({ length: running }, (_, index) => ask(first, 'Wait.', `begun-${index}`)),
  );
  // Each has received one word.
  for (const response of begun) await response.body?.getReader().read();
  const asked = upstream.requests.length;
  const awaited = [true, false].map((stream) => ask(first, 'Nothing.', `awaited-${stream}`, stream));
  for (const one of awaited) one.catch(() => {});
  await vi.waitFor(() => expect(upstream.requests).toHaveLength(asked + awaited.length), {
    timeout: 20_000,
  });
  // Open records are written beside the calls of the provider.
  const before = await ledgerOf(first);
  await vi.waitFor(
    async () => {
      const items = await openTable({ call: before.call, table: 'usage' }).scan('running#');
      expect(items).toHaveLength(finishedBefore + running + 2);
    },
    { timeout: 20_000 },
  );
  await before.close();
  const sent = Array.from({ length: burst }, (_, index) => ask(first, `Burst ${index}`, `burst-${index}`));
  await Promise.allSettled(sent);
  await first.kill();
  second = await startGatewayProcess({
    environment: { ...environment, NODE_OPTIONS: shiftedClock(shiftMs) },
    dataDirectory: first.dataDirectory,
  });
  ledger = await ledgerOf(second);
});
afterAll(async () => {
  await ledger?.close();
  await second?.stop();
});

function ask(
  { baseUrl, apiKey }: GatewayProcess,
  content: string,
  user: string,
  stream = true,
): Promise<Response> {
  return postJson(
    `${baseUrl}/chat/completions`,
    apiKey,
    { model: 'openai/gpt-4.1', messages: [{ role: 'user', content }], stream },
    { headers: { 'x-gateway-user-id': user } },
  );
}

const sums = () => ledger.sums(tenant);
const isOfBurst = ({ user }: LedgerRecord) => user?.startsWith('burst-') === true;
const burstRecords = async () => (await ledger.recordsOf(tenant, later())).filter(isOfBurst);
const users = (name: string) => Array.from({ length: running }, (_, index) => `${name}-${index}`);

/** What is in the ledger and the sums, once no request of the first process is open any more. */
async function untilFinished() {
  const count = 4 + running + 2 + (await burstRecords()).length;
  await vi.waitFor(async () => expect(await sums()).toMatchObject({ requests: count }), {
    timeout: 20_000,
    interval: 100,
  });
}

test('after a kill in a burst, each request that its provider saw has a record, without a command', async () => {
  expect(seen.size).toBeGreaterThanOrEqual(burstSeen);
  const missing = async () => {
    const known = new Set((await burstRecords()).map(({ user }) => user));
    return [...seen].filter((user) => !known.has(`burst-${user}`));
  };
  await vi.waitFor(async () => expect(await missing()).toEqual([]), { timeout: 20_000, interval: 100 });
});

test('after a restart, finished requests are in the ledger once, and the others show as interrupted', async () => {
  const others = async () => {
    const records = (await ledger.recordsOf(tenant, later())).filter((record) => !isOfBurst(record));
    return records.map(({ user, status, error }) => `${user} ${error ?? status}`).sort();
  };
  const interrupted = ['awaited-false', 'awaited-true', ...users('begun')].map(
    (user) => `${user} interrupted`,
  );
  const finished = Array(finishedBefore).fill('finished 200');
  // One after the other.
  await vi.waitFor(async () => expect(await others()).toEqual([...interrupted, ...finished]), {
    timeout: 20_000,
    interval: 100,
  });
});

test('the next request of the tenant finishes them, without a command: the sums have all of them', async () => {
  await (await ask(second, 'Go on.', 'after')).text();
  await untilFinished();
  const records = await ledger.recordsOf(tenant, later());
  expect(await sums()).toEqual(sumOf(records));
  const begun = records.filter(({ error }) => error === 'interrupted');
  expect(begun).toHaveLength(records.length - 4);
  for (const { model, status, attempts, cost } of begun) {
    expect([model, status, attempts.at(-1)?.error]).toEqual(['openai/gpt-4.1', 499, 'interrupted']);
    // How long it ran is not known: the estimate is what is reserved for an answer without a limit.
    expect(attempts.at(-1)).toMatchObject({
      estimated: true,
      isFloor: true,
      usage: { completionTokens: 4_096 },
    });
    expect(cost).toBeGreaterThan(0);
  }
});

test('they are finished once, and the sums agree with the ledger', async () => {
  const before = await sums();
  await (await ask(second, 'Go on.', 'after')).text();
  await vi.waitFor(async () => expect((await sums()).requests).toBe(before.requests + 1), {
    timeout: 20_000,
  });
  const options = { usage: ledger.usage, now: () => Date.now() + 2 * shiftMs, write: false };
  expect(await reconcile(options, tenant, daysOf(later()))).toEqual([]);
});
