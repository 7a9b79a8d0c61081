/** Lists the batches of messages of a tenant, the newest first: `GET /v1/messages/batches`. */
import * as z from 'zod/mini';
import { batchPrefixes } from '../../core/batches.ts';
import { queryIntegerBetween } from '../../core/formats/query-schema.ts';
import { idQuery } from '../id-query.ts';
import { plainEndpoint } from '../plain-endpoint.ts';
import { writeMessageBatch } from './batch-object.ts';
import { baseOf, contract, type MessageBatchParts } from './parts.ts';

/** Batches of one page. Source: @anthropic-ai/sdk 1.12, `PageParams`. */
const maxListedMessageBatches = 1_000;

const place = idQuery(batchPrefixes.anthropic, 'a message batch');

export const schema = z.object({
  limit: z._default(queryIntegerBetween(1, maxListedMessageBatches), 20),
  after_id: place,
  before_id: place,
});

export const listMessageBatchesEndpoint = (parts: Pick<MessageBatchParts, 'batches' | 'baseUrl'>) =>
  plainEndpoint({ schema }, async (call) => {
    const { limit, after_id: after, before_id: before } = call.input;
    const tenant = call.key?.tenant ?? '';
    const { items, hasMore } = await parts.batches.list(tenant, contract, { limit, after, before });
    const base = baseOf(parts, call);
    const body = {
      data: items.map((batch) => writeMessageBatch(batch, base)),
      has_more: hasMore,
      first_id: items.at(0)?.id ?? null,
      last_id: items.at(-1)?.id ?? null,
    };
    return { type: 'json', body };
  });
