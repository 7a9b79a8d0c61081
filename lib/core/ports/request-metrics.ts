/** What metrics are made of when a request is over. */
import type { FinishedAttempt } from '../accounting/ledger.ts';
import type { ErrorKind } from '../errors/error-kinds.ts';
import type { GuardRecord } from '../guardrails/guard-record.ts';
import type { OperationName } from '../operations.ts';

export interface MeasuredRequest {
  readonly operation: OperationName;
  /** When it ended, in Unix milliseconds. */
  readonly endedAt: number;
  /** By the fault of the gateway or of a provider. */
  readonly isFailed: boolean;
  readonly error: ErrorKind | undefined;
  readonly attempts: readonly FinishedAttempt[];
  /** What the rules of guardrails did. Absent: none applied. */
  readonly guard?: readonly GuardRecord[] | undefined;
  readonly streamed: boolean;
  readonly firstByteMs: number | undefined;
  readonly totalMs: number;
}

/** The fields of the request's log line that a log service reads as metrics. Never throws. */
export type MeasureRequest = (request: MeasuredRequest) => Readonly<Record<string, unknown>>;
