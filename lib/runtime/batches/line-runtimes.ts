/** What the operations of lines need, and what comes of them. */
import type { BatchParts, JobSnapshot, LineTarget } from '../../batches/ports.ts';
import type { LedgerItem } from '../../core/accounting/journal.ts';
import type { FinishedRequest } from '../../core/accounting/ledger.ts';
import type { Model } from '../../core/catalog/model.ts';
import type { GuardRecord } from '../../core/guardrails/guard-record.ts';
import type { FoundApiKey } from '../../core/ports/api-keys.ts';
import type { OpenMeter } from '../../core/ports/metering.ts';
import type { ResponseStore } from '../../core/stored-response.ts';
import type { JobMeter } from '../../metering/batches/job-meter.ts';
import type { LineRequest } from '../../providers/batches/batch-form.ts';
import type { GenerationRuntime } from '../generation-runtime.ts';
import type { meterOfBatch } from './line-runtime.ts';

type Kept =
  | 'claimAnswer'
  | 'createStream'
  | 'measure'
  | 'noteKeyUse'
  | 'noteRefusal'
  | 'readOn'
  | 'startAhead';

/** What an operation needs for one line. */
export interface LineRuntime extends Omit<GenerationRuntime, Kept> {
  readonly responses: ResponseStore;
  readonly identify: () => Promise<FoundApiKey>;
}

/** What would be sent of a line, and to whom. */
export interface SentLine extends LineTarget {
  /** Of several requests, the last. */
  readonly request: LineRequest;
  /** Whether its answer is that of one request. */
  readonly isSingle: boolean;
  readonly upstreamModel: string;
  readonly snapshot: Model;
  readonly first: FinishedRequest;
  readonly amount: number | null;
  readonly granted: number | undefined;
  /** The service tier that costs less than the list price, where there is one for single requests. */
  readonly cheaperTier: 'flex' | undefined;
}

export interface LineParts {
  readonly jobMeter: JobMeter;
  /** As `BatchParts` has it. */
  readonly barredBy: BatchParts['barredBy'];
  /** `native`: only deployments with a batch API, without those that are named. */
  preparing(
    key: FoundApiKey,
    only: { readonly native: boolean; readonly without: ReadonlySet<string> },
  ): {
    readonly runtime: LineRuntime;
    /** Undefined where nothing would be sent. */
    sent(): Promise<SentLine | undefined>;
    /** Whether a detector does not allow it. */
    isBlocked(): boolean;
  };
  reading(
    key: FoundApiKey,
    answered: {
      readonly snapshot: Pick<JobSnapshot, 'model' | 'path'>;
      readonly sentAt: number;
      readonly result: {
        readonly status: number;
        readonly headers?: Readonly<Record<string, string>>;
        readonly body: string;
      };
      readonly openMeter: OpenMeter;
      /** What detectors said of it before it was sent. */
      readonly guard: readonly GuardRecord[];
    },
  ): {
    readonly runtime: LineRuntime;
    /** None as soon as the answer is there: nothing is tried again. */
    readonly remainingMs: () => number;
  };
  findRecord(key: FoundApiKey, requestId: string): Promise<LedgerItem | undefined>;
  /** `lost`: as `LiveHost` has it. */
  live(
    key: FoundApiKey,
    batch: string,
    lost?: LedgerItem,
  ): { readonly runtime: LineRuntime; readonly record: ReturnType<typeof meterOfBatch>['record'] };
}
