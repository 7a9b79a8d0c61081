/**
 * The interfaces of everything outside the process: HTTP, AWS, stores, the log. `lib/runtime` creates the implementations.
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
  /** Throws GatewayError `upstream_timeout` (idle), `upstream_cut` (connection lost) or `client_closed` (aborted). */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Sends one request upstream. Resolves with status and headers; rejects with GatewayError `upstream_unreachable` (DNS, connect,
 * TLS, reset), `upstream_timeout` or `client_closed` (signal aborted). Leaving the body's loop early, or aborting, closes the
 * exchange.
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
 * Calls an action of an AWS service with a JSON protocol (DynamoDB, SSM). `action` is the full target, for example
 * `Service_20240101.Action`. Rejects with AwsError if the service responds with an error.
 *
 * `once`: the action must not be applied twice, so it is retried only after errors that exclude that.
 */
export type AwsCall = (
  action: string,
  input: object,
  options?: { readonly once?: boolean },
) => Promise<Readonly<Record<string, unknown>>>;

/** Throttling errors. The action was not applied. */
const throttling: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'Throttling',
  'ThrottlingException',
  'ThrottledException',
  'TooManyRequestsException',
]);

/** An error response of a service; `type` without namespace, for example `ConditionalCheckFailedException`. */
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

/** The kinds of message parts that are not text. */
export type MediaKind = 'image' | 'file';

/** The bytes of an image or a document. */
export interface FetchedMedia {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'application/pdf';
  readonly base64: string;
}

/**
 * Fetches an image or a document from a caller's URL, for a provider that does not accept URLs. Only https, only public
 * addresses, within limits of size and time; the type is detected by the first bytes. Rejects with GatewayError
 * `invalid_request` for `param`.
 */
export type FetchMedia = (
  url: string,
  options: { readonly kind: MediaKind; readonly param: string; readonly signal?: AbortSignal },
) => Promise<FetchedMedia>;

/** Finds the bearer token of a service account by the JSON text of its key. Rejects with GatewayError `upstream_credentials`. */
export type FindToken = (credentials: string) => Promise<string>;

/** The gateway's credentials and settings for a provider. */
export interface ProviderAccess {
  readonly apiKey?: string;
  /** Replaces the provider's documented base URL, up to and with its version segment. */
  readonly baseUrl?: string;
  /** True if the local sandbox replaces the provider. */
  readonly sandbox?: boolean;
  /** For providers with AWS signatures. */
  readonly sign?: Sign;
  /** For providers with tokens of service accounts. */
  readonly findToken?: FindToken;
  /** The provider's other settings, by name. */
  readonly settings: Readonly<Record<string, string>>;
}

export type FindProviderAccess = (provider: string) => Promise<ProviderAccess>;

/** The facts about an API key that a request needs. */
export interface ApiKey {
  /** The key's name in logs and commands. It is not secret. */
  readonly id: string;
  /** For a rotated key, the id of the first one: all of them share their limits. */
  readonly family?: string;
  readonly tenant: string;
  /** The permissions and limits of the key, and of all keys of its tenant; absent: no restrictions. */
  readonly keyPolicy?: Permissions & { readonly limits?: Limits };
  readonly tenantPolicy?: Permissions & { readonly limits?: Limits; readonly suspended?: true };
}

/** A key with its SHA-256, under which it is stored. The hash is not a credential. */
export interface FoundApiKey extends ApiKey {
  readonly hash: string;
}

/** The maximum use of a request, whichever target answers. */
export interface MaxUse {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In nano-dollars; null: a target has no price. */
  readonly cost: number | null;
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
   * Settles the reservation and records the request; undefined for a request that reached no provider. Never rejects: a record
   * that cannot be written is logged, so that it can be replayed.
   */
  settle(request: FinishedRequest | undefined): Promise<void>;
}

/** A range of time in Unix milliseconds: `from` is included, `to` is not. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface RecordPage {
  /** In order of time. */
  readonly records: readonly LedgerRecord[];
  /** The cursor of the next page; absent on the last one. */
  readonly after?: string;
}

/** The ledger and its daily counters. Every method may reject; nothing is cached. */
export interface UsageStore {
  /**
   * Writes a record; `known` if there already is one of its request. `write` is a unique name of this write: if its outcome is
   * unknown, it may be repeated under the same name.
   */
  record(record: LedgerRecord, write: string): Promise<'new' | 'known'>;
  records(
    tenant: string,
    span: Span & { readonly limit: number; readonly after?: string | undefined },
  ): Promise<RecordPage>;
  /** Replaces the cost of a record; false if it no longer exists or has changed. */
  reprice(record: LedgerRecord, bill: Pick<LedgerRecord, 'cost' | 'priceFrom'>): Promise<boolean>;
  /** Adds once. If it rejects, the counts may have been added. */
  addToCounter(key: CounterKey, counts: Counts): Promise<void>;
  /** The counters of a range of days, with `from` and `to`. */
  counters(
    tenant: string,
    days: { readonly from: string; readonly to: string },
  ): Promise<readonly DailyCounter[]>;
  /** False, without a change, if the counter no longer equals `known`. `known` is undefined if there was none. */
  replaceCounter(key: CounterKey, counts: Counts, known: Counts | undefined): Promise<boolean>;
  /** The first day of which the ledger still has every record. */
  oldestDay(): string;
}

export type OpenMeter = (key: ApiKey, requestId: string) => RequestMeter;

/** Finds an API key. Undefined if it is unknown, disabled or expired. */
export type FindApiKey = (secret: string) => Promise<FoundApiKey | undefined>;

/** Records the last use of a key, to the minute. Never rejects, and takes at most half a second. */
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

/** Writes structured log lines, without prompts, answers or secrets. */
export interface Log {
  info(message: string, fields: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields: Readonly<Record<string, unknown>>): void;
  error(message: string, fields: Readonly<Record<string, unknown>>): void;
}
