/** The local stream of the ledger's changes: their form, their order, and what a process that ends leaves. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTable, type Table } from '../../lib/stores/dynamodb/table.ts';
import { type LocalDatabase, startDatabase } from '../../local/database.ts';
import { type Feed, startFeed } from '../../local/stream/feed.ts';

let directory: string;
let database: LocalDatabase;
let usage: Table;
let feed: Feed | undefined;

async function open(): Promise<void> {
  database = await startDatabase({ dataDirectory: directory });
  usage = openTable({ call: database.call, table: 'usage' });
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stream-'));
  await open();
});
afterEach(async () => {
  await feed?.close();
  feed = undefined;
  await database.close();
  await rm(directory, { recursive: true, force: true });
});

type WindowEvent = DynamoDBStreamEvent & { readonly shardId: string };

/** Collects events; the first `failures` fail. */
function collect(failures = 0): readonly WindowEvent[] {
  const events: WindowEvent[] = [];
  let left = failures;
  feed = startFeed(database.changes, async (event) => {
    events.push(event as WindowEvent);
    left -= 1;
    if (left >= 0) throw new Error('A fault.');
  });
  return events;
}

const recordsOf = (events: readonly WindowEvent[]) => events.flatMap(({ Records }) => Records);

test('a change has the form of DynamoDB, with both images', async () => {
  const events = collect();
  await usage.put(['ledger#acme#2026-11-20', 'one'], { state: 'open', count: 1 });
  await usage.update(['ledger#acme#2026-11-20', 'one'], {
    expression: 'SET #state = :done',
    names: { '#state': 'state' },
    values: { ':done': 'done' },
  });
  await usage.remove(['ledger#acme#2026-11-20', 'one']);
  await feed?.settled();
  const keys = { pk: { S: 'ledger#acme#2026-11-20' }, sk: { S: 'one' } };
  const [before, after] = ['open', 'done'].map((state) => ({
    ...keys,
    state: { S: state },
    count: { N: '1' },
  }));
  expect(recordsOf(events).map(({ eventName, dynamodb }) => ({ eventName, ...dynamodb }))).toMatchObject([
    { eventName: 'INSERT', Keys: keys, NewImage: before, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    { eventName: 'MODIFY', Keys: keys, OldImage: before, NewImage: after },
    { eventName: 'REMOVE', Keys: keys, OldImage: after },
  ]);
  const sequences = recordsOf(events).map(({ dynamodb }) => dynamodb?.SequenceNumber ?? '');
  expect(sequences).toEqual(sequences.toSorted());
  expect(events[0]?.shardId).toMatch(/^shardId-/);
});

test('a change is never seen before one of its shard that is older', async () => {
  const seen: string[] = [];
  const write = async (writer: number) => {
    for (let one = 0; one < 60; one += 1) {
      await usage.put([`ledger#acme#${writer}`, `${one}`], { text: 'x'.repeat((one % 7) * 3_000) });
    }
  };
  let isOver = false;
  const writers = Array.from({ length: 16 }, (_, writer) => write(writer));
  const writing = Promise.all(writers).finally(() => {
    isOver = true;
  });
  for (let last = false; !last; ) {
    last = isOver;
    const batch = await database.changes.next(1_000);
    seen.push(...batch.map(({ sequence }) => sequence));
    await database.changes.done(batch);
  }
  await writing;
  expect(seen).toHaveLength(16 * 60);
  expect(seen).toEqual(seen.toSorted());
});

test('only changes of the ledger count, and no write that was refused', async () => {
  const events = collect();
  await usage.put(['count#acme#2026-11', 'one'], { requests: 1 });
  await usage.put(['ledger#acme#2026-11-20', 'one'], { count: 1 });
  const isAbsent = { expression: 'attribute_not_exists(pk)' };
  expect(await usage.put(['ledger#acme#2026-11-20', 'one'], { count: 2 }, isAbsent)).toBe(false);
  await feed?.settled();
  expect(recordsOf(events).map(({ eventName }) => eventName)).toEqual(['INSERT']);
});

test('a batch that fails comes again, and those after it wait', async () => {
  const events = collect(2);
  for (const sort of ['a', 'b']) await usage.put(['ledger#acme#2026-11-20', sort], {});
  await feed?.settled();
  const batches = events.map(({ Records }) => Records.map(({ dynamodb }) => dynamodb?.Keys?.sk?.S));
  expect(batches.at(-1)).toContain('b');
  expect(batches.length).toBeGreaterThan(2);
  expect(new Set(batches.slice(0, 3).map(([first]) => first))).toEqual(new Set(['a']));
});

test('what was not processed comes after a restart, with the same position', async () => {
  await usage.put(['ledger#acme#2026-11-20', 'one'], {});
  const events = collect(Number.POSITIVE_INFINITY);
  while (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  await feed?.close(0);
  await database.close();
  await open();
  await usage.put(['ledger#acme#2026-11-20', 'two'], {});
  const later = collect();
  await feed?.settled();
  expect(later.map(({ Records }) => Records[0]?.dynamodb?.Keys?.sk?.S)).toEqual(['one', 'two']);
  expect(later[0]?.Records[0]?.eventID).toBe(events[0]?.Records[0]?.eventID);
  expect(later[1]?.shardId).not.toBe(later[0]?.shardId);
});
