/** A request that was refused before any provider was called: no sum and no bill includes it. */
import type { GatewayError } from '../errors/errors.ts';
import type { FinishedRequest, LedgerRecord } from './ledger.ts';

export interface Refusal {
  /** Without attempts, and with no provider's name. */
  readonly record: LedgerRecord;
  /** As the caller got it, but for what it may have quoted of the request. */
  readonly message: string;
  readonly param?: string;
  /** So many more that were alike were refused before it and are not on record themselves. */
  readonly more: number;
}

/** Never rejects. */
export type NoteRefusal = (request: FinishedRequest, error: GatewayError) => Promise<void>;

/** The place of a request that reached no provider. */
export const nowhere = { provider: 'none', region: 'none' } as const;
