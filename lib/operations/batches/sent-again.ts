/**
 * Requests to create a batch that a client library has sent again: their first answer may have been lost on its way, or the first request
 * may still run, and a second batch would be paid for. The SDKs of OpenAI and Anthropic say so in a header, and name no key of their own.
 */
import { hash } from 'node:crypto';
import type { Batch, BatchStore } from '../../core/batches.ts';
import type { ReadHeader } from '../../core/endpoint.ts';
import type { FoundApiKey } from '../../core/ports/api-keys.ts';
import type { AskedBatch } from './begin-batch.ts';

/** Source: `retryRequest` of openai 7.57 and @anthropic-ai/sdk 1.12; the first time it is 0. */
const countHeader = 'x-stainless-retry-count';

export const isSentAgain = (header: ReadHeader = () => undefined): boolean =>
  Number(header(countHeader) ?? 0) > 0;

interface Creation {
  readonly key: FoundApiKey;
  readonly asked: AskedBatch;
  /** The file with its requests, or these as lines. */
  readonly input: string | readonly Buffer[];
  /** Of the batch, if the request is the first one. */
  readonly id: string;
  readonly isSentAgain: boolean;
}

interface Begun {
  readonly id: string;
  /** What the first request has created by now. */
  readonly first: Batch | undefined;
}

/** The id of the batch that a request creates: that of the first request, where this one repeats it. */
export async function beginOnce(
  batches: BatchStore,
  { key: { tenant, hash: ofKey }, asked, input, id: own, isSentAgain: isAgain }: Creation,
): Promise<Begun> {
  const { headers: _, metadata = {}, ...facts } = asked;
  const ofInput = typeof input === 'string' ? input : hash('sha256', Buffer.concat(input));
  const entries = Object.entries(metadata).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const request = hash('sha256', JSON.stringify([ofKey, ofInput, facts, entries]));
  const id = await batches.noteCreation({ tenant, request, id: own, isAgain });
  return { id, first: id === own ? undefined : await batches.find(tenant, id) };
}
