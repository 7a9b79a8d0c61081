/**
 * The embedded database behind the API of DynamoDB Streams: its own changes as shards that tests split, trim and disturb. Sources of
 * what it answers: docs.aws.amazon.com DynamoDB, API_streams_GetShardIterator, API_streams_GetRecords (errors, maximum, end of a shard).
 */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { AwsCall } from '../../lib/core/ports/aws.ts';
import { kindOf, tableNames } from '../../lib/core/tables.ts';
import { createTable } from '../../local/database.ts';
import { connectDatabase } from '../../local/database-call.ts';
import type { Change } from '../../local/stream/changes.ts';
import { openEngine } from '../../local/stream/engine.ts';
import { end } from './listening.ts';

interface Shard {
  readonly id: string;
  readonly parents: readonly string[];
  records: object[];
  /** Records that are no longer there. */
  trimmed: number;
  isClosed: boolean;
}

export interface StreamsEngine {
  readonly endpoint: string;
  readonly call: AwsCall;
  /** The reads of each shard, in order. */
  readonly reads: string[];
  /** Closes the open shards; further changes are in two that follow them. */
  split(): Promise<void>;
  /** Drops what the shards have. */
  trim(): Promise<void>;
  /** All iterators so far are too old. */
  expireIterators(): void;
  /** The next so many calls of an action fail. */
  fail(action: string, type: string, times: number): void;
  close(): Promise<void>;
}

const arn = 'arn:aws:dynamodb:local:000000000000:table/usage/stream/2026-01-01T00:00:00.000';
const stream = {
  LatestStreamArn: arn,
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
};
const lines = 2;

class Refusal extends Error {}

export async function startStreamsEngine(): Promise<StreamsEngine> {
  const engine = openEngine();
  const answers = engine.server.listeners('request') as RequestListener[];
  const shards: Shard[] = [];
  const reads: string[] = [];
  const faults: string[] = [];
  let epoch = 0;
  let sequence = 0;
  const add = (parents: readonly string[]) =>
    shards.push({ id: `shardId-${shards.length}`, parents, records: [], trimmed: 0, isClosed: false });
  add([]);

  /** Moves the engine's changes into the open shards; those of one key into one shard. */
  const gather = async () => {
    for (;;) {
      const changes = await engine.changes.next(1_000);
      if (changes.length === 0) return;
      const open = shards.filter(({ isClosed }) => !isClosed);
      for (const change of changes) {
        sequence += 1;
        open[lineOf(change) % open.length]?.records.push(recordOf(change, sequence));
      }
      await engine.changes.done(changes);
    }
  };

  const find = (id: unknown): Shard => {
    const shard = shards.find((one) => one.id === id);
    if (shard) return shard;
    throw new Refusal('ResourceNotFoundException');
  };

  const actions: Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => object>> = {
    DescribeStream: () => ({
      StreamDescription: {
        StreamArn: arn,
        Shards: shards.map(({ id, parents: [parent] }) => ({
          ShardId: id,
          ...(parent !== undefined && { ParentShardId: parent }),
        })),
      },
    }),
    GetShardIterator({ ShardId, ShardIteratorType, SequenceNumber }) {
      const { records, trimmed } = find(ShardId);
      const isAfter = ShardIteratorType === 'AFTER_SEQUENCE_NUMBER';
      const index = isAfter ? records.findIndex((one) => sequenceOf(one) === SequenceNumber) : -1;
      if (isAfter && index < 0) throw new Refusal('TrimmedDataAccessException');
      return { ShardIterator: JSON.stringify({ id: ShardId, at: trimmed + index + 1, epoch }) };
    },
    GetRecords({ ShardIterator, Limit }) {
      const { id, at, epoch: of } = JSON.parse(String(ShardIterator));
      const { records, trimmed, isClosed } = find(id);
      if (of < epoch) throw new Refusal('ExpiredIteratorException');
      if (at < trimmed) throw new Refusal('TrimmedDataAccessException');
      reads.push(id);
      const found = records.slice(at - trimmed, at - trimmed + Number(Limit));
      const next = at + found.length;
      const isEnd = isClosed && next === trimmed + records.length;
      return {
        Records: found,
        ...(!isEnd && { NextShardIterator: JSON.stringify({ id, at: next, epoch }) }),
      };
    },
  };

  const server = createServer(async (request, response) => {
    const [service = '', action = ''] = String(request.headers['x-amz-target']).split('.');
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
    const fault = faults.findIndex((one) => one.startsWith(`${action}:`));
    if (fault >= 0) return send(400, { __type: faults.splice(fault, 1)[0]?.split(':')[1] });
    if (!service.startsWith('DynamoDBStreams')) {
      if (action !== 'DescribeTable') {
        for (const answer of answers) answer(request, response);
        return;
      }
      const { TableName: name } = JSON.parse(await text(request));
      const { Table } = await own.call('DynamoDB_20120810.DescribeTable', { TableName: name });
      return send(200, { Table: { ...(Table as object), ...(name === 'usage' && stream) } });
    }
    const input = JSON.parse(await text(request));
    try {
      await gather();
      send(200, actions[action]?.(input) ?? {});
    } catch (error) {
      send(400, { __type: error instanceof Refusal ? error.message : 'InternalServerError' });
    }
  });
  server.listen(0, '127.0.0.1');
  engine.server.listen(0, '127.0.0.1');
  await Promise.all([once(server, 'listening'), once(engine.server, 'listening')]);
  const urlOf = (of: typeof server) => `http://127.0.0.1:${(of.address() as AddressInfo).port}`;
  const own = connectDatabase(urlOf(engine.server));
  for (const name of tableNames) await createTable(own.call, name, kindOf(name).isSorted);
  return {
    endpoint: urlOf(server),
    call: own.call,
    reads,
    async split() {
      await gather();
      const open = shards.filter(({ isClosed }) => !isClosed);
      for (const shard of open) shard.isClosed = true;
      for (let line = 0; line < lines; line += 1) add([open[line % open.length]?.id ?? '']);
    },
    async trim() {
      await gather();
      for (const shard of shards) {
        shard.trimmed += shard.records.length;
        shard.records = [];
      }
    },
    expireIterators() {
      epoch += 1;
    },
    fail(action, type, times) {
      faults.push(...Array.from({ length: times }, () => `${action}:${type}`));
    },
    async close() {
      await own.close();
      await end(server);
      await new Promise((resolve) => engine.server.close(resolve));
    },
  };
}

const sequenceOf = (record: object) =>
  (record as { readonly dynamodb: { readonly SequenceNumber: string } }).dynamodb.SequenceNumber;

const keyOf = ({ oldImage, newImage }: Change) => JSON.stringify((newImage ?? oldImage)?.pk);

const lineOf = (change: Change) => [...keyOf(change)].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);

function recordOf({ at, oldImage, newImage }: Change, sequence: number): object {
  const { pk, sk } = newImage ?? oldImage ?? {};
  return {
    eventName: newImage ? (oldImage ? 'MODIFY' : 'INSERT') : 'REMOVE',
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(at / 1000),
      Keys: { pk, sk },
      ...(newImage && { NewImage: newImage }),
      ...(oldImage && { OldImage: oldImage }),
      SequenceNumber: String(sequence).padStart(21, '0'),
    },
  };
}
