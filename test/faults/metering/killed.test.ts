/**
 * The gateway's process is killed during requests and restarted on the same data: started requests are in the log and can be
 * restored to the ledger; finished requests are in the ledger once.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { dayOf } from '../../../lib/core/accounting/counters.ts';
import { reconcile } from '../../../lib/metering/reconcile.ts';
import { replay } from '../../../lib/metering/replay.ts';
import { type GatewayProcess, startGatewayProcess } from '../../harness/gateways/gateway-process.ts';
import { daysOf, type Ledger, lastTwoDays, openLedger, summaryOf, sumOf } from '../../harness/ledger.ts';
import { startUpstream, type Upstream } from '../../harness/upstream.ts';

const tenant = 'local';
const running = 6;

let upstream: Upstream;
let first: GatewayProcess;
let second: GatewayProcess;
let ledger: Ledger;

async function ledgerOf({ dataDirectory }: GatewayProcess): Promise<Ledger> {
  const { endpoint } = JSON.parse(await readFile(join(dataDirectory, 'database.json'), 'utf8'));
  return openLedger(endpoint);
}

beforeAll(async () => {
  upstream = await startUpstream();
  upstream.script(async ({ body }, response) => {
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
  for (const _ of Array(3)) await (await ask(first, 'Go on.', 'finished')).text();
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
  await first.kill();
  second = await startGatewayProcess({ environment, dataDirectory: first.dataDirectory });
  ledger = await ledgerOf(second);
});
afterAll(async () => {
  await ledger?.close();
  await second?.stop();
  await upstream?.close();
});

function ask(
  { baseUrl, apiKey }: GatewayProcess,
  content: string,
  user: string,
  stream = true,
): Promise<Response> {
  return fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'x-gateway-user-id': user,
    },
    body: JSON.stringify({ model: 'openai/gpt-4.1', messages: [{ role: 'user', content }], stream }),
  });
}

const options = (later: number) => ({
  usage: ledger.usage,
  now: () => Date.now() + later,
  newId: (prefix: string) => `${prefix}${later}-${Math.random()}`,
});
/** After the maximum duration of a request. */
const dead = 1_000_000;

const sums = () => ledger.sums(tenant);

test('finished requests are in the ledger, started requests are in the log', async () => {
  const records = await ledger.recordsOf(tenant);
  expect(records.map(({ user, status }) => [user, status])).toEqual(Array(3).fill(['finished', 200]));
  const tooEarly = await replay(first.output().split('\n'), options(0));
  expect([tooEarly.underWay, tooEarly.interrupted]).toEqual([3 + running + 2, 0]);
});

test('replay records started requests with an unknown cost, and the counters match the ledger', async () => {
  const replayed = await replay(first.output().split('\n'), options(dead));
  // Finished requests were started too.
  expect(replayed).toMatchObject({ interrupted: running + 2, known: 3, restored: 0, underWay: 0 });
  await reconcile(options(dead), tenant, daysOf(lastTwoDays()));
  const records = await ledger.recordsOf(tenant);
  const users = Array.from({ length: running }, (_, index) => `begun-${index}`);
  const begun = records.filter(({ error }) => error === 'interrupted').map(summaryOf);
  expect(begun.map(({ user }) => user).sort()).toEqual(['awaited-false', 'awaited-true', ...users]);
  for (const { cost, usage, model, status } of begun)
    expect([cost, usage, model, status]).toEqual([null, undefined, 'openai/gpt-4.1', 499]);
  expect(await sums()).toEqual(sumOf(records));
  expect(await sums()).toMatchObject({ requests: 5 + running, unpriced: 2 + running, failed: 2 + running });
});

test('a second replay changes nothing, and the new process keeps counting', async () => {
  const before = await sums();
  expect(await replay(first.output().split('\n'), options(dead))).toMatchObject({
    interrupted: 0,
    differences: [],
  });
  expect(await sums()).toEqual(before);
  await (await ask(second, 'Go on.', 'after')).text();
  expect((await sums()).requests).toBe(before.requests + 1);
});

test('killed between its two writes, a request is in the ledger and reconcile fixes the counters', async () => {
  // The killed process had written one record that it never added to the counters.
  const [known] = await ledger.recordsOf(tenant);
  if (!known) throw new Error('There is no record.');
  await ledger.usage.record({ ...known, requestId: 'half-done', at: known.at + 1 }, 'a-write');
  const before = await sums();
  const reconciled = await reconcile(options(dead), tenant, [dayOf(known.at)]);
  expect(reconciled.map(({ state }) => state)).toEqual(['fixed']);
  expect((await sums()).requests).toBe(before.requests + 1);
});
