/**
 * The ledger: one record for each request that a provider was asked to serve, whatever came of it. It holds counts,
 * names and times; never a prompt, an answer or a secret.
 */
import type { JsonObject } from '../generation/request.ts';
import type { Usage } from '../generation/usage.ts';
import type { DatedPrice } from '../model.ts';
import type { OperationName } from '../operations.ts';

export interface LedgerRecord {
  readonly requestId: string;
  /** When the request came, in Unix milliseconds. */
  readonly at: number;
  readonly tenant: string;
  /** The id of the key, which is no secret. */
  readonly key: string;
  /** What the caller says of their own users and sessions, cut to 128 characters. */
  readonly user?: string;
  readonly session?: string;
  readonly operation: OperationName;
  /** The id that was asked for, and the one that answered or was tried last. */
  readonly requestedModel: string;
  readonly model: string;
  readonly provider: string;
  readonly region: string;
  readonly attempts: number;
  /** The HTTP status of the answer; 499 where the caller left before its end. */
  readonly status: number;
  /** The code of the failure, where it failed: also in a stream that began with 200. */
  readonly error?: string;
  /** Whether a stream was asked for. */
  readonly streamed: boolean;
  /** Absent where nothing was generated. */
  readonly usage?: Usage;
  /** True where the answer broke off before upstream had counted, so that the gateway counted what it saw. */
  readonly estimated?: boolean;
  /** What upstream counted, in its own words. */
  readonly rawUsage?: JsonObject;
  /** The Unix second from which the price holds that was applied; null: no price is known. */
  readonly priceFrom: number | null;
  /** In nano-dollars; null: not known, never 0 for that reason. */
  readonly cost: number | null;
  readonly firstByteMs?: number;
  readonly totalMs: number;
  /** How many changes were made to the request. */
  readonly normalizations: number;
}

/** A request that is over, before it is known what it cost. */
export interface FinishedRequest extends Omit<LedgerRecord, 'cost' | 'priceFrom'> {
  /** The price that held at the target; absent: none is known. */
  readonly price?: DatedPrice;
}
