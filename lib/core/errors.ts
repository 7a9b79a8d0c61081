/**
 * The one error type, and the table of error kinds: status, type and code for the caller, and whether another attempt may
 * succeed.
 */

/** What `routing` may do after a failure of this kind. */
type Recovery =
  /** Nothing: the request itself is wrong, or the response has already started. */
  | 'none'
  /** Fall back to another target. A retry of the same one would fail again. */
  | 'next'
  /** Retry the same target once, then fall back to another one. */
  | 'retry';

export interface Meaning {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly recovery: Recovery;
  /** The wait for `Retry-After` if the failure has none of its own. */
  readonly retryAfterMs?: number;
  /** True: clients should not repeat the request, although they repeat others of this status. */
  readonly isFinal?: true;
}

const caller = (status: number, type: string, code: string | null = null): Meaning => ({
  status,
  type,
  code,
  recovery: 'none',
});

const invalid = 'invalid_request_error';

const meanings = {
  // Caused by the caller's request, or by the gateway.
  invalid_request: caller(400, invalid),
  unsupported_operation: caller(400, invalid, 'unsupported_operation'),
  // Claude Code repeats a 401 ten times, over minutes, unless it is final. Measured with 2.1.330.
  invalid_api_key: { ...caller(401, 'authentication_error', 'invalid_api_key'), isFinal: true },
  insufficient_quota: caller(402, 'insufficient_quota', 'insufficient_quota'),
  permission_denied: caller(403, 'permission_denied_error'),
  not_found: caller(404, 'not_found_error'),
  model_not_found: caller(404, 'not_found_error', 'model_not_found'),
  method_not_allowed: caller(405, invalid, 'method_not_allowed'),
  deadline_exceeded: caller(408, 'request_timeout_error', 'deadline_exceeded'),
  payload_too_large: caller(413, invalid, 'request_too_large'),
  unsupported_media_type: caller(415, invalid, 'unsupported_media_type'),
  // OpenAI's answer to a budget that is used up, for which clients of its SDKs have handlers. It is not worth a retry.
  // Source: openai/openai-python pull request 3507, openai/codex pull request 6340.
  budget_used_up: { ...caller(429, 'insufficient_quota', 'insufficient_quota'), isFinal: true },
  rate_limited: caller(429, 'rate_limit_error', 'rate_limit_exceeded'),
  internal: caller(500, 'internal_server_error'),
  limits_unavailable: {
    ...caller(503, 'service_unavailable_error', 'limits_unavailable'),
    retryAfterMs: 5_000,
  },
  client_closed: caller(499, 'client_closed_request', 'client_closed_request'),
  // Caused upstream. The caller can fix the first four; not the others.
  upstream_bad_request: caller(400, invalid),
  upstream_context_length: caller(400, invalid, 'context_length_exceeded'),
  upstream_content_policy: caller(400, invalid, 'content_policy_violation'),
  // A client's own retries would pay for a new generation each: not a 500.
  upstream_invalid_call: { status: 400, type: invalid, code: 'tool_use_failed', recovery: 'retry' },
  upstream_credentials: { status: 500, type: 'api_error', code: 'provider_credentials', recovery: 'next' },
  upstream_quota: {
    status: 429,
    type: 'rate_limit_error',
    code: 'provider_quota',
    recovery: 'next',
    // A quota recovers within a day or after a payment: a retry each second would be useless.
    retryAfterMs: 60_000,
  },
  upstream_model_missing: {
    status: 503,
    type: 'service_unavailable_error',
    code: 'provider_model',
    recovery: 'next',
  },
  upstream_rate_limited: {
    status: 429,
    type: 'rate_limit_error',
    code: 'provider_rate_limit',
    recovery: 'retry',
  },
  upstream_failed: { status: 500, type: 'api_error', code: 'provider_error', recovery: 'retry' },
  upstream_overloaded: {
    status: 503,
    type: 'service_unavailable_error',
    code: 'provider_overloaded',
    recovery: 'retry',
  },
  upstream_unreachable: {
    status: 503,
    type: 'service_unavailable_error',
    code: 'provider_unreachable',
    recovery: 'retry',
  },
  // A target that hangs is not retried.
  upstream_timeout: {
    status: 503,
    type: 'service_unavailable_error',
    code: 'provider_timeout',
    recovery: 'next',
  },
  upstream_invalid_answer: {
    status: 500,
    type: 'api_error',
    code: 'provider_invalid_answer',
    recovery: 'retry',
  },
  upstream_cut: { status: 500, type: 'api_error', code: 'provider_stream_cut', recovery: 'retry' },
} as const satisfies Record<string, Meaning>;

export type ErrorKind = keyof typeof meanings;

/** The table, for the error reference. */
export const errorKinds: Readonly<Record<ErrorKind, Meaning>> = meanings;

/** Codes that are more specific than those of the table. `docs/errors.md` explains each of them. */
export type SpecificCode =
  | 'all_targets_failed'
  | 'context_length_exceeded'
  | 'item_not_found'
  | 'model_ambiguous'
  | 'model_not_allowed'
  | 'model_not_found'
  | 'operation_not_allowed'
  | 'previous_response_not_found'
  | 'price_unknown'
  | 'tenant_suspended'
  | 'tokens_per_minute_exceeded'
  | 'unsupported_modality';

export interface ErrorDetails {
  /** Path of the field at fault in the caller's body. */
  readonly param?: string | undefined;
  /** The field that upstream named, as a path in the internal request; `withCallerPath` sets `param` from it. */
  readonly upstreamParam?: string | undefined;
  /** Replaces the code of the table. */
  readonly code?: SpecificCode | undefined;
  /** The provider's own code, shown in place of ours. */
  readonly providerCode?: string | undefined;
  /** How long the caller (or, for a provider's failure, the gateway) should wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** When what is used up starts again, in Unix milliseconds. */
  readonly resetsAt?: number | undefined;
  /** The provider's own advice on retries. It overrides the table. */
  readonly mayRetry?: boolean | undefined;
  /** The HTTP status of the provider's response, for the log. */
  readonly upstreamStatus?: number | undefined;
  /** What an error of Anthropic's API had beside its message. */
  readonly anthropic?: AnthropicDetails | undefined;
  /** Of a prompt that is longer than the model's context. */
  readonly promptTokens?: PromptTokens | undefined;
  readonly cause?: unknown;
}

export interface AnthropicDetails {
  readonly type: string;
  /** A plain name. */
  readonly errorCode?: string | undefined;
}

export interface PromptTokens {
  /** Estimated. */
  readonly used?: number;
  /** The model's limit. */
  readonly maximum?: number;
}

/** The body of every error response. */
export interface ErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string | null;
    /** When what is used up starts again, in Unix seconds: under the name that OpenAI's own limits of use have. */
    readonly resets_at?: number;
  };
}

/** Any failure of a known kind. `message` is shown to the caller and contains no secret. */
export class GatewayError extends Error {
  readonly kind: ErrorKind;
  readonly param: string | null;
  readonly upstreamParam: string | undefined;
  readonly code: string | null;
  readonly retryAfterMs: number | undefined;
  readonly resetsAt: number | undefined;
  readonly mayRetry: boolean | undefined;
  readonly upstreamStatus: number | undefined;
  readonly anthropic: AnthropicDetails | undefined;
  readonly promptTokens: PromptTokens | undefined;

  constructor(kind: ErrorKind, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'GatewayError';
    this.kind = kind;
    this.param = details.param ?? null;
    this.upstreamParam = details.upstreamParam;
    this.code = details.providerCode ?? details.code ?? meanings[kind].code;
    this.retryAfterMs = details.retryAfterMs ?? defaultWait(kind);
    this.resetsAt = details.resetsAt;
    this.mayRetry = details.mayRetry;
    this.upstreamStatus = details.upstreamStatus;
    this.anthropic = details.anthropic;
    this.promptTokens = details.promptTokens;
  }

  get status(): number {
    return meanings[this.kind].status;
  }

  get type(): string {
    return meanings[this.kind].type;
  }

  get isFinal(): boolean {
    const meaning: Meaning = meanings[this.kind];
    return meaning.isFinal === true;
  }

  get recovery(): Recovery {
    const { recovery } = meanings[this.kind];
    if (recovery === 'none' || this.mayRetry === undefined) return recovery;
    return this.mayRetry ? 'retry' : 'next';
  }

  /** The same error with other details. */
  with({ message = this.message, ...details }: ErrorDetails & { readonly message?: string }): GatewayError {
    const { upstreamParam, code, retryAfterMs, resetsAt, mayRetry, upstreamStatus, cause } = this;
    const { anthropic, promptTokens } = this;
    const param = this.param ?? undefined;
    const known = { param, upstreamParam, retryAfterMs, resetsAt, mayRetry, upstreamStatus, cause };
    return new GatewayError(this.kind, message, {
      ...known,
      anthropic,
      promptTokens,
      providerCode: code ?? undefined,
      ...details,
    });
  }

  toBody(): ErrorBody {
    const { message, type, param, code, resetsAt } = this;
    const reset = resetsAt === undefined ? {} : { resets_at: Math.ceil(resetsAt / 1000) };
    return { error: { message, type, param, code, ...reset } };
  }
}

function defaultWait(kind: ErrorKind): number | undefined {
  const meaning: Meaning = meanings[kind];
  return meaning.retryAfterMs;
}

export const internalMessage =
  'The gateway had an error while processing your request. Retry the request, and report its x-request-id if the error persists.';

/** Any thrown value as a GatewayError. An unknown error becomes `internal`, without its message. */
export function asGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  return new GatewayError('internal', internalMessage, { cause: thrown });
}
