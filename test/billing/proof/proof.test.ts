import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayOf } from '../../../lib/core/accounting/counters.ts';
import { overAfterMs } from '../../../lib/core/accounting/interrupted.ts';
import type { LedgerRecord } from '../../../lib/core/accounting/ledger.ts';
import { formatDollars } from '../../../lib/core/accounting/money.ts';
import { replay } from '../../../lib/metering/records/replay.ts';
import { openTable } from '../../../lib/stores/dynamodb/table.ts';
import { createLimitStore } from '../../../lib/stores/limits/limits.ts';
import { completeEnvironment } from '../../../local/environment.ts';
import { type Feed, startFeed } from '../../../local/stream/feed.ts';
import { setGatewayEnvironment } from '../../harness/gateways/environment.ts';
import { sumOf as countsOf, daysOf, type Ledger, openLedger } from '../../harness/ledger.ts';
import { newDirectory } from '../../harness/new-directory.ts';
import { runCommand } from '../../harness/operator-command.ts';
import { createRandom } from '../../harness/random.ts';
import { registerAggregator } from '../../harness/settled.ts';
import { isHopeless, someFaults } from '../../harness/some-store-faults.ts';
import { type FaultyStore, startFaultyStore } from '../../harness/store-faults.ts';
import { words } from '../answers.ts';
import {
  auditAttempts,
  auditCharges,
  auditJoined,
  auditStatuses,
  countedOf,
  isInterrupted,
  numberOf,
  openMs,
} from '../audit.ts';
import { askAll, broken } from '../callers.ts';
import { exportedCharges, exportFormats } from '../exports.ts';
import { putBilledModels } from '../models.ts';
import { planOf } from '../plan.ts';
import { createBilledTenants, type TenantKey, tenantOf, tenants } from '../tenants.ts';
import { type BillingUpstream, refusal, startBillingUpstream } from '../upstream.ts';
import { type Delivery, startDelivery } from './delivery.ts';
import { type Gateways, startGateways } from './gateways.ts';

const count = Number(process.env.GATEWAY_PROOF_REQUESTS || 200);
const seed = Number(process.env.GATEWAY_PROOF_SEED || 1);
/** A process of the gateway is killed after so many requests. */
const killEvery = Math.max(80, Math.ceil(count / 20));
/** The requests that follow when all is well again: the tenants are active once more, so that the aggregator looks after them. */
const lastOnes = 4 * tenants.length;
const first = seed * 1_000_000;
const numbers = Array.from({ length: count }, (_, index) => first + index);

/** The run begins at noon in the middle of a month, by the clock of all of its processes. */
const realNow = Date.now;
const began = realNow();
const noon = new Date(began).setUTCHours(12, 0, 0, 0);
const shiftMs = new Date(noon).setUTCDate(15) - began;
/** How much later the last requests are: no request of before can be running any more. */
const laterMs = shiftMs + overAfterMs + 60_000;

const directory = newDirectory();
let store: FaultyStore;
let upstream: BillingUpstream;
let gateways: Gateways;
let delivery: Delivery;
let feed: Feed;
let ledger: Ledger;
let keys: ReadonlyMap<string, TenantKey>;
let statuses: ReadonlyMap<number, number>;
let records: ReadonlyMap<number, LedgerRecord>;
const lines: string[] = [];
const providerKey = 'the-key-of-a-provider';
let killedAt: ReadonlyMap<number, number>;

beforeAll(
  async () => {
    Date.now = () => realNow() + shiftMs;
    store = await startFaultyStore(directory);
    setGatewayEnvironment({ DYNAMODB_ENDPOINT: store.endpoint });
    upstream = await startBillingUpstream();
    await putBilledModels();
    keys = await createBilledTenants();
    const start = {
      environment: environmentOf(store.endpoint, upstream.url),
      shiftMs,
      onLine: (line: string) => void lines.push(line),
    };
    [gateways, delivery] = await Promise.all([
      startGateways(2, start),
      startDelivery(start, createRandom(seed)),
    ]);
    feed = startFeed(store.changes, (event) => delivery.handle(event));
    registerAggregator(feed);
    store.setFaults(someFaults(seed));
    statuses = await underway(gateways);
    store.setFaults(undefined);
    // Writes that were not waited for may still be running: the longest takes ten seconds.
    while (store.idleMs() < 11_000) await pause(100);
    killedAt = gateways.interrupted;
    await gateways.close();
    const options = { usage: openLedger().usage, newId: (prefix: string) => `${prefix}${Math.random()}` };
    const { restored } = await replay(lines, { ...options, now: Date.now });
    await afterwards(start);
    process.stdout.write(`${report(restored)}\n`);
  },
  120_000 + count * 400,
);

/** All requests, while processes of the gateway are killed. */
async function underway(running: Gateways): Promise<ReadonlyMap<number, number>> {
  let killing = Promise.resolve();
  const asked = await askAll(
    {
      upstream,
      keyOf,
      urlOf: running.urlFor,
      onOver: running.over,
      onBegun(begun) {
        if (begun % killEvery === killEvery - 1) killing = killing.then(() => running.killOne());
      },
    },
    numbers,
  );
  await killing;
  return asked;
}

/** Everything is later, and well: what was left of the interrupted requests is cleared up with the next ones of their tenants. */
async function afterwards(start: Parameters<typeof startDelivery>[0]): Promise<void> {
  Date.now = () => realNow() + laterMs;
  await delivery.calm(laterMs);
  gateways = await startGateways(1, { ...start, shiftMs: laterMs });
  const last = Array.from({ length: lastOnes }, (_, index) => first + count + index);
  const { urlFor: urlOf } = gateways;
  statuses = new Map([...statuses, ...(await askAll({ upstream, keyOf, urlOf }, last))]);
  // Streams that their callers have left are read on.
  await upstream.allOver();
  ledger = openLedger(store.endpoint, Date.now);
  const readAll = async () => (await Promise.all(tenants.map(({ name }) => ledger.recordsOf(name)))).flat();
  // The records of streams that were left are written when they have been read, and what the aggregator finishes are changes, too.
  let all = await readAll();
  for (let sums = ''; ; all = await readAll()) {
    await feed.settled();
    const now = JSON.stringify(await Promise.all(tenants.map(({ name }) => ledger.sums(name))));
    const recorded = new Set(all.map(numberOf));
    if (now === sums && last.every((number) => recorded.has(number) || !upstream.calls.has(number))) break;
    sums = now;
  }
  records = new Map(all.map((record) => [numberOf(record), record]));
  expect(records.size).toBe(all.length);
  // Nobody can need any more what is held for requests of before.
  Date.now = () => realNow() + laterMs + 3_600_000;
}

const keyOf = (number: number) => keys.get(tenantOf(number).name)?.secret ?? '';

function environmentOf(databaseEndpoint: string, url: string): Readonly<Record<string, string>> {
  const upstreams = {
    OPENAI_UPSTREAM_URL: `${url}/v1`,
    OPENAI_API_KEY: providerKey,
    DEEPSEEK_UPSTREAM_URL: url,
    DEEPSEEK_API_KEY: providerKey,
    ANTHROPIC_UPSTREAM_URL: `${url}/v1`,
    ANTHROPIC_API_KEY: providerKey,
    GOOGLE_UPSTREAM_URL: `${url}/v1beta`,
    GOOGLE_API_KEY: providerKey,
    GATEWAY_FIRST_BYTE_TIMEOUT_MS: '2500',
    GATEWAY_SILENCE_TIMEOUT_MS: '2500',
  };
  return {
    ...upstreams,
    ...completeEnvironment(upstreams, [], {
      sandboxUrl: '',
      databaseEndpoint,
      filesDirectory: directory,
      secretFile: join(directory, 'secret'),
    }),
  };
}

afterAll(async () => {
  Date.now = realNow;
  await feed?.close();
  await ledger?.close();
  await gateways?.close();
  await delivery?.close();
  await upstream?.close();
  await store?.close();
});

const callsOf = (number: number) => upstream.calls.get(number) ?? [];

function report(restored: number): string {
  const counted = (counts: ReadonlyMap<string, number>) =>
    [...counts].map(([name, times]) => `${name} ${times}`).join(', ');
  return [
    `seed ${seed}: ${count} requests in ${((realNow() - began) / 1000).toFixed(0)} s, ${upstream.calls.size} reached a provider`,
    `faults of the database: ${counted(store.counts)}`,
    `batches of the aggregator: ${counted(delivery.counts)}`,
    `${killedAt.size} requests were open when their process was killed; ${[...records.values()].filter(isInterrupted).length} interrupted, ${untraced().length} left no trace, ${restored} restored from the log`,
  ].join('\n');
}

/** Whether the process of a request may have ended before the request did. */
const mayBeKilled = (number: number) => killedAt.has(number) || planOf(number).leaves;

/** Requests that reached a provider, and that the ledger does not have. */
const untraced = () => [...upstream.calls.keys()].filter((number) => !records.has(number));

describe('the ledger', () => {
  test('every fault happened', () => {
    for (const fault of ['failed', 'throttled', 'hung up', 'done unheard', 'slow']) {
      const seen = [...store.counts.keys()];
      expect(seen).toEqual(expect.arrayContaining([`PutItem: ${fault}`, `UpdateItem: ${fault}`]));
    }
    expect(delivery.counts.get('killed')).toBeGreaterThan(0);
    expect(killedAt.size).toBeGreaterThan(0);
  });

  test('there is one record of each request that reached a provider, unless its process was killed at that moment', () => {
    const lost = untraced().filter((number) => {
      const at = killedAt.get(number);
      const isRecent = at !== undefined && (callsOf(number)[0]?.at ?? 0) > at - openMs;
      return !isRecent && !(at !== undefined && isHopeless(number));
    });
    expect(lost).toEqual([]);
    // A call may be noted, and its process killed before the provider has read it.
    const unread = [...records].filter(([number]) => !upstream.calls.has(number));
    expect(unread.filter(([number, record]) => !(isInterrupted(record) && killedAt.has(number)))).toEqual([]);
  });

  test('only requests whose process was killed are interrupted', () => {
    const interrupted = [...records].filter(([, record]) => isInterrupted(record));
    expect(interrupted.map(([number]) => number).filter((number) => !mayBeKilled(number))).toEqual([]);
  });

  test('each call of a provider is an attempt, at the cost of the price list', () => {
    expect(auditAttempts(records, callsOf).faults).toEqual([]);
    expect(auditJoined(records, callsOf)).toEqual([]);
  });

  test('what was counted is charged at the terms of its tenant, and a record has the sums of its attempts', () => {
    expect(auditCharges(records, callsOf)).toEqual([]);
  });

  test('no content and no key is in an item or in the log', async () => {
    const items = await openTable({ call: store.call, table: 'usage' }).scan('');
    expect(items.length).toBeGreaterThan(records.size);
    const apiKeys = [...keys.values()].map(({ secret }) => secret);
    const secrets = ['-of-many, please', ...words, refusal, providerKey, ...apiKeys];
    for (const text of [...items.map((item) => JSON.stringify(item)), ...lines])
      for (const secret of secrets) expect(text).not.toContain(secret);
  });

  test('it has the status that the caller saw', () => {
    const isBroken = (number: number) => statuses.get(number) === broken && killedAt.has(number);
    expect(auditStatuses(records, statuses, isBroken)).toEqual([]);
  });
});

describe.each(tenants.map(({ name }) => name))('of tenant %s', (tenant) => {
  const own = () => [...records.values()].filter((record) => record.tenant === tenant);

  test('the sums are those of its records', async () => {
    expect(await ledger.sums(tenant)).toEqual(countsOf(own()));
  });

  test('its limits have counted its charges, and what crashes left in them is freed by a command', async () => {
    const limits = createLimitStore({ call: store.call, table: 'usage', now: Date.now });
    const scopes = [
      { kind: 'tenant', id: tenant },
      { kind: 'key', id: keys.get(tenant)?.id ?? '' },
    ] as const;
    const used = (kind: 'tenant' | 'key') => own().reduce((sum, record) => sum + countedOf(record, kind), 0);
    for (const scope of scopes) {
      const { committed = 0, held = 0 } = (await limits.read(scope)) ?? {};
      expect([scope, committed - held]).toEqual([scope, used(scope.kind)]);
      expect(held).toBeGreaterThanOrEqual(0);
    }
    const { code, output, stderr } = await runCommand(directory, `limits check ${tenant} --write`);
    expect({ code, output, stderr }).toMatchObject({ code: 0 });
    for (const scope of scopes) {
      const { committed, held } = (await limits.read(scope)) ?? {};
      expect([scope, committed, held, output]).toEqual([scope, used(scope.kind), 0, output]);
    }
  });
});

test.each(exportFormats)('the export as %s has each request once, at its charge', async (format) => {
  const today = dayOf(Date.now());
  const exported = await exportedCharges(directory, format, { from: today, to: today });
  const known = [...records.values()].filter(({ charge }) => format !== 'focus' || charge !== null);
  const expected = known.map(({ user, charge }) => [user, charge === null ? '' : formatDollars(charge)]);
  expect(Object.fromEntries(exported)).toEqual(Object.fromEntries(expected));
});

test('the days of the run are one day', () => {
  expect(daysOf({ from: began + shiftMs, to: Date.now() })).toHaveLength(1);
});
