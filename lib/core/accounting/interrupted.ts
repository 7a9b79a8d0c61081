/** Requests whose process ended before their answer did. The ledger has their open record, which has what is known. */
import type { LedgerRecord } from './ledger.ts';

/** Their error code. */
export const interrupted = 'interrupted';

/** The maximum duration of a request, in milliseconds: an open record that is older is of an interrupted one. */
export const longestRequestMs = 960_000;

/**
 * How far the clock of a process may be from the right time, in milliseconds: DynamoDB refuses what was signed so long before or
 * after its own time, or sooner. Source: aws/aws-sdk-js issue 2565, "Signature not yet current: … + 15 min.".
 */
export const maxSkewMs = 900_000;

/** By then a request has ended, whatever the clocks of its process and of this one. */
export const surelyOverMs = longestRequestMs + 2 * maxSkewMs;

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
