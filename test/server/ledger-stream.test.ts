/** The aggregator that follows DynamoDB Streams by itself: sums follow the ledger exactly once, whatever happens to the stream. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { setUpTable } from '../../infra/tables/setup-tables.ts';
import type { Counts } from '../../lib/core/accounting/counters.ts';
import type { LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import { tableNames } from '../../lib/core/tables.ts';
import { createFoundation } from '../../lib/runtime/foundation.ts';
import { createAggregator, type HandleStream } from '../../lib/runtime/records/aggregator-runtime.ts';
import { createLedgerStream, type LedgerStream } from '../../lib/runtime/records/ledger-stream-runtime.ts';
import { createNodeClient } from '../../lib/transport/http-client/node-client.ts';
import { noDynamoDbLocal, startDynamoDbLocal } from '../harness/dynamodb-local/engine.ts';
import { type Ledger, openLedger, sumOf, testRecord } from '../harness/ledger.ts';
import { type StreamsEngine, startStreamsEngine } from '../harness/streams-engine.ts';

interface Line {
  readonly message: string;
  readonly level: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const quick = { idleMs: 5, busyMs: 1, failedMs: [1, 5, 20] };
let stops: (() => Promise<void>)[] = [];
let lines: Line[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});
beforeEach(() => {
  stops = [];
  lines = [];
});

const note = (level: string) => (message: string, fields: Line['fields']) => {
  lines.push({ level, message, fields });
};
const log = { info: note('info'), warn: note('warn'), error: note('error') };

function foundationOf(endpoint: string) {
  const variables = {
    AWS_REGION: 'us-east-1',
    DYNAMODB_ENDPOINT: endpoint,
    ...Object.fromEntries(tableNames.map((name) => [`${name.toUpperCase()}_TABLE`, name])),
  };
  return { ...createFoundation(createNodeClient(), variables), log };
}

/** A process that follows the stream. */
function follow(
  endpoint: string,
  { wrap = (handle: HandleStream) => handle, leaseMs = 30_000, now = Date.now } = {},
): { readonly stream: LedgerStream; stop(): Promise<void> } {
  const foundation = { ...foundationOf(endpoint), now };
  const handle = wrap(createAggregator({ ...foundation, environment: {} }));
  const stream = createLedgerStream(handle, { foundation, leaseMs, pauses: quick });
  const end = new AbortController();
  const following = stream.follow(end.signal);
  const stop = async () => {
    end.abort();
    await following;
  };
  stops.push(stop);
  return { stream, stop };
}

async function openEngine(): Promise<{ engine: StreamsEngine; ledger: Ledger }> {
  const engine = await startStreamsEngine();
  stops.push(engine.close);
  const ledger = openLedger(engine.endpoint);
  stops.push(ledger.close);
  return { engine, ledger };
}

const some = (count: number, tenant = 'acme'): readonly LedgerRecord[] =>
  Array.from({ length: count }, () => testRecord({ tenant }));

/** The sums become those of the records, and stay so. */
async function expectSums(ledger: Ledger, records: readonly LedgerRecord[], tenant = 'acme'): Promise<void> {
  const expected: Counts = sumOf(records);
  await expect.poll(() => ledger.sums(tenant), { timeout: 20_000, interval: 20 }).toEqual(expected);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await ledger.sums(tenant)).toEqual(expected);
}

describe('sums', () => {
  test('follow the ledger, also what it had before the process started', async () => {
    const { engine, ledger } = await openEngine();
    const [before, after] = [some(5), some(5)];
    await ledger.write(...before);
    const { stream } = follow(engine.endpoint);
    await ledger.write(...after);
    await expectSums(ledger, [...before, ...after]);
    expect(stream.state()).toMatchObject({ isFollowing: true, behindMs: 0 });
  });

  test('follow through shards that were split, the earlier one first', async () => {
    const { engine, ledger } = await openEngine();
    const records: LedgerRecord[] = [];
    const write = async (tenant: string) => {
      const more = some(8, tenant);
      records.push(...more);
      await ledger.write(...more);
    };
    for (const tenant of ['acme', 'zenith']) await write(tenant);
    await engine.split();
    for (const tenant of ['acme', 'zenith']) await write(tenant);
    await engine.split();
    follow(engine.endpoint);
    for (const tenant of ['acme', 'zenith']) await write(tenant);
    for (const tenant of ['acme', 'zenith'])
      await expectSums(
        ledger,
        records.filter((one) => one.tenant === tenant),
        tenant,
      );
    const firstReads = engine.reads.filter((id, index) => engine.reads.indexOf(id) === index);
    expect(firstReads[0]).toBe('shardId-0');
    expect(firstReads.indexOf('shardId-3')).toBeGreaterThan(firstReads.indexOf('shardId-1'));
    expect(firstReads.indexOf('shardId-4')).toBeGreaterThan(firstReads.indexOf('shardId-2'));
  });

  test.each(['ExpiredIteratorException', 'LimitExceededException', 'InternalServerError'])(
    'are right after %s',
    async (type) => {
      const { engine, ledger } = await openEngine();
      follow(engine.endpoint);
      const first = some(4);
      await ledger.write(...first);
      await expectSums(ledger, first);
      engine.fail('GetRecords', type, 7);
      engine.expireIterators();
      const second = some(4);
      await ledger.write(...second);
      await expectSums(ledger, [...first, ...second]);
    },
  );

  test('count each change once, though batches fail in the middle and come again', async () => {
    const { engine, ledger } = await openEngine();
    let calls = 0;
    const records = some(30);
    await ledger.write(...records);
    follow(engine.endpoint, {
      wrap: (handle) => async (event) => {
        const answer = await handle(event);
        calls += 1;
        if (calls % 3 !== 0) throw new Error('The process lost its answer.');
        return answer;
      },
    });
    await expectSums(ledger, records);
    // The sums are there before the batch that made them has failed.
    await expect
      .poll(() => lines.filter(({ message }) => message === 'stream not read').length)
      .toBeGreaterThan(0);
  });
});

describe('a restart', () => {
  test('goes on where the process before stopped', async () => {
    const { engine, ledger } = await openEngine();
    const first = follow(engine.endpoint);
    const records = some(6);
    await ledger.write(...records);
    await expectSums(ledger, records);
    await first.stop();
    const seen: unknown[] = [];
    follow(engine.endpoint, {
      wrap: (handle) => async (event) => {
        seen.push(...(event.Records ?? []));
        return await handle(event);
      },
    });
    const more = some(2);
    await ledger.write(...more);
    await expectSums(ledger, [...records, ...more]);
    expect(seen).toHaveLength(more.length);
  });

  test('after the stream dropped changes is reported, and goes on with what is there', async () => {
    const { engine, ledger } = await openEngine();
    const first = follow(engine.endpoint);
    const known = some(3);
    await ledger.write(...known);
    await expectSums(ledger, known);
    await first.stop();
    await ledger.write(...some(3));
    await engine.trim();
    const kept = some(3);
    await ledger.write(...kept);
    follow(engine.endpoint);
    await expectSums(ledger, [...known, ...kept]);
    expect(lines.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
      'ledger changes may be lost',
    ]);
  });
});

describe('of two processes', () => {
  test('one follows, and the other takes over at once when it stops', async () => {
    const { engine, ledger } = await openEngine();
    const first = follow(engine.endpoint, { leaseMs: 3_000 });
    await expect.poll(() => first.stream.state().isFollowing).toBe(true);
    const second = follow(engine.endpoint, { leaseMs: 300 });
    const records = some(4);
    await ledger.write(...records);
    await expectSums(ledger, records);
    expect(second.stream.state()).toMatchObject({ isFollowing: false });
    await first.stop();
    await expect.poll(() => second.stream.state().isFollowing, { timeout: 10_000 }).toBe(true);
    const more = some(2);
    await ledger.write(...more);
    await expectSums(ledger, [...records, ...more]);
  });

  test('both may work on the same changes for a moment, and each still counts once', async () => {
    const { engine, ledger } = await openEngine();
    // The second one has a clock that is ahead, so that every lease looks old to it.
    follow(engine.endpoint, { leaseMs: 200 });
    follow(engine.endpoint, { leaseMs: 200, now: () => Date.now() + 60_000 });
    const records: LedgerRecord[] = [];
    for (let round = 0; round < 10; round += 1) {
      const more = some(5);
      records.push(...more);
      await ledger.write(...more);
    }
    await expectSums(ledger, records);
  });
});

test('a change that fails for most of a day keeps others waiting for a short time only', async () => {
  const { engine, ledger } = await openEngine();
  const [bad, good] = [some(1, 'bad'), some(5)];
  await ledger.write(...bad);
  await ledger.write(...good);
  follow(engine.endpoint, {
    now: () => Date.now() + 21 * 3_600_000,
    wrap: (handle) => async (event) => {
      if (JSON.stringify(event).includes('ledger#bad')) throw new Error('It always fails.');
      return await handle(event);
    },
  });
  await expectSums(ledger, good);
  expect(lines.some(({ message }) => message === 'ledger change given up')).toBe(true);
  expect(JSON.stringify(lines)).not.toContain('ledger#bad');
});

test.skipIf(noDynamoDbLocal)(
  `sums follow a real stream (DynamoDB Local: ${noDynamoDbLocal ?? 'there'})`,
  { timeout: 60_000 },
  async () => {
    const database = await startDynamoDbLocal();
    stops.push(database.close);
    for (const name of tableNames)
      await setUpTable(name, name, { call: database.call, isAws: false, pauseMs: 10 });
    const ledger = openLedger(database.endpoint);
    stops.push(ledger.close);
    const first = follow(database.endpoint);
    const records = some(40);
    await ledger.write(...records);
    await expectSums(ledger, records);
    await first.stop();
    const more = some(10);
    await ledger.write(...more);
    follow(database.endpoint);
    await expectSums(ledger, [...records, ...more]);
    expect(lines.filter(({ level }) => level !== 'info')).toEqual([]);
  },
);
