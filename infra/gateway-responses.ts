/**
 * What the gateway's front door answers by itself, before or instead of a function, as data: API Gateway's response
 * types in the gateway's own error shape. The CDK stack deploys this table and the local front door answers from it.
 * Failures that a function knows of belong to `lib/core/errors.ts`.
 */
import { internalMessage } from '../lib/core/errors.ts';

export interface GatewayResponse {
  /** API Gateway's name for the failure. */
  readonly type: string;
  /** For the two `DEFAULT_*` rows: the status where API Gateway gives none; otherwise its own is kept. */
  readonly status: number;
  /** Plain text without `$`, `#` or `\`, which a mapping template would read as its own. */
  readonly message: string;
  readonly errorType: string;
  readonly code: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The header that names a request, on every answer. */
export const requestIdHeader = 'x-request-id';

const invalid = 'invalid_request_error';

const response = (
  type: string,
  status: number,
  errorType: string,
  code: string | null,
  message: string,
  headers?: Readonly<Record<string, string>>,
): GatewayResponse => ({ type, status, message, errorType, code, ...(headers && { headers }) });

// No method asks for a signature, so API Gateway complains of one only where it found no route at all.
const notFound = (type: string) =>
  response(
    type,
    404,
    'not_found_error',
    null,
    'Unknown request URL. Check the method and the path, for example POST /v1/chat/completions.',
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
    'Rate limit reached: the gateway receives too many requests. Try again later.',
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
    'The request body is too large. Send a shorter request, or links in place of inline images and files.',
  ),
  response(
    'UNSUPPORTED_MEDIA_TYPE',
    415,
    invalid,
    'unsupported_media_type',
    "The request body must be JSON: set the header 'Content-Type: application/json'.",
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
  internal('INTEGRATION_FAILURE'),
  internal('API_CONFIGURATION_ERROR'),
  internal('AUTHORIZER_CONFIGURATION_ERROR'),
  internal('AUTHORIZER_FAILURE'),
  response('DEFAULT_4XX', 400, invalid, null, 'The request could not be accepted. Check its headers.'),
  internal('DEFAULT_5XX'),
];

/** The JSON text of an answer, in the shape of every error of the gateway. */
export function gatewayResponseBody({ message, errorType, code }: GatewayResponse): string {
  return JSON.stringify({ error: { message, type: errorType, param: null, code } });
}
