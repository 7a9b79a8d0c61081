/**
 * Streams that can be resumed, in the state table. Each is one item (`stream#<tenant>#<id>`), which alone has the key of its log
 * (`event-log.ts`).
 */
import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { newId } from '../core/names/new-id.ts';
import {
  type CreateStream,
  type FindStream,
  type StreamRef,
  streamPrefix,
} from '../core/ports/resumable-streams.ts';
import { expiryAttribute } from '../core/tables.ts';
import { openTable, type TableOptions } from './dynamodb/table.ts';
import { openEventLog } from './event-log.ts';
import { isResponseId } from './responses/responses.ts';

interface StreamsOptions extends TableOptions {
  /** The time in milliseconds. */
  readonly now: () => number;
}

/** How long a stream is kept, from its beginning. */
const keptMs = 24 * 3_600_000;

const streamItem = z.object({ operation: z.string(), log_key: z.string(), [expiryAttribute]: z.number() });

const keyOf = ({ tenant, id }: StreamRef) => `stream#${encodeURIComponent(tenant)}#${id}`;

export function createStreams(options: StreamsOptions): CreateStream {
  const { now } = options;
  const table = openTable(options);
  return async ({ tenant, operation }) => {
    const id = newId(streamPrefix);
    const prefix = keyOf({ tenant, id });
    const key = randomBytes(32).toString('base64');
    const expiresAt = Math.floor((now() + keptMs) / 1000);
    await table.put(prefix, { operation, log_key: key, [expiryAttribute]: expiresAt });
    return { id, append: openEventLog({ table, prefix, key, expiresAt, now }).append };
  };
}

export function findStreams(options: StreamsOptions): FindStream {
  const { now } = options;
  const table = openTable(options);
  return async (stream) => {
    if (!isResponseId(stream.id)) return undefined;
    const prefix = keyOf(stream);
    const { success, data } = streamItem.safeParse(await table.get(prefix, { consistent: true }));
    // DynamoDB deletes expired items late.
    if (!success || data[expiryAttribute] * 1000 <= now()) return undefined;
    const { operation, log_key: key, [expiryAttribute]: expiresAt } = data;
    return { operation, read: openEventLog({ table, prefix, key, expiresAt, now }).read };
  };
}
