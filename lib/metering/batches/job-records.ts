/** The records of a job of a batch: the open one of its first line, and the final one of each line, with its share of what is held. */
import { overAfterMs } from '../../core/accounting/interrupted.ts';
import type { FinishedAttempt, FinishedRequest, LedgerRecord } from '../../core/accounting/ledger.ts';
import type { Hold } from '../../core/accounting/limits.ts';
import { timeOfRequest } from '../../core/names/request-id.ts';
import { batchTier } from '../cost/batch-price.ts';
import { linesWithin } from './reservation.ts';

export interface JobToReserve {
  readonly batch: string;
  /** The caller's id of its own user, if given. */
  readonly user?: string | undefined;
  /** The request of the first line, as `NotingMeter` has noted it. */
  readonly first: FinishedRequest;
  /** Which line of the batch that is, counted from 0. */
  readonly line: number;
  /**
   * When its reservation began, in Unix milliseconds. It is noted before: a process that goes on after a crash, or tries again after a
   * refusal, gives the same one, and finds what was reserved.
   */
  readonly at: number;
  /** The most that each line is charged, in nano-dollars; null: not known. */
  readonly amounts: readonly (number | null)[];
  /** The fewest lines that are worth a job; absent: all. */
  readonly atLeast?: number;
  /** When the job has surely ended and is read, in Unix milliseconds. */
  readonly until: number;
}

/**
 * What the record of a line has of the hold of its job: its own amount, as it was reserved for; that of the first line what no other
 * record has. `inParts`: the sum of the parts of the other lines' records.
 */
export type LineShare = { readonly part: number } | { readonly inParts: number };

/** The request of the first line, as it is while the job runs. */
export function openRequest(
  { batch, first, until, ...job }: JobToReserve,
  requestId: string,
  holds: readonly Hold[],
): FinishedRequest {
  const at = timeOfRequest(requestId) ?? job.at;
  return {
    ...first,
    requestId,
    at,
    batch,
    attempts: first.attempts.map((attempt) => ({ ...ofBatch(attempt), at, endedAt: at })),
    status: 200,
    streamed: false,
    totalMs: Math.max(0, until - at - overAfterMs),
    ...(holds.length > 0 && { holds }),
  };
}

/** The request of a line, as its record has it. */
export function lineRequest(request: FinishedRequest, open: LedgerRecord, share: LineShare): FinishedRequest {
  const { firstByteMs: _, ...kept } = request;
  const ended = request.at + Math.max(0, request.totalMs);
  const line = {
    ...kept,
    ...(open.batch !== undefined && { batch: open.batch }),
    attempts: request.attempts.map((attempt) => ({
      ...ofBatch(attempt),
      endedAt: Math.max(attempt.at, ended),
    })),
    streamed: false,
    totalMs: Math.max(0, request.totalMs),
  };
  return withShare(line, open, share);
}

/** Whatever tier its answer names: that of a batch API is the one that is paid for. */
const ofBatch = (attempt: FinishedAttempt): FinishedAttempt => ({ ...attempt, tier: batchTier });

/** A record with its share of what the open one holds. */
export function withShare<Request extends Pick<LedgerRecord, 'holds'>>(
  request: Request,
  { holds }: LedgerRecord,
  share: LineShare,
): Request {
  if (!holds) return request;
  return { ...request, holds: holds.map((hold) => holdOf(hold, share)) };
}

function holdOf(whole: Hold, share: LineShare): Hold {
  if ('inParts' in share) return { ...whole, ...share };
  const { inParts: _, ...hold } = whole;
  return { ...hold, amount: share.part, isPart: true };
}

/** The final record of a line that got no answer, from its open record: without attempts and cost. */
export const unanswered = (open: LedgerRecord): LedgerRecord => ({
  ...open,
  attempts: [],
  status: 499,
  cost: 0,
  charge: 0,
});

/** The same in each scope. */
export const partIn = ({ holds: [hold] = [] }: LedgerRecord): number => (hold?.isPart ? hold.amount : 0);

/** How many lines there are in what is held. */
export const linesHeld = ({ holds: [hold] = [] }: LedgerRecord, amounts: readonly number[]): number =>
  hold ? linesWithin(amounts, hold.amount) : amounts.length;
