/**
 * The answers that API Gateway gives without a function: its response types in the gateway's error shape. The CDK stack
 * deploys this table, and the local server answers from it. Failures in a function are in `lib/core/errors/errors.ts`.
 */
import { internalMessage } from '../../lib/core/errors/errors.ts';

export interface GatewayResponse {
  /** API Gateway's name for the failure. */
  readonly type: string;
  /** In the two `DEFAULT_*` rows, used only if API Gateway has no status of its own. */
  readonly status: number;
  /** Plain text without `$`, `#` or `\`, which have a meaning in a mapping template. */
  readonly message: string;
  readonly errorType: string;
  readonly code: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The headers with the request id, on every one of these answers: that of OpenAI's SDKs, and that of Anthropic's. */
export const requestIdHeaders = ['x-request-id', 'request-id'] as const;

/** Their SDKs append `/v1/messages`, and OpenAI's `/chat/completions`. */
export const anthropicBaseUrl = 'The base URL of Anthropic clients, such as Claude Code, ends before /v1.';

const invalid = 'invalid_request_error';

const response = (
  type: string,
  status: number,
  errorType: string,
  code: string | null,
  message: string,
  headers?: Readonly<Record<string, string>>,
): GatewayResponse => ({ type, status, message, errorType, code, ...(headers && { headers }) });

// No method requires a signature, so API Gateway reports a missing one only for an unknown route.
const notFound = (type: string) =>
  response(
    type,
    404,
    'not_found_error',
    null,
    `Unknown request URL. The base URL ends in /v1, and slashes are single: for example, POST /v1/chat/completions. ${anthropicBaseUrl}`,
  );

const denied = (type: string) =>
  response(
    type,
    403,
    'permission_denied_error',
    null,
    'This request was blocked before it reached the gateway.',
  );

const internal = (type: string) => response(type, 500, 'internal_server_error', null, internalMessage);

const throttled = (type: string, waitSeconds: number) =>
  response(
    type,
    429,
    'rate_limit_error',
    'rate_limit_exceeded',
    'Rate limit of the gateway reached. Retry after the time in the Retry-After header.',
    { 'Retry-After': String(waitSeconds) },
  );

export const gatewayResponses: readonly GatewayResponse[] = [
  notFound('MISSING_AUTHENTICATION_TOKEN'),
  notFound('INVALID_SIGNATURE'),
  notFound('EXPIRED_TOKEN'),
  notFound('RESOURCE_NOT_FOUND'),
  response('BAD_REQUEST_BODY', 400, invalid, null, 'The request body is not valid. Send JSON in UTF-8.'),
  response('BAD_REQUEST_PARAMETERS', 400, invalid, null, 'The request parameters are not valid.'),
  response(
    'UNAUTHORIZED',
    401,
    'authentication_error',
    'invalid_api_key',
    "Missing API key: send it in the header 'Authorization: Bearer <API key>'.",
    { 'WWW-Authenticate': 'Bearer' },
  ),
  denied('ACCESS_DENIED'),
  denied('INVALID_API_KEY'),
  denied('WAF_FILTERED'),
  response(
    'REQUEST_TOO_LARGE',
    413,
    invalid,
    'request_too_large',
    'The request body is too large: at most 10 MB reach API Gateway, and 6 MB Lambda, which is 4.5 MB of a form with files. Send a shorter request, or URLs in place of images, audio and files; a file for later in parts of 4 MB with POST /v1/uploads.',
  ),
  response(
    'UNSUPPORTED_MEDIA_TYPE',
    415,
    invalid,
    'unsupported_media_type',
    "The request body must be JSON: set the header 'Content-Type: application/json'. If it is compressed, the header 'Content-Encoding' must be gzip or deflate.",
  ),
  throttled('THROTTLED', 1),
  throttled('QUOTA_EXCEEDED', 60),
  response(
    'INTEGRATION_TIMEOUT',
    503,
    'service_unavailable_error',
    'gateway_timeout',
    'The gateway did not respond in time. Try again.',
  ),
  // A function answers its own failures: this one was not started, for want of concurrency, or ended in the middle. Source: re:Post,
  // "api-gateway-internal-server-error", of functions that are throttled.
  response(
    'INTEGRATION_FAILURE',
    503,
    'service_unavailable_error',
    null,
    'The gateway could not run this request: too many run at the same time, or its process ended early. Try again in a moment.',
    { 'Retry-After': '1' },
  ),
  internal('API_CONFIGURATION_ERROR'),
  internal('AUTHORIZER_CONFIGURATION_ERROR'),
  internal('AUTHORIZER_FAILURE'),
  response('DEFAULT_4XX', 400, invalid, null, 'The request could not be accepted. Check its headers.'),
  internal('DEFAULT_5XX'),
];

const unknownAdminPath = (type: string) =>
  response(
    type,
    404,
    'not_found_error',
    null,
    'Unknown request URL. GET /admin/v1/openapi.json describes the operations.',
  );

const signedOut = (type: string) =>
  response(type, 401, 'authentication_error', 'signed_out', 'You are not signed in, or no longer: sign in.', {
    'WWW-Authenticate': 'Bearer',
  });

/** Rows that differ where people sign in. */
const ofPeople: readonly GatewayResponse[] = [
  unknownAdminPath('MISSING_AUTHENTICATION_TOKEN'),
  unknownAdminPath('INVALID_SIGNATURE'),
  unknownAdminPath('RESOURCE_NOT_FOUND'),
  signedOut('EXPIRED_TOKEN'),
  signedOut('UNAUTHORIZED'),
];

/** The same for the API of the dashboard. */
export const adminGatewayResponses: readonly GatewayResponse[] = gatewayResponses.map(
  (usual) => ofPeople.find(({ type }) => type === usual.type) ?? usual,
);

/** To a request that the server stops before its end. */
export const stoppingMessage = 'The gateway restarts, and the request could not end before that. Try again.';

/** Further rows, of the server alone: API Gateway has no such types. */
export const serverResponses: readonly GatewayResponse[] = [
  response(
    'SERVER_BUSY',
    503,
    'service_unavailable_error',
    'server_busy',
    'The gateway has no memory left for this request while it serves others. Try again in a moment.',
    { 'Retry-After': '1' },
  ),
  response('SERVER_STOPPING', 503, 'service_unavailable_error', 'gateway_stopping', stoppingMessage, {
    'Retry-After': '1',
  }),
];

/**
 * The JSON text of an answer. A template is one for all paths, so it has what the SDKs of both families read: OpenAI's `error.code`
 * and `error.param`, Anthropic's `type` and `request_id`.
 */
export function gatewayResponseBody(
  { message, errorType, code }: GatewayResponse,
  requestId: string,
): string {
  return JSON.stringify({
    type: 'error',
    error: { type: errorType, message, param: null, code },
    request_id: requestId,
  });
}
