/**
 * How the providers of each protocol refuse, in their own words, and what the caller must get. The words hold what must not
 * reach a caller: keys, accounts, organisations, hosts.
 */

/** What the caller gets when there is no other target. */
const meanings = {
  overloaded: { fallsBack: true, calls: 2, status: 503, type: 'service_unavailable_error' },
  failed: { fallsBack: true, calls: 2, status: 500, type: 'api_error' },
  limited: { fallsBack: true, calls: 2, status: 429, type: 'rate_limit_error' },
  limitedForLong: { fallsBack: true, calls: 1, status: 429, type: 'rate_limit_error' },
  spent: { fallsBack: true, calls: 1, status: 429, type: 'rate_limit_error' },
  credentials: { fallsBack: true, calls: 1, status: 500, type: 'api_error' },
  missing: { fallsBack: true, calls: 1, status: 503, type: 'service_unavailable_error' },
  refused: { fallsBack: false, calls: 1, status: 400, type: 'invalid_request_error' },
} as const;

export interface ProviderFailure {
  readonly provider: string;
  readonly name: string;
  readonly answer: {
    readonly status: number;
    readonly headers?: Record<string, string>;
    readonly body: object;
  };
  readonly meaning: (typeof meanings)[keyof typeof meanings];
}

type Row = readonly [string, keyof typeof meanings, ProviderFailure['answer']];

/** What no message to a caller may hold. */
export const secrets =
  /sk-proj|AIza|org-[A-Z]|Example Works|123456789012|arn:|req_|example\.com|googleapis|amazonaws/;

const account = 'in organization Example Works (org-AbCdEf123456), see https://api.example.com/account';

const openai = (status: number, code: string, message: string, headers = {}) => ({
  status,
  headers,
  body: { error: { message: `${message} ${account}.`, type: 'error', param: null, code } },
});
const anthropic = (status: number, type: string, message: string, headers = {}) => ({
  status,
  headers,
  body: {
    type: 'error',
    error: { type, message: `${message} ${account}.` },
    request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy',
  },
});
const google = (code: number, status: string, message: string, details: readonly object[] = []) => ({
  status: code,
  body: { error: { code, status, message: `${message} AIzaSyA-1234567890abcdefghij ${account}.`, details } },
});
const bedrock = (status: number, type: string, message: string) => ({
  status,
  headers: { 'x-amzn-errortype': `${type}:http://internal.amazonaws.com/` },
  body: { message: `${message} arn:aws:bedrock:us-east-1:123456789012:model/one` },
});

const rows: Readonly<Record<string, readonly Row[]>> = {
  openai: [
    ['overload', 'overloaded', openai(503, 'overloaded', 'The engine is overloaded')],
    ['gateway error', 'failed', openai(502, 'bad_gateway', 'Bad gateway')],
    ['rate limit', 'limited', openai(429, 'rate_limit_exceeded', 'Rate limit reached')],
    [
      'rate limit that lasts',
      'limitedForLong',
      openai(429, 'rate_limit_exceeded', 'Rate limit reached', { 'retry-after': '42' }),
    ],
    [
      'rate limit that is not worth a second try',
      'limitedForLong',
      openai(429, 'rate_limit_exceeded', 'Rate limit reached', { 'x-should-retry': 'false' }),
    ],
    ['billing', 'spent', openai(429, 'insufficient_quota', 'You exceeded your current quota')],
    ['key', 'credentials', openai(401, 'invalid_api_key', 'Incorrect API key: sk-proj-abcdef1234567890')],
    ['permission', 'credentials', openai(403, 'unsupported_country', 'Not allowed')],
    ['model', 'missing', openai(404, 'model_not_found', 'The model does not exist')],
    ['content policy', 'refused', openai(400, 'content_policy_violation', 'Rejected by the safety system')],
    ['context length', 'refused', openai(400, 'context_length_exceeded', 'maximum context length is 8192')],
    ['bad request', 'refused', openai(400, 'invalid_value', "Invalid value for 'temperature'")],
    ['bad request by another status', 'refused', openai(422, 'invalid_value', 'Unprocessable')],
  ],
  anthropic: [
    ['overload', 'overloaded', anthropic(529, 'overloaded_error', 'Overloaded')],
    ['failure', 'failed', anthropic(500, 'api_error', 'Internal server error')],
    ['rate limit', 'limited', anthropic(429, 'rate_limit_error', 'This request would exceed a limit')],
    [
      'rate limit that lasts',
      'limitedForLong',
      anthropic(429, 'rate_limit_error', 'This request would exceed a limit', { 'retry-after': '50' }),
    ],
    ['billing', 'spent', anthropic(400, 'invalid_request_error', 'Your credit balance is too low')],
    ['key', 'credentials', anthropic(401, 'authentication_error', 'invalid x-api-key')],
    ['account', 'credentials', anthropic(402, 'billing_error', 'Billing issue')],
    ['model', 'missing', anthropic(404, 'not_found_error', 'model: one')],
    [
      'content policy',
      'refused',
      anthropic(400, 'invalid_request_error', 'Output blocked by content filtering policy'),
    ],
    ['context length', 'refused', anthropic(400, 'invalid_request_error', 'prompt is too long: 9 > 8')],
    ['bad request', 'refused', anthropic(400, 'invalid_request_error', 'temperature: range: 0..1')],
    ['size', 'refused', anthropic(413, 'request_too_large', 'Request exceeds the maximum size')],
  ],
  google: [
    ['overload', 'overloaded', google(503, 'UNAVAILABLE', 'The model is overloaded')],
    ['failure', 'failed', google(500, 'INTERNAL', 'An internal error has occurred')],
    ['rate limit', 'limited', google(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted')],
    [
      'rate limit that lasts',
      'limitedForLong',
      google(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded', [
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.4s' },
      ]),
    ],
    [
      'quota of a day',
      'spent',
      google(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded', [
        { violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel' }] },
      ]),
    ],
    [
      'key',
      'credentials',
      google(400, 'INVALID_ARGUMENT', 'API key not valid', [{ reason: 'API_KEY_INVALID' }]),
    ],
    ['region', 'credentials', google(400, 'FAILED_PRECONDITION', 'User location is not supported')],
    ['permission', 'credentials', google(403, 'PERMISSION_DENIED', 'Permission denied')],
    ['model', 'missing', google(404, 'NOT_FOUND', 'models/one is not found')],
    ['context length', 'refused', google(400, 'INVALID_ARGUMENT', 'The input token count (9) exceeds it')],
    ['bad request', 'refused', google(400, 'INVALID_ARGUMENT', 'Invalid value at generation_config')],
  ],
  bedrock: [
    ['overload', 'overloaded', bedrock(503, 'ServiceUnavailableException', 'Unavailable')],
    ['failure', 'failed', bedrock(424, 'ModelErrorException', 'The model failed')],
    ['model not ready', 'overloaded', bedrock(429, 'ModelNotReadyException', 'Not ready')],
    ['rate limit', 'limited', bedrock(429, 'ThrottlingException', 'Too many requests')],
    ['quota', 'spent', bedrock(400, 'ServiceQuotaExceededException', 'Your quota is exceeded')],
    ['key', 'credentials', bedrock(403, 'UnrecognizedClientException', 'The security token is invalid')],
    ['permission', 'credentials', bedrock(403, 'AccessDeniedException', 'User is not authorized')],
    ['model', 'missing', bedrock(404, 'ResourceNotFoundException', 'Not found')],
    ['context length', 'refused', bedrock(400, 'ValidationException', 'Input is too long')],
    ['bad request', 'refused', bedrock(400, 'ValidationException', 'temperature is out of range')],
  ],
};

export const providerFailures: readonly ProviderFailure[] = Object.entries(rows).flatMap(([provider, list]) =>
  list.map(([name, meaning, answer]) => ({ provider, name, answer, meaning: meanings[meaning] })),
);
