/**
 * The ledger: one record for each request that was sent to a provider, successful or not, with each of its attempts. It holds
 * counts, names and times; never a prompt, an answer or a secret.
 */

import type { DatedPrice } from '../catalog/price.ts';
import type { JsonObject } from '../generation/request.ts';
import { addUsage, totalTokens, type Usage } from '../generation/usage.ts';
import type { GuardRecord } from '../guardrails/guard-record.ts';
import type { OperationName } from '../operations.ts';
import type { Hold } from './limits.ts';

/** One call of a provider: a retry, a fallback and a second question are attempts of their own. */
export interface LedgerAttempt {
  readonly provider: string;
  readonly model: string;
  readonly region: string;
  /** The provider's id of the model, at a deployment with several routes. */
  readonly upstreamId?: string;
  /** The id of the tenant's own credential that it was called with; absent: the gateway's account. */
  readonly credential?: string;
  /** When it began, in Unix milliseconds. */
  readonly at: number;
  /** When it was over, in Unix milliseconds: prices may depend on the hour. Absent in old records: then it is `at`. */
  readonly endedAt?: number;
  /** The service tier that the answer named, else the one that was asked for; absent: the default. */
  readonly tier?: string;
  /** Absent if nothing was counted. */
  readonly usage?: Usage;
  /** The usage in the provider's own format. */
  readonly rawUsage?: JsonObject;
  /** Calls whose use is not known: they were sent, and no count came back. Absent: none. */
  readonly uncounted?: number | undefined;
  /** The answer ended before upstream reported usage, so that the gateway estimated it. */
  readonly estimated?: true;
  /** The provider may have gone on beyond the estimate: limits keep all that they hold. */
  readonly isFloor?: true;
  /** The error code of an attempt that failed. */
  readonly error?: string;
  /** The Unix second from which the applied price is valid; null: no price is known. */
  readonly priceFrom: number | null;
  /** What the provider takes of the operator, in nano-dollars; null if unknown, never 0 for that reason. */
  readonly cost: number | null;
  /** With a tenant's own credential: what it takes of the tenant by the catalog's prices. The cost is 0. */
  readonly listCost?: number | null;
  /** What the tenant is charged, in nano-dollars; null if unknown. */
  readonly charge: number | null;
}

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
  /** The caller's own words for grouping. */
  readonly tags?: Readonly<Record<string, string>>;
  readonly operation: OperationName;
  /** The requested id, and the target that answered or was tried last. */
  readonly requestedModel: string;
  readonly model: string;
  readonly provider: string;
  readonly region: string;
  /** In order. None while a response in the background waits, or if it never began. */
  readonly attempts: readonly LedgerAttempt[];
  /** The HTTP status; 499 if the client disconnected before the end. */
  readonly status: number;
  /** The error code of a failed request, also of a stream that started with 200. */
  readonly error?: string;
  /** Whether a stream was requested. */
  readonly streamed: boolean;
  /** The sums of the attempts' and of the detectors', in nano-dollars; null if one of them is unknown. */
  readonly cost: number | null;
  readonly charge: number | null;
  /** What the charge was made of. */
  readonly pricing?: string;
  readonly firstByteMs?: number;
  readonly totalMs: number;
  /** The number of changes to the request. */
  readonly normalizations: number;
  /** Why the answer ended, one for each choice. Only where spans are made of records, as the two below. */
  readonly finishReasons?: readonly string[];
  /** The caller's `traceparent`; absent: the trace begins with the request. */
  readonly trace?: string;
  /** The `tracestate` beside it. */
  readonly traceState?: string;
  /** The id of the response that it creates in the background. */
  readonly response?: string;
  /** The id of the batch that it is a line of. */
  readonly batch?: string;
  /** What the rules of guardrails did, and what their detectors cost. Absent: none applied. */
  readonly guard?: readonly GuardRecord[];
  /** Of a request without attempts that was answered from the cache: the request whose answer it got, and the tokens of that. */
  readonly replayed?: {
    readonly of: string;
    readonly promptTokens: number;
    readonly completionTokens: number;
  };
  /** What is reserved in limits until the actual use is known. */
  readonly holds?: readonly Hold[];
}

/** What may be generated, for the case that it is never counted. */
export interface AttemptOutput {
  /** The tokens that are reserved for it, or would be if there were limits. */
  readonly reserved: number;
  /** Whether some of it may be hidden while it is generated, as reasoning is. */
  readonly isHidden: boolean;
  /** Whether more input may be counted than the request has: what a link leads to, or a tool of the provider reads. */
  readonly isInputUnknown: boolean;
}

/** An attempt before its cost is computed. */
export interface FinishedAttempt extends Omit<LedgerAttempt, 'priceFrom' | 'cost' | 'listCost' | 'charge'> {
  /** The estimated tokens of the input. */
  readonly inputTokens: number;
  /** Absent: it is not measured in tokens. */
  readonly output?: AttemptOutput;
  /** The price of the target at that time; absent: none is known. */
  readonly price?: DatedPrice;
}

/** A finished request, before its cost is computed. */
export interface FinishedRequest extends Omit<LedgerRecord, 'attempts' | 'cost' | 'charge'> {
  readonly attempts: readonly FinishedAttempt[];
}

/**
 * The time whose terms a request is charged at, in Unix milliseconds. A line of a batch, which is recorded when its job has ended, is charged
 * at those of when it was sent.
 */
export const chargedAt = ({
  at,
  batch,
  attempts: [first],
}: Pick<LedgerRecord, 'at' | 'batch'> & {
  readonly attempts: readonly Pick<LedgerAttempt, 'at'>[];
}): number => (batch === undefined ? at : (first?.at ?? at));

/** The use of all attempts together; undefined if nothing was counted. */
export function usageOf({
  attempts,
}: {
  readonly attempts: readonly { readonly usage?: Usage }[];
}): Usage | undefined {
  let all: Usage | undefined;
  for (const { usage } of attempts) all = all && usage ? addUsage(all, usage) : (all ?? usage);
  return all;
}

/** All tokens of a request; null if those of a call are not known. */
export function tokensOf(record: LedgerRecord): number | null {
  if (record.attempts.some(({ uncounted = 0 }) => uncounted > 0)) return null;
  const usage = usageOf(record);
  return usage ? totalTokens(usage) : 0;
}

/** What calls with the tenant's own credentials take of the tenant; null if that of one is unknown. */
export const listCostOf = (attempts: LedgerRecord['attempts']): number | null =>
  sumOfAmounts(attempts.map(({ credential, listCost = null }) => (credential === undefined ? 0 : listCost)));

/** A sum of amounts, of which each may be unknown; so is a sum that a number cannot hold exactly. */
export function sumOfAmounts(amounts: readonly (number | null)[]): number | null {
  const sum = amounts.reduce((all, amount) => (all === null || amount === null ? null : all + amount), 0);
  return Number.isSafeInteger(sum) ? sum : null;
}
