/** Lists the batches of a tenant, the newest first: `GET /v1/batches`. */
import * as z from 'zod/mini';
import { type BatchStore, batchPrefixes } from '../../core/batches.ts';
import { queryIntegerBetween } from '../../core/formats/query-schema.ts';
import { idQuery } from '../id-query.ts';
import { plainEndpoint } from '../plain-endpoint.ts';
import { writeBatch } from './batch-object.ts';

/** Batches of one page. Source: openai 7.57, `BatchListParams`. */
const maxListedBatches = 100;

export const schema = z.object({
  limit: z._default(queryIntegerBetween(1, maxListedBatches), 20),
  after: idQuery(batchPrefixes.openai, 'a batch'),
});

export const listBatchesEndpoint = ({ batches }: { readonly batches: BatchStore }) =>
  plainEndpoint({ schema }, async ({ input, key }) => {
    const { items, hasMore } = await batches.list(key?.tenant ?? '', 'openai', input);
    const body = {
      object: 'list',
      data: items.map(writeBatch),
      first_id: items.at(0)?.id ?? null,
      last_id: items.at(-1)?.id ?? null,
      has_more: hasMore,
    };
    return { type: 'json', body };
  });
