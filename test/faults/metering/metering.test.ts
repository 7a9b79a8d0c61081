/**
 * Very many requests while providers and the gateway's own store fail in every way: in the end, the ledger, the counters and
 * the provider's log agree.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Counts } from '../../../lib/core/accounting/counters.ts';
import type { LedgerAttempt, LedgerRecord } from '../../../lib/core/accounting/ledger.ts';
import { readLogLine } from '../../../lib/metering/records/log-lines.ts';
import { type Difference, reconcile } from '../../../lib/metering/records/reconcile.ts';
import { type Replayed, replay } from '../../../lib/metering/records/replay.ts';
import { openTable } from '../../../lib/stores/dynamodb/table.ts';
import { type CapturedLog, captureLog } from '../../harness/captured-log.ts';
import { databaseEndpoint } from '../../harness/gateways/environment.ts';
import { startTestGateway, type TestGateway } from '../../harness/gateways/gateway.ts';
import {
  daysOf,
  type Ledger,
  lastTwoDays,
  openLedger,
  type Summary,
  summaryOf,
  sumOf,
} from '../../harness/ledger.ts';
import { putModels } from '../../harness/matrix/catalog.ts';
import { someFaults } from '../../harness/some-store-faults.ts';
import { type FaultyStore, startFaultyStore } from '../../harness/store-faults.ts';
import { type Answer, askMany } from './callers.ts';
import {
  type CountingUpstream,
  secondModel,
  secrets,
  startCountingUpstream,
  type UpstreamCall,
  wayOf,
} from './upstream.ts';

const count = 400;
const tenant = 'local';
const nanoDollarsOfToken = 1_000;

let store: FaultyStore;
let upstream: CountingUpstream;
let gateway: TestGateway;
let ledger: Ledger;
let log: CapturedLog;
let answers: readonly Answer[];
let before: { readonly records: number; readonly counted: Counts };
let replayed: Replayed;
let wrong: readonly Difference[];
let records: readonly Summary[];
let counted: Counts;

/** So late that no request can be running any more. */
const later = () => Date.now() + 1_000_000;
beforeAll(
  async () => {
    log = captureLog();
    store = await startFaultyStore();
    upstream = await startCountingUpstream();
    gateway = await startTestGateway(
      {
        OPENAI_UPSTREAM_URL: upstream.url,
        OPENAI_API_KEY: secrets.providerKey,
        DEEPSEEK_UPSTREAM_URL: upstream.url,
        DEEPSEEK_API_KEY: secrets.providerKey,
        GATEWAY_FIRST_BYTE_TIMEOUT_MS: '10000',
      },
      { database: store },
    );
    await putModels({
      'faults/first': [{ provider: 'openai', upstreamId: 'first' }],
      [`faults/${secondModel}`]: [{ provider: 'openai', upstreamId: secondModel }],
      'hosted/first': [{ provider: 'deepseek', upstreamId: 'first' }],
      [`hosted/${secondModel}`]: [{ provider: 'deepseek', upstreamId: secondModel }],
    });
    ledger = openLedger(gateway && databaseEndpoint());
    // A gateway does not know keys that it has not seen.
    await fetch(`${gateway.url}/v1/usage`, { headers: { authorization: `Bearer ${gateway.apiKey}` } });
    store.setFaults(someFaults());
    const began = performance.now();
    answers = await askMany({ gateway, upstream }, count);
    const seconds = (performance.now() - began) / 1000;
    store.setFaults(undefined);
    // Writes that were not waited for may still be running: the longest takes ten seconds.
    while (store.idleMs() < 11_000) await pause(100);
    before = { records: (await ledger.recordsOf(tenant)).length, counted: await ledger.sums(tenant) };
    const options = { usage: ledger.usage, newId: (prefix: string) => `${prefix}${Math.random()}` };
    replayed = await replay(log.lines, { ...options, now: Date.now });
    await gateway.settled();
    const checked = { usage: ledger.usage, now: later, write: false };
    wrong = await reconcile(checked, tenant, daysOf(lastTwoDays()));
    records = (await ledger.recordsOf(tenant)).map(summaryOf);
    counted = await ledger.sums(tenant);
    process.stdout.write(`${report(seconds)}\n`);
  },
  60_000 + count * 60,
);

afterAll(async () => {
  log?.release();
  await ledger?.close();
  await gateway?.close();
  await upstream?.close();
  await store?.close();
});

function report(seconds: number): string {
  const calls = [...upstream.calls.values()].flat().length;
  const faults = [...store.counts].map(([name, times]) => `${name} ${times}`).join(', ');
  const lost = log.lines.filter((line) => readLogLine(line)).length;
  return [
    `${count} requests in ${seconds.toFixed(1)} s, of which ${upstream.calls.size} reached the provider in ${calls} calls`,
    `faults of the store: ${faults}`,
    `before replay: ${before.records} records, ${before.counted.requests} counted, ${lost} log lines report losses`,
    `replay: ${replayed.restored} restored, ${replayed.known} known`,
    `after it: ${records.length} records, ${counted.requests} counted, ${counted.cost} nano-dollars`,
  ].join('\n');
}

const numberOf = ({ user = '' }: LedgerRecord) => Number(user.replace('caller-', ''));
const callsOf = (record: LedgerRecord): readonly UpstreamCall[] => upstream.calls.get(numberOf(record)) ?? [];

const usageIn = ({ usage }: Pick<LedgerAttempt, 'usage'> = {}) =>
  usage && { prompt: usage.promptTokens, completion: usage.completionTokens };

/** How the cost of a call is known. */
function kindOf(call: UpstreamCall | undefined, { streamed }: LedgerRecord): string {
  if (call?.given) return 'counted';
  if (call?.isRefused) return 'refused';
  return streamed ? 'seen' : 'unseen';
}

/** The gateway may have failed just before it noticed that the caller had disconnected: then its error is recorded. */
function statusSeenFor(record: LedgerRecord): number | undefined {
  const seen = answers[numberOf(record)]?.status;
  const hasFailedBefore = seen === 499 && record.status >= 500 && record.error !== undefined;
  return hasFailedBefore ? record.status : seen;
}

describe('in the end', () => {
  test('every fault occurred', () => {
    const seen = [...store.counts.keys()];
    for (const action of ['PutItem', 'UpdateItem'])
      for (const fault of ['failed', 'throttled', 'hung up', 'done unheard', 'slow'])
        expect(seen).toContain(`${action}: ${fault}`);
  });

  test('nothing is left for a replay: a server goes on to write after its answers', () => {
    expect(replayed).toMatchObject({ restored: 0 });
  });

  test('there is one record of each request that reached the provider, and none of any other', () => {
    expect(upstream.calls.size).toBeGreaterThan(count * 0.95);
    expect(records.map(numberOf).sort((a, b) => a - b)).toEqual(
      [...upstream.calls.keys()].sort((a, b) => a - b),
    );
    expect(new Set(records.map(({ requestId }) => requestId)).size).toBe(records.length);
  });

  test('it has the number of calls, and the model that was called last', () => {
    const inLedger = records.map((record) => [
      numberOf(record),
      record.attempts.length,
      record.model.split('/')[1],
    ]);
    const atProvider = records.map((record) => [
      numberOf(record),
      callsOf(record).length,
      callsOf(record).at(-1)?.model,
    ]);
    expect(inLedger).toEqual(atProvider);
  });

  test('it has the outcome that the caller saw', () => {
    const inLedger = records.map((record) => [numberOf(record), record.status]);
    const seen = records.map((record) => [numberOf(record), statusSeenFor(record)]);
    expect(inLedger).toEqual(seen);
    expect(records.some(({ status }) => status === 499)).toBe(true);
    for (const record of records) {
      if (record.status === 499) continue;
      const isFine = callsOf(record).at(-1)?.given !== undefined;
      expect([numberOf(record), record.error === undefined]).toEqual([numberOf(record), isFine]);
    }
  });

  test('its cost is for the provider’s usage, to the token, as returned to the caller', () => {
    const whole = records.filter((record) => callsOf(record).at(-1)?.given && record.status === 200);
    expect(whole.length).toBeGreaterThan(count / 2);
    for (const record of whole) {
      const given = callsOf(record).at(-1)?.given;
      expect([record.user, usageIn(record.attempts.at(-1))]).toEqual([record.user, given]);
      expect(answers[numberOf(record)]?.usage).toEqual(given);
    }
  });

  test('each attempt costs what was counted, else what was seen of a stream or may be in a body, and nothing if it was refused', () => {
    const kinds = new Map<string, number>();
    for (const record of records) {
      for (const [index, attempt] of record.attempts.entries()) {
        const kind = kindOf(callsOf(record)[index], record);
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        const { prompt = 0, completion = 0 } = usageIn(attempt) ?? {};
        const cost = (prompt + completion) * nanoDollarsOfToken;
        const isEstimated = attempt.estimated === true;
        expect([record.user, kind, attempt.cost, isEstimated]).toEqual([
          record.user,
          kind,
          cost,
          kind === 'seen' || kind === 'unseen',
        ]);
        expect([record.user, kind, cost === 0]).toEqual([record.user, kind, kind === 'refused']);
      }
    }
    for (const kind of ['counted', 'refused', 'seen', 'unseen']) {
      expect([kind, (kinds.get(kind) ?? 0) > count / 50]).toEqual([kind, true]);
    }
    expect(new Set(records.map((record) => wayOf(numberOf(record)))).size).toBeGreaterThan(5);
  });

  test('the counters match the ledger', () => {
    expect(counted).toEqual(sumOf(records));
    expect(wrong).toEqual([]);
  });

  test('a second replay changes nothing', async () => {
    const options = { usage: ledger.usage, newId: (prefix: string) => `${prefix}again` };
    expect((await replay(log.lines, { ...options, now: Date.now })).restored).toBe(0);
    expect(await ledger.sums(tenant)).toEqual(counted);
  });

  test('no content and no key is in an item or in the log', async () => {
    const items = await openTable({ call: store.call, table: 'usage' }).scan('');
    expect(items.length).toBeGreaterThan(records.length);
    for (const text of [...items.map((item) => JSON.stringify(item)), ...log.lines]) {
      for (const secret of [...Object.values(secrets), gateway.apiKey]) expect(text).not.toContain(secret);
    }
  });
});
