/** What the work on batches needs from the outer world. */

import type { LedgerItem } from '../core/accounting/journal.ts';
import type { FinishedRequest, LedgerRecord } from '../core/accounting/ledger.ts';
import type { Batch, BatchStore } from '../core/batches.ts';
import type { Model } from '../core/catalog/model.ts';
import type { ByteStore, FileStore } from '../core/files.ts';
import type { GuardRecord } from '../core/guardrails/guard-record.ts';
import type { FoundApiKey } from '../core/ports/api-keys.ts';
import type { Log } from '../core/ports/log.ts';
import type { MeteredRequest } from '../core/ports/metering.ts';
import type { JobMeter } from '../metering/batches/job-meter.ts';
import type { LineShare } from '../metering/batches/job-records.ts';
import type { BatchAccount, BatchForm, LineRequest, LineResult } from '../providers/batches/batch-form.ts';

/** A request of a batch. */
export interface BatchLine {
  /** Its line in the file, counted from 0. */
  readonly n: number;
  readonly customId: string;
  /** JSON, with its numbers as they were written. */
  readonly body: string;
}

/** How a request was answered. */
export interface LineAnswer {
  readonly status: number;
  readonly requestId: string;
  /** JSON. */
  readonly body: string;
}

/** A deployment, as a job has it. */
export interface LineTarget {
  readonly model: string;
  readonly provider: string;
  readonly region: string;
  /** The price in relation to the list price; null: not known. */
  readonly priceFactor: number | null;
}

/** A line as it can be sent in a job. */
export interface PreparedLine extends LineTarget {
  readonly by: 'native';
  /** What it is called at the provider. */
  readonly upstreamModel: string;
  readonly request: LineRequest;
  /** The model with only this deployment, at the prices of batches. */
  readonly snapshot: Model;
  /** As it would be recorded now. */
  readonly first: FinishedRequest;
  /** The most that it may be charged, in nano-dollars; null: not known. */
  readonly amount: number | null;
  /** The tokens of output that it may use; absent: it has no bound. */
  readonly granted?: number | undefined;
}

/** A line that no batch API can answer, or not this one. */
export interface LiveLine extends LineTarget {
  readonly by: 'live';
  /** As it is then sent: with the service tier that costs less. */
  readonly body: string;
}

type Preparation =
  | PreparedLine
  | LiveLine
  /** It is refused as it would be as a single request. */
  | { readonly by: 'refused'; readonly answer: LineAnswer };

/** What is kept of a job to read its answers. */
export interface JobSnapshot {
  readonly model: Model;
  readonly path: string;
  readonly upstreamModel: string;
  readonly first: FinishedRequest;
  /** Of each line: its number, and what its preparation has said of it. */
  readonly numbers: readonly number[];
  readonly amounts: readonly (number | null)[];
  readonly granted: readonly (number | null)[];
  /** Absent: no detector has looked at any of them. */
  readonly guards?: readonly (readonly GuardRecord[] | null)[];
}

/** A line whose job was answered. */
interface AnsweredLine {
  readonly line: BatchLine;
  readonly requestId: string;
  readonly snapshot: Pick<JobSnapshot, 'model' | 'path'>;
  /** When it was sent, in Unix milliseconds: prices are those of then. */
  readonly sentAt: number;
  readonly result: Extract<LineResult, { readonly status: number }>;
  readonly hold: MeteredRequest;
  readonly share: LineShare;
  readonly granted: number | undefined;
  readonly guard: readonly GuardRecord[];
}

interface RecordedAnswer {
  readonly answer: LineAnswer;
  /** Undefined for what no provider was asked for. */
  readonly record: LedgerRecord | undefined;
}

interface LiveAnswer extends RecordedAnswer {
  /** Whether another attempt is of use, and the wait before it, in milliseconds; undefined: it is not. */
  readonly retryAfterMs: number | undefined;
}

/** What the answer to a line is: each line is a request of the operation of its batch, and this is the way through it. */
export interface AnswerLines {
  /** `without`: the deployments that are not to answer it, by `deploymentKey`. */
  prepare(batch: Batch, line: BatchLine, without: ReadonlySet<string>): Promise<Preparation>;
  /** Rejects where its record could not be written. */
  read(batch: Batch, answered: AnsweredLine): Promise<RecordedAnswer>;
  /** Sends it as a single request. */
  live(batch: Batch, line: BatchLine, live: LiveHost): Promise<LiveAnswer>;
  /** What the ledger has of a single request. */
  findRecord(batch: Batch, requestId: string): Promise<LedgerItem | undefined>;
}

interface LiveHost {
  readonly key: FoundApiKey;
  readonly requestId: string;
  /** What a worker that was lost has left: this request ends its record if that is open, and else has none. */
  readonly lost?: LedgerItem;
  readonly signal: AbortSignal;
  readonly remainingMs: () => number;
}

export interface BatchParts {
  readonly batches: BatchStore;
  readonly files: Pick<FileStore, 'put'>;
  readonly bytes: ByteStore;
  readonly lines: AnswerLines;
  readonly holds: Pick<JobMeter, 'reserve' | 'partsOf' | 'end'>;
  readonly loadForm: (provider: string) => Promise<BatchForm | undefined>;
  readonly openAccount: (provider: string, region: string) => Promise<BatchAccount>;
  /** Undefined for a key that is disabled, expired or gone. */
  readonly findKey: (hash: string) => Promise<FoundApiKey | undefined>;
  /** Whether the catalog still has a deployment. */
  readonly isServed: (target: Pick<LineTarget, 'model' | 'provider' | 'region'>) => Promise<boolean>;
  /** What of a key, as it is now, does not let a job go there; undefined: nothing. Each is the code of an error. */
  readonly barredBy: (
    target: Pick<LineTarget, 'model' | 'provider' | 'region'>,
    key: FoundApiKey,
  ) => Promise<'data_policy' | 'batch_not_supported' | undefined>;
  readonly newId: (prefix: string) => string;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** Ends early when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly log: Log;
  /** The first pause between two looks at a job, in milliseconds. */
  readonly pollMs: number;
}

export const deploymentKey = ({
  model,
  provider,
  region,
}: Pick<LineTarget, 'model' | 'provider' | 'region'>) => `${provider} ${region} ${model}`;
