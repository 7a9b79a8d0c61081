/**
 * The calls of DynamoDB Streams: the changes of a table, as shards that follow one another. Sources: docs.aws.amazon.com DynamoDB,
 * API_streams_DescribeStream, API_streams_GetShardIterator, API_streams_GetRecords.
 */
import type { AwsCall } from '../../core/ports/aws.ts';
import type { StreamRecord } from '../usage/stream.ts';

export interface Shard {
  readonly id: string;
  /** The shard before it: its changes are the earlier ones. */
  readonly parent: string | undefined;
}

export interface Page {
  readonly records: readonly StreamRecord[];
  /** Undefined at the end of a closed shard. */
  readonly next: string | undefined;
}

export interface StreamCalls {
  /** The current stream. Rejects if the table has none. */
  find(): Promise<string>;
  /** All shards that the stream still has. */
  shards(stream: string): Promise<readonly Shard[]>;
  /** Where to read: after a position, or from the oldest change that is there. It expires after 15 minutes. */
  iterator(stream: string, shard: string, after: string | undefined): Promise<string>;
  read(iterator: string, limit: number): Promise<Page>;
}

interface StreamCallsOptions {
  readonly table: { readonly call: AwsCall; readonly table: string };
  readonly streams: AwsCall;
}

/** Pages of shards: far more than a stream has. */
const maxShardPages = 100;

export function createStreamCalls({ table, streams }: StreamCallsOptions): StreamCalls {
  const act = (action: string, input: object) => streams(`DynamoDBStreams_20120810.${action}`, input);
  return {
    async find() {
      const { Table } = await table.call('DynamoDB_20120810.DescribeTable', { TableName: table.table });
      const { LatestStreamArn: stream } = (Table ?? {}) as { readonly LatestStreamArn?: string };
      if (stream === undefined) throw new Error(`The table ${table.table} has no stream.`);
      return stream;
    },
    async shards(stream) {
      const found: Shard[] = [];
      let start: unknown;
      for (let page = 0; page < maxShardPages; page += 1) {
        const answer = await act('DescribeStream', {
          StreamArn: stream,
          ...(start !== undefined && { ExclusiveStartShardId: start }),
        });
        const { Shards = [], LastEvaluatedShardId: last } = answer.StreamDescription as Description;
        found.push(...Shards.map(({ ShardId, ParentShardId }) => ({ id: ShardId, parent: ParentShardId })));
        if (last === undefined) return found;
        start = last;
      }
      throw new Error('The stream has too many shards.');
    },
    async iterator(stream, shard, after) {
      const from =
        after === undefined
          ? { ShardIteratorType: 'TRIM_HORIZON' }
          : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after };
      const answer = await act('GetShardIterator', { StreamArn: stream, ShardId: shard, ...from });
      return String(answer.ShardIterator);
    },
    async read(iterator, limit) {
      const answer = await act('GetRecords', { ShardIterator: iterator, Limit: limit });
      const { Records: records = [], NextShardIterator: next } = answer as Read;
      return { records, next: next ?? undefined };
    },
  };
}

interface Description {
  readonly Shards?: readonly { readonly ShardId: string; readonly ParentShardId?: string }[];
  readonly LastEvaluatedShardId?: string;
}

interface Read {
  readonly Records?: readonly StreamRecord[];
  readonly NextShardIterator?: string | null;
}
