/** What the steps of a batch's worker share. */
import { type Batch, type BatchJob, lineCancelled, lineExpired } from '../core/batches.ts';
import { failureFields } from '../core/errors/failure-fields.ts';
import type { FoundApiKey } from '../core/ports/api-keys.ts';
import { mayStore } from '../core/tenancy.ts';
import type { HeldBatch } from './lease.ts';
import { type NoAnswer, notAnswered } from './lines/results.ts';
import type { BatchParts, JobSnapshot } from './ports.ts';

export interface Work {
  readonly parts: BatchParts;
  readonly held: HeldBatch;
  /** Its jobs, as they were written last, in order. */
  readonly jobs: () => readonly BatchJob[];
  /** Writes a job, and returns it. */
  put(job: BatchJob): Promise<BatchJob>;
}

/** Why nothing more of a batch is sent: it was cancelled, or its time is up. */
export function endingOf({ parts, held }: Pick<Work, 'parts' | 'held'>): NoAnswer | undefined {
  const { status, expiresAt } = held.current();
  if (status === 'cancelling') return notAnswered[lineCancelled];
  return parts.now() >= expiresAt * 1_000 ? notAnswered[lineExpired] : undefined;
}

/** Why nothing more is sent with a key as it is now; undefined: something may be. */
export function endingWith(key: FoundApiKey | undefined): NoAnswer | undefined {
  if (!key)
    return { code: 'invalid_api_key', message: 'The API key of the batch is disabled or expired by now.' };
  if (mayStore(key)) return undefined;
  const message = "The data policy of the batch's API key forbids to store its answers by now.";
  return { code: 'data_policy', message };
}

/** When the jobs of a batch that has expired are waited for no longer, in Unix milliseconds. */
export const stragglersUntil = ({ expiresAt }: Batch): number => expiresAt * 1_000 + 15 * 60_000;

export const isInFlight = ({ status }: BatchJob): boolean =>
  status === 'submitting' || status === 'submitted' || status === 'ended';

export async function readSnapshot({ bytes }: BatchParts, { parts }: BatchJob): Promise<JobSnapshot> {
  const pieces: Uint8Array[] = [];
  for (const { name } of parts.snapshot ?? []) for await (const piece of bytes.get(name)) pieces.push(piece);
  return JSON.parse(Buffer.concat(pieces).toString());
}

/** A failure that does not end a step: it is made again later. */
export function warn({ parts, held }: Work, { n, provider }: BatchJob, step: string, cause: unknown): void {
  const { tenant, id } = held.current();
  parts.log.warn('batch step failed', { tenant, batch: id, job: n, provider, step, ...failureFields(cause) });
}

/** What may fail without harm. */
export async function attempt(
  work: Work,
  job: BatchJob,
  step: string,
  act: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (cause) {
    warn(work, job, step, cause);
    return false;
  }
}
