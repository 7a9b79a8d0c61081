/**
 * Requests to create a batch that a client library has sent again: their first answer may have been lost on its way, and a second batch
 * would be paid for. The SDKs of OpenAI and Anthropic say so in a header, and name no key of their own.
 */
import type { Batch, BatchContract, BatchStore } from '../../core/batches.ts';
import type { ReadHeader } from '../../core/endpoint.ts';
import type { FoundApiKey } from '../../core/ports/api-keys.ts';
import { secondsOf } from './batch-parts.ts';

/** Source: `retryRequest` of openai 7.57 and @anthropic-ai/sdk 1.12; the first time it is 0. */
const countHeader = 'x-stainless-retry-count';

export const isSentAgain = (header: ReadHeader = () => undefined): boolean =>
  Number(header(countHeader) ?? 0) > 0;

/** For so long after the first request, in seconds. */
const againSeconds = 600;

/** Batches of a tenant that are looked through. */
const maxLooked = 100;

interface Again {
  readonly key: FoundApiKey;
  readonly contract: BatchContract;
  /** The time in milliseconds. */
  readonly now: () => number;
  readonly isSame: (batch: Batch) => boolean | Promise<boolean>;
}

/** The batch that the first request has created; undefined if there is none. */
export async function findFirst(
  batches: BatchStore,
  { key, contract, now, isSame }: Again,
): Promise<Batch | undefined> {
  const { items } = await batches.list(key.tenant, contract, { limit: maxLooked });
  const since = secondsOf(now()) - againSeconds;
  for (const batch of items) {
    if (batch.createdAt < since) return undefined;
    if (batch.key.hash === key.hash && (await isSame(batch))) return batch;
  }
  return undefined;
}
