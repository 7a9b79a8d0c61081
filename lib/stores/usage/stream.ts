/** Reads the event with which the stream of the usage table invokes the aggregator. */
import type { LedgerChange, LedgerItem } from '../../core/accounting/journal.ts';
import { fromItem } from '../dynamodb/attribute-values.ts';
import { readLedgerItem } from './read-ledger-item.ts';

/** Changes of the usage table that the aggregator gets at a time; the most that DynamoDB Streams returns. */
export const maxStreamBatch = 1_000;

/** One record of the stream. Source: docs.aws.amazon.com DynamoDB, API_streams_Record. */
export interface StreamRecord {
  readonly eventName?: string | undefined;
  readonly dynamodb?:
    | {
        /** In Unix seconds. */
        readonly ApproximateCreationDateTime?: number | undefined;
        readonly Keys?: Readonly<Record<string, { readonly S?: unknown } | undefined>> | undefined;
        readonly NewImage?: object | undefined;
        readonly OldImage?: object | undefined;
        readonly SequenceNumber?: string | undefined;
      }
    | undefined;
}

/**
 * The event of a stream with a time window, without which it would not name its shard. A window ends with an event that may have no
 * records. Source: docs.aws.amazon.com Lambda, services-ddb-windows; aws-powertools/powertools-lambda-typescript, DynamoDBStreamSchema.
 */
export interface StreamEvent {
  readonly Records?: readonly StreamRecord[];
  readonly shardId?: string;
}

interface ReadEvent {
  readonly shard: string;
  readonly changes: readonly LedgerChange[];
  /** Records with an item that cannot be read. */
  readonly unreadable: number;
}

/** Throws for an event without a shard: what it has could be counted twice. */
export function readStreamEvent({ Records: records = [], shardId }: StreamEvent): ReadEvent {
  if (typeof shardId !== 'string')
    throw new Error('The event names no shard: the stream needs a time window.');
  const changes = records.map(readChange);
  const readable = changes.filter((change) => change !== undefined);
  return { shard: shardId, changes: readable, unreadable: changes.length - readable.length };
}

/** Undefined if it has no position, or an image that cannot be read. */
function readChange({ dynamodb = {} }: StreamRecord): LedgerChange | undefined {
  const { NewImage, OldImage, SequenceNumber: sequence, ApproximateCreationDateTime: seconds = 0 } = dynamodb;
  const [before, after] = [readImage(OldImage), readImage(NewImage)];
  if (sequence === undefined || before === null || after === null) return undefined;
  return { sequence, at: seconds * 1000, ...(before && { before }), ...(after && { after }) };
}

/** Undefined without an image; null if it cannot be read. */
function readImage(image: object | undefined): LedgerItem | undefined | null {
  return image && (readLedgerItem(fromItem(image)) ?? null);
}
