/**
 * The ledger: one record for each request that was sent to a provider, successful or not. It holds counts, names and times;
 * never a prompt, an answer or a secret.
 */
import type { JsonObject } from '../generation/request.ts';
import type { Usage } from '../generation/usage.ts';
import type { DatedPrice } from '../model.ts';
import type { OperationName } from '../operations.ts';

export interface LedgerRecord {
  readonly requestId: string;
  /** The time of the request, in Unix milliseconds. */
  readonly at: number;
  readonly tenant: string;
  /** The id of the key. It is not secret. */
  readonly key: string;
  /** The caller's ids of their own user and session, cut to 128 characters. */
  readonly user?: string;
  readonly session?: string;
  readonly operation: OperationName;
  /** The requested id, and the model that answered or was tried last. */
  readonly requestedModel: string;
  readonly model: string;
  readonly provider: string;
  readonly region: string;
  readonly attempts: number;
  /** The HTTP status; 499 if the client disconnected before the end. */
  readonly status: number;
  /** The error code of a failed request, also of a stream that started with 200. */
  readonly error?: string;
  /** Whether a stream was requested. */
  readonly streamed: boolean;
  /** Absent if nothing was generated. */
  readonly usage?: Usage;
  /** True if the stream ended before upstream reported usage, so that the gateway estimated it. */
  readonly estimated?: boolean;
  /** The usage in the provider's own format. */
  readonly rawUsage?: JsonObject;
  /** The Unix second from which the applied price is valid; null: no price is known. */
  readonly priceFrom: number | null;
  /** In nano-dollars; null if unknown, never 0 for that reason. */
  readonly cost: number | null;
  readonly firstByteMs?: number;
  readonly totalMs: number;
  /** The number of changes to the request. */
  readonly normalizations: number;
}

/** A finished request, before its cost is computed. */
export interface FinishedRequest extends Omit<LedgerRecord, 'cost' | 'priceFrom'> {
  /** The price of the target at that time; absent: none is known. */
  readonly price?: DatedPrice;
}
