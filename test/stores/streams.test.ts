/** How a stream is followed: its calls, the shards that are next, and each shard batch after batch, whatever fails. */
import { describe, expect, test } from 'vitest';
import { type AwsCall, AwsError } from '../../lib/core/ports/aws.ts';
import { type FollowOptions, followShard } from '../../lib/stores/streams/follow-shard.ts';
import { followStream } from '../../lib/stores/streams/follow-stream.ts';
import type { Position } from '../../lib/stores/streams/progress.ts';
import { createStreamCalls, type Page, type Shard } from '../../lib/stores/streams/stream-calls.ts';
import type { StreamRecord } from '../../lib/stores/usage/stream.ts';

const now = Date.UTC(2026, 10, 20, 12);
const hourMs = 3_600_000;
const failure = (type: string) => new AwsError(type, 'A failure.', 400);

const record = (sequence: string, { at = now, table = 'ledger#acme' } = {}): StreamRecord => ({
  dynamodb: {
    Keys: { pk: { S: table } },
    SequenceNumber: sequence,
    ApproximateCreationDateTime: at / 1000,
  },
});

describe('the calls of a stream', () => {
  const asked: [string, object][] = [];
  const scripted =
    (answers: readonly object[]): AwsCall =>
    async (action, input) => {
      asked.push([action.split('.')[1] ?? '', input]);
      return answers[asked.length - 1] as Record<string, unknown>;
    };
  const callsWith = (...answers: object[]) => {
    asked.length = 0;
    const call = scripted(answers);
    return createStreamCalls({ table: { call, table: 'usage' }, streams: call });
  };

  test('find the stream of the table, and say where there is none', async () => {
    expect(await callsWith({ Table: { LatestStreamArn: 'arn' } }).find()).toBe('arn');
    expect(asked).toEqual([['DescribeTable', { TableName: 'usage' }]]);
    for (const answer of [{ Table: {} }, {}])
      await expect(callsWith(answer).find()).rejects.toThrow('The table usage has no stream.');
  });

  test('list the shards of all pages with those before them', async () => {
    const calls = callsWith(
      { StreamDescription: { Shards: [{ ShardId: 'a' }], LastEvaluatedShardId: 'a' } },
      { StreamDescription: { LastEvaluatedShardId: 'b' } },
      { StreamDescription: { Shards: [{ ShardId: 'c', ParentShardId: 'a' }] } },
    );
    expect(await calls.shards('arn')).toEqual([
      { id: 'a', parent: undefined },
      { id: 'c', parent: 'a' },
    ]);
    expect(asked.map(([, input]) => input)).toEqual([
      { StreamArn: 'arn' },
      { StreamArn: 'arn', ExclusiveStartShardId: 'a' },
      { StreamArn: 'arn', ExclusiveStartShardId: 'b' },
    ]);
  });

  test('end with an error where pages never do', async () => {
    const page = { StreamDescription: { LastEvaluatedShardId: 'a' } };
    await expect(callsWith(...Array(200).fill(page)).shards('arn')).rejects.toThrow('too many shards');
    expect(asked).toHaveLength(100);
  });

  test('read from the oldest change, or after a position', async () => {
    const calls = callsWith({ ShardIterator: 'i' }, { ShardIterator: 'j' });
    expect([await calls.iterator('arn', 'a', undefined), await calls.iterator('arn', 'a', '7')]).toEqual([
      'i',
      'j',
    ]);
    expect(asked.map(([, input]) => input)).toEqual([
      { StreamArn: 'arn', ShardId: 'a', ShardIteratorType: 'TRIM_HORIZON' },
      { StreamArn: 'arn', ShardId: 'a', ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: '7' },
    ]);
  });

  test('read a page, with where to go on', async () => {
    const calls = callsWith({ Records: [record('1')], NextShardIterator: 'j' }, { NextShardIterator: null });
    expect(await calls.read('i', 5)).toEqual({ records: [record('1')], next: 'j' });
    expect(await calls.read('j', 5)).toEqual({ records: [], next: undefined });
    expect(asked[0]).toEqual(['GetRecords', { ShardIterator: 'i', Limit: 5 }]);
  });
});

type Step = Page | Error;

/** Follows one shard through these pages. */
async function follow(
  steps: readonly Step[],
  { start = { isEnded: false } as Position, ...given }: Partial<FollowOptions> & { start?: Position } = {},
) {
  const left = [...steps];
  const seen = {
    limits: [] as number[],
    iterators: [] as (string | undefined)[],
    batches: [] as (readonly (string | undefined)[])[],
    written: [] as Position[],
    behind: [] as number[],
    lines: [] as string[],
  };
  const stop = new AbortController();
  const line = (message: string) => void seen.lines.push(message);
  await followShard('arn', 'shard', {
    calls: {
      find: async () => 'arn',
      shards: async () => [],
      iterator: async (_stream, _shard, after) => {
        seen.iterators.push(after);
        return 'i';
      },
      read: async (_iterator, limit) => {
        seen.limits.push(limit);
        const step = left.shift();
        if (left.length === 0) stop.abort();
        if (step instanceof Error || !step) throw step ?? new Error('No page.');
        return step;
      },
    },
    positions: {
      read: async () => start,
      write: async (_, position) => void seen.written.push(position),
    },
    handle: async ({ Records = [] }) =>
      void seen.batches.push(Records.map(({ dynamodb }) => dynamodb?.SequenceNumber)),
    log: { info: line, warn: line, error: line },
    now: () => now,
    onRead: (_, behindMs) => void seen.behind.push(behindMs),
    pauses: { idleMs: 0, busyMs: 0, failedMs: [0] },
    signal: stop.signal,
    ...given,
  });
  return seen;
}

const page = (records: readonly StreamRecord[], next: string | undefined = 'j'): Page => ({ records, next });
const lastPage: Page = { records: [], next: undefined };

describe('a shard', () => {
  test('is followed from its position to its end, and each position is kept', async () => {
    const seen = await follow([page([record('5'), record('6')]), page([]), page([record('7')]), lastPage], {
      start: { isEnded: false, after: '4' },
    });
    expect(seen).toEqual({
      limits: [1_000, 1_000, 1_000, 1_000],
      iterators: ['4'],
      batches: [['5', '6'], ['7']],
      written: [
        { isEnded: false, after: '6' },
        { isEnded: false, after: '7' },
        { isEnded: true, after: '7' },
      ],
      behind: [0, 0, 0, 0],
      lines: [],
    });
  });

  test('that has ended is not read again', async () => {
    expect((await follow([lastPage], { start: { isEnded: true } })).limits).toEqual([]);
  });

  test('that the stream no longer has is one that has ended', async () => {
    const seen = await follow([failure('ResourceNotFoundException'), page([record('1')])]);
    expect([seen.written, seen.batches]).toEqual([[{ isEnded: true }], []]);
  });

  test('has changes of other items, which are left out', async () => {
    const seen = await follow([
      page([record('1', { table: 'limit#a' }), record('2'), { dynamodb: {} }, {}]),
      page([record('3', { table: 'ledgers' })]),
      lastPage,
    ]);
    expect(seen.batches).toEqual([['2']]);
    expect(seen.written.at(-1)).toEqual({ isEnded: true, after: '3' });
  });

  test('reports how far it is behind', async () => {
    const seen = await follow([page([record('1', { at: now - 7_000 })]), page([]), lastPage]);
    expect(seen.behind).toEqual([7_000, 0, 0]);
  });

  test('after failures is read in smaller batches, from its position, and in whole ones again later', async () => {
    const [fault, records] = [failure('InternalServerError'), [record('1')]];
    const seen = await follow([fault, fault, page(records), page([]), page([]), page([]), lastPage]);
    expect(seen.limits).toEqual([1_000, 500, 250, 500, 1_000, 1_000, 1_000]);
    expect(seen.iterators).toEqual([undefined, undefined, undefined]);
    expect(seen.lines).toEqual(['stream not read', 'stream not read']);
  });

  test('is read in batches of at least one', async () => {
    const seen = await follow([...Array(12).fill(failure('InternalServerError')), lastPage]);
    expect(seen.limits.slice(-3)).toEqual([1, 1, 1]);
  });

  test('of which changes were dropped is read from the oldest that is there', async () => {
    const seen = await follow([failure('TrimmedDataAccessException'), page([record('9')]), lastPage], {
      start: { isEnded: false, after: '4' },
    });
    expect(seen.iterators).toEqual(['4', undefined]);
    expect(seen.lines).toEqual(['ledger changes may be lost', 'stream not read']);
    expect(seen.batches).toEqual([['9']]);
  });

  const failing = { handle: () => Promise.reject(new Error('A failure.')) };

  test('whose changes cannot be processed stays where it is', async () => {
    const old = record('1', { at: now - 20 * hourMs + 1 });
    const seen = await follow([page([old]), page([old, old]), lastPage], failing);
    expect(seen.written).toEqual([{ isEnded: true }]);
    expect(seen.lines).toEqual(['stream not read', 'stream not read']);
  });

  test('goes on after one that could not be processed for most of a day, by itself', async () => {
    const old = record('1', { at: now - 20 * hourMs });
    const seen = await follow([page([old, old]), page([old]), lastPage], failing);
    expect(seen.lines).toEqual(['stream not read', 'ledger change given up']);
    expect(seen.written).toEqual([
      { isEnded: false, after: '1' },
      { isEnded: true, after: '1' },
    ]);
  });
});

describe('a stream', () => {
  /** The order in which its shards are read, and how often each is. */
  async function order(lists: readonly (readonly Shard[] | Error)[], endsAfter: number) {
    const read: string[] = [];
    const lines: string[] = [];
    const ended = new Set<string>();
    const stop = new AbortController();
    const line = (message: string) => void lines.push(message);
    let listed = 0;
    await followStream(
      {
        calls: {
          find: async () => 'arn',
          shards: async () => {
            const list = lists[Math.min(listed, lists.length - 1)];
            listed += 1;
            if (list instanceof Error || !list) throw list ?? new Error('No list.');
            return list;
          },
          iterator: async (_, shard) => shard,
          read: async (shard) => {
            read.push(shard);
            if (read.length === endsAfter) stop.abort();
            return lastPage;
          },
        },
        positions: {
          read: async (shard) => ({ isEnded: ended.has(shard) }),
          write: async (shard) => void ended.add(shard),
        },
        handle: async () => {},
        log: { info: line, warn: line, error: line },
        now: () => now,
        listMs: 1,
        pauses: { idleMs: 0, busyMs: 0, failedMs: [0] },
      },
      stop.signal,
    );
    return { read, lines };
  }

  test('has each shard read after the one before it, and once', async () => {
    const shards = [
      { id: 'c', parent: 'b' },
      { id: 'b', parent: 'a' },
      { id: 'a', parent: 'gone' },
      { id: 'd', parent: undefined },
    ];
    const { read, lines } = await order([shards], 4);
    expect(read.filter((id) => id !== 'd')).toEqual(['a', 'b', 'c']);
    expect(read.toSorted()).toEqual(['a', 'b', 'c', 'd']);
    expect(lines).toEqual([]);
  });

  test('that is not found for a moment is looked for again', async () => {
    const { read, lines } = await order(
      [failure('InternalServerError'), [{ id: 'a', parent: undefined }]],
      1,
    );
    expect([read, lines]).toEqual([['a'], ['stream not found']]);
  });
});
