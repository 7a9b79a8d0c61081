/** The table of error kinds: status, type and code for the caller, and whether another attempt may succeed. */

/** What `routing` may do after a failure of this kind. */
export type Recovery =
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

const invalid = 'invalid_request_error';
const unavailable = 'service_unavailable_error';

const caller = (status: number, type: string, code: string | null = null): Meaning => ({
  status,
  type,
  code,
  recovery: 'none',
});

/** Of the gateway itself. */
const busy = (code: string, retryAfterMs: number): Meaning => ({
  ...caller(503, unavailable, code),
  retryAfterMs,
});

const types: Readonly<Record<number, string>> = {
  429: 'rate_limit_error',
  500: 'api_error',
  503: unavailable,
};

/** Of a provider. */
const upstream = (status: 429 | 500 | 503, code: string, recovery: Recovery): Meaning => ({
  ...caller(status, types[status] ?? '', code),
  recovery,
});

export const meanings = {
  // Caused by the caller's request, or by the gateway.
  invalid_request: caller(400, invalid),
  unsupported_operation: caller(400, invalid, 'unsupported_operation'),
  guardrail_blocked: caller(400, invalid, 'content_policy_violation'),
  // Claude Code repeats a 401 ten times, over minutes, unless it is final. Measured with 2.1.330.
  invalid_api_key: { ...caller(401, 'authentication_error', 'invalid_api_key'), isFinal: true },
  insufficient_quota: caller(402, 'insufficient_quota', 'insufficient_quota'),
  permission_denied: caller(403, 'permission_denied_error'),
  // Of a tenant's own credential: another one may be tried, but no client has a reason to send the request again.
  own_provider_key: { ...caller(403, 'permission_denied_error', 'own_provider_key'), recovery: 'next' },
  not_found: caller(404, 'not_found_error'),
  model_not_found: caller(404, 'not_found_error', 'model_not_found'),
  method_not_allowed: caller(405, invalid, 'method_not_allowed'),
  deadline_exceeded: caller(408, 'request_timeout_error', 'deadline_exceeded'),
  // A repeated change would meet the same later one: SDKs would repeat it, but for this.
  conflict: { ...caller(409, invalid, 'conflict'), isFinal: true },
  // SDKs send the request again, and then get the answer.
  idempotency_in_progress: { ...caller(409, invalid, 'idempotency_in_progress'), retryAfterMs: 5_000 },
  payload_too_large: caller(413, invalid, 'request_too_large'),
  range_not_satisfiable: caller(416, invalid),
  unsupported_media_type: caller(415, invalid, 'unsupported_media_type'),
  // OpenAI's answer to a budget that is used up, for which clients of its SDKs have handlers. It is not worth a retry.
  // Source: openai/openai-python pull request 3507, openai/codex pull request 6340.
  budget_used_up: { ...caller(429, 'insufficient_quota', 'insufficient_quota'), isFinal: true },
  rate_limited: caller(429, 'rate_limit_error', 'rate_limit_exceeded'),
  internal: caller(500, 'internal_server_error'),
  limits_unavailable: busy('limits_unavailable', 5_000),
  guardrail_unavailable: busy('guardrail_unavailable', 2_000),
  gateway_stopping: busy('gateway_stopping', 1_000),
  server_busy: busy('server_busy', 1_000),
  // At the issuer at which people sign in to the dashboard.
  sign_in_unavailable: busy('sign_in_unavailable', 5_000),
  client_closed: caller(499, 'client_closed_request', 'client_closed_request'),
  // Caused upstream. The caller can fix the first four; not the others.
  upstream_bad_request: caller(400, invalid),
  upstream_context_length: caller(400, invalid, 'context_length_exceeded'),
  upstream_content_policy: caller(400, invalid, 'content_policy_violation'),
  // A client's own retries would pay for a new generation each: not a 500.
  upstream_invalid_call: { ...caller(400, invalid, 'tool_use_failed'), recovery: 'retry' },
  upstream_credentials: upstream(500, 'provider_credentials', 'next'),
  // A quota recovers within a day or after a payment: a retry each second would be useless.
  upstream_quota: { ...upstream(429, 'provider_quota', 'next'), retryAfterMs: 60_000 },
  upstream_model_missing: upstream(503, 'provider_model', 'next'),
  upstream_rate_limited: upstream(429, 'provider_rate_limit', 'retry'),
  upstream_failed: upstream(500, 'provider_error', 'retry'),
  upstream_overloaded: upstream(503, 'provider_overloaded', 'retry'),
  upstream_unreachable: upstream(503, 'provider_unreachable', 'retry'),
  // A target that hangs is not retried.
  upstream_timeout: upstream(503, 'provider_timeout', 'next'),
  upstream_invalid_answer: upstream(500, 'provider_invalid_answer', 'retry'),
  upstream_cut: upstream(500, 'provider_stream_cut', 'retry'),
} satisfies Record<string, Meaning>;

export type ErrorKind = keyof typeof meanings;

/** The table, for the error reference. */
export const errorKinds: Readonly<Record<ErrorKind, Meaning>> = meanings;
