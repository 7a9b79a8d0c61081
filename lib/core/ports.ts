/**
 * What the inner rooms need from the outer world, as interfaces only. `runtime.ts` supplies the real parts.
 */
import type { CounterKey, Counts, DailyCounter } from './accounting/counters.ts';
import type { FinishedRequest, LedgerRecord } from './accounting/ledger.ts';
import type { Model } from './model.ts';
import type { Limits, Permissions } from './tenancy.ts';

/** The timeouts of one upstream exchange, in milliseconds. */
export interface Timeouts {
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly idleMs: number;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpResponse {
  readonly status: number;
  /** Lower-case names; a repeated header is joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Throws GatewayError `upstream_timeout` (silence), `upstream_cut` (connection lost) or `client_closed` (aborted). */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Sends one request upstream. Resolves when status and headers are there; rejects with GatewayError
 * `upstream_unreachable` (DNS, connect, TLS, reset), `upstream_timeout` or `client_closed` (signal aborted). Leaving the
 * body's loop early, or aborting, closes the exchange.
 */
export type Send = (
  request: HttpRequest,
  options: { readonly timeouts: Timeouts; readonly signal?: AbortSignal },
) => Promise<HttpResponse>;

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Signs a request for an AWS service (Signature Version 4). */
export type Sign = (
  request: HttpRequest,
  scope: { readonly service: string; readonly region: string },
) => Promise<HttpRequest>;

/**
 * Calls an action of an AWS service that speaks JSON (DynamoDB, SSM). `action` is the full target, for example
 * `Service_20240101.Action`. Rejects with AwsError when the service answers with an error.
 *
 * `once`: the action must not take place twice, so it is repeated only where the service says that it did not.
 */
export type AwsCall = (
  action: string,
  input: object,
  options?: { readonly once?: boolean },
) => Promise<Readonly<Record<string, unknown>>>;

/** Errors by which a service asks for patience. What was asked has not taken place. */
const throttling: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'Throttling',
  'ThrottlingException',
  'ThrottledException',
  'TooManyRequestsException',
]);

/** An error a service answered with; `type` without namespace, for example `ConditionalCheckFailedException`. */
export class AwsError extends Error {
  readonly type: string;
  readonly status: number;

  constructor(type: string, message: string, status: number) {
    super(message);
    this.name = 'AwsError';
    this.type = type;
    this.status = status;
  }

  get isThrottling(): boolean {
    return throttling.has(this.type);
  }
}

/** What a part of a message may be that is not text. */
export type MediaKind = 'image' | 'file';

/** An image or a document, as bytes. */
export interface FetchedMedia {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'application/pdf';
  readonly base64: string;
}

/**
 * Fetches a caller's image or document, for a provider which takes no URLs of it, under the guard (https, public
 * addresses only, size and time caps, type by its first bytes). Rejects with GatewayError `invalid_request` naming
 * `param`.
 */
export type FetchMedia = (
  url: string,
  options: { readonly kind: MediaKind; readonly param: string; readonly signal?: AbortSignal },
) => Promise<FetchedMedia>;

/**
 * Finds the bearer token of a service account, given as the JSON text of its credentials. Rejects with GatewayError
 * `upstream_credentials`.
 */
export type FindToken = (credentials: string) => Promise<string>;

/** What the gateway holds to call a provider. */
export interface ProviderAccess {
  readonly apiKey?: string;
  /** Replaces the provider's documented base URL, up to and with its version segment. */
  readonly baseUrl?: string;
  /** True where the local sandbox plays the provider. */
  readonly sandbox?: boolean;
  /** For providers that take AWS signatures. */
  readonly sign?: Sign;
  /** For providers that take the tokens of a service account. */
  readonly findToken?: FindToken;
  /** The provider's other settings, by the names it gives them. */
  readonly settings: Readonly<Record<string, string>>;
}

export type FindProviderAccess = (provider: string) => Promise<ProviderAccess>;

/** A caller's key, as far as a request needs to know it. */
export interface ApiKey {
  /** Not secret: names the key in logs and commands. */
  readonly id: string;
  /** For a key that came by rotation, the id of the first one: all of them share what they may use. */
  readonly family?: string;
  readonly tenant: string;
  /** What holds for the key, and what holds for all keys of its tenant; absent: nothing is limited. */
  readonly keyPolicy?: Permissions & { readonly limits?: Limits };
  readonly tenantPolicy?: Permissions & { readonly limits?: Limits; readonly suspended?: true };
}

/** A key together with what it is stored under, its SHA-256, which opens nothing. */
export interface FoundApiKey extends ApiKey {
  readonly hash: string;
}

/** What a request may come to at most, whichever target answers. */
export interface MaxUse {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In nano-dollars; null: a target has no price. */
  readonly cost: number | null;
}

/** Counts one request against what its tenant and key may use, and writes it down when it is over. */
export interface RequestMeter {
  /**
   * Sets aside what the request may come to, before a provider is asked. Writes nothing for those without limits, and
   * does not ask what it may come to. Rejects with GatewayError `rate_limited` or `insufficient_quota`.
   */
  admit(most: () => MaxUse): Promise<void>;
  /** What the caller is told of their limits, as headers; nothing for those without. */
  headers(): Readonly<Record<string, string>>;
  /**
   * Leaves a trace of a request that a provider is asked to serve: should this process be ended before the answer is, the
   * request can still be written down.
   */
  begin(request: FinishedRequest | undefined): void;
  /**
   * Gives back what was set aside and not used, and writes the request down; undefined for one that reached no provider.
   * Never rejects: what cannot be written is logged, so that it can be replayed.
   */
  settle(request: FinishedRequest | undefined): Promise<void>;
}

/** The time of requests, in Unix milliseconds: `from` is inside, `to` outside. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface RecordPage {
  /** In the order of time. */
  readonly records: readonly LedgerRecord[];
  /** Where the next page begins; absent on the last one. */
  readonly after?: string;
}

/** The ledger and its daily sums. Every method may reject; nothing is remembered. */
export interface UsageStore {
  /**
   * Writes a record down; `known` where there is one of its request already. `write` is a name for this write that no
   * other has: whoever does not know whether it took place may repeat it under the same name.
   */
  record(record: LedgerRecord, write: string): Promise<'new' | 'known'>;
  records(
    tenant: string,
    span: Span & { readonly limit: number; readonly after?: string | undefined },
  ): Promise<RecordPage>;
  /** Replaces what a record says of its cost; false where it is not there any more, or says something else by now. */
  reprice(record: LedgerRecord, bill: Pick<LedgerRecord, 'cost' | 'priceFrom'>): Promise<boolean>;
  /** Adds once. Where it rejects, it may have been added all the same. */
  addToCounter(key: CounterKey, counts: Counts): Promise<void>;
  /** The sums of days, `from` and `to` inside. */
  counters(
    tenant: string,
    days: { readonly from: string; readonly to: string },
  ): Promise<readonly DailyCounter[]>;
  /** False, and nothing is changed, where it does not say `known` any more; `known` undefined: there was none. */
  replaceCounter(key: CounterKey, counts: Counts, known: Counts | undefined): Promise<boolean>;
  /** From which day on the ledger still has every record. */
  oldestDay(): string;
}

export type OpenMeter = (key: ApiKey, requestId: string) => RequestMeter;

/** Finds who holds a key. Undefined: unknown, disabled or expired. */
export type FindApiKey = (secret: string) => Promise<FoundApiKey | undefined>;

/** Notes, to the minute, that a key was used. Never rejects, and takes half a second at most. */
export type NoteKeyUse = (key: FoundApiKey) => Promise<void>;

/**
 * A cache of short texts that all processes share, until they expire. A failed read or write is a cache miss: no method
 * rejects.
 */
export interface SharedCache {
  find(key: string): Promise<string | undefined>;
  /** Expires after `lifetimeMs`. */
  set(key: string, text: string, lifetimeMs: number): Promise<void>;
  delete(key: string): Promise<void>;
}

export interface Catalog {
  find(id: string): Promise<Model | undefined>;
  list(): Promise<readonly Model[]>;
}

/** One structured line about a request; never holds a prompt, an answer or a secret. */
export interface Log {
  info(message: string, fields: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields: Readonly<Record<string, unknown>>): void;
  error(message: string, fields: Readonly<Record<string, unknown>>): void;
}
