/** Limits and records of one request. */
import type { FinishedRequest } from '../accounting/ledger.ts';
import type { ApiKey } from './api-keys.ts';

/** The maximum use of a request, whichever target answers. */
export interface MaxUse {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In nano-dollars; null: a target has no price. */
  readonly cost: number | null;
  /** True for a request without a record that counts as a request all the same. */
  readonly isFree?: boolean;
}

/** Counts one request against the limits of its key and tenant, and records it at the end. */
export interface RequestMeter {
  /**
   * Reserves the maximum use of the request, before a provider is called. Without limits it writes nothing, and does not call
   * `maxUse`. Rejects with GatewayError `rate_limited` or `insufficient_quota`.
   */
  admit(maxUse: () => MaxUse): Promise<void>;
  /** The response headers about limits; none without limits. */
  headers(): Readonly<Record<string, string>>;
  /**
   * Logs a request before it is sent to a provider. If the process ends before the request does, it can still be recorded from
   * the log.
   */
  begin(request: FinishedRequest | undefined): void;
  /**
   * Releases the reservation and records the request; undefined for a request that reached no provider. Never rejects: a record
   * that cannot be written is logged, so that it can be replayed.
   */
  finish(request: FinishedRequest | undefined): Promise<void>;
}

export type OpenMeter = (key: ApiKey, requestId: string) => RequestMeter;
