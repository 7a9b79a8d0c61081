/** Requests whose process ended before their answer did. The ledger has their open record, which has what is known. */
import type { LedgerRecord } from './ledger.ts';

/** Their error code. */
export const interrupted = 'interrupted';

/** The error code of a response in the background that was cancelled, deleted or given up before it began. */
export const notBegun = 'not_begun';

/** The maximum time that a process works on a request, in milliseconds. */
export const longestRequestMs = 960_000;

/** How long a response in the background may wait until a process begins it. */
export const maxWaitMs = 300_000;

/** By then the process that has opened a record has ended. */
export const overAfterMs = longestRequestMs + maxWaitMs;

/** How long a response in the background may be created, by one process after the other. Each opens its record again. */
export const maxRunMs = 6 * 3_600_000;

/** Whether an open record is of an interrupted request. */
export const isOver = ({ at, totalMs }: Pick<LedgerRecord, 'at' | 'totalMs'>, now: number): boolean =>
  at + totalMs + overAfterMs <= now;

/**
 * How far the clock of a process may be from the right time, in milliseconds: DynamoDB refuses what was signed so long before or
 * after its own time, or sooner. Source: aws/aws-sdk-js issue 2565, "Signature not yet current: … + 15 min.".
 */
export const maxSkewMs = 900_000;

/** By then a process has ended a request, whatever its clock and that of this one. */
export const surelyOverMs = overAfterMs + 2 * maxSkewMs;

/** The open record of an interrupted request as its final one, with the estimate that it has (`metering/open.ts`). */
export function interruptedOf(open: LedgerRecord): LedgerRecord {
  const last = open.attempts.length - 1;
  return {
    ...open,
    status: 499,
    error: interrupted,
    attempts: open.attempts.map((attempt, index) =>
      index === last ? { ...attempt, error: interrupted } : attempt,
    ),
  };
}

/** The open record of a request that no provider was called for as its final one: it costs nothing. */
export const unbegunOf = (open: LedgerRecord): LedgerRecord => ({ ...open, status: 499, error: notBegun });
