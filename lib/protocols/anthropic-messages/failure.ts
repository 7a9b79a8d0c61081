/**
 * What the errors of the Messages API mean: those with an error status, and those inside a stream.
 */
import type { GatewayError } from '../../core/errors/errors.ts';
import { asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { UpstreamFailure } from '../../core/generation/original/protocol.ts';
import {
  kindByWords,
  kindOfStatus,
  type Phrases,
  readRetryAfter,
  type UpstreamKind,
  upstreamError,
} from '../failure.ts';
import { asText, lookUp } from '../json.ts';
import { plainNameOf } from '../provider-message.ts';
import type * as wire from './wire.ts';

const kinds: Record<string, UpstreamKind> = {
  invalid_request_error: 'upstream_bad_request',
  request_too_large: 'upstream_bad_request',
  authentication_error: 'upstream_credentials',
  billing_error: 'upstream_credentials',
  permission_error: 'upstream_credentials',
  not_found_error: 'upstream_model_missing',
  rate_limit_error: 'upstream_rate_limited',
  api_error: 'upstream_failed',
  timeout_error: 'upstream_overloaded',
  overloaded_error: 'upstream_overloaded',
};

/** Bad requests that are something else by their message. */
const phrases: Phrases = [
  [
    /^(?:prompt is too long|input length and .max_tokens. exceed|(?:[\w ,.()-]|'s\b){0,80}\bcontext (?:limit|window))/i,
    'upstream_context_length',
  ],
  [/^[\w ,.-]{0,80}\b(?:content filtering policy|usage polic)/i, 'upstream_content_policy'],
  [
    /^(?:your credit balance|(?:you have (?:reached|exceeded)|this (?:request )?would exceed) your [\w' ]{0,60}(?:usage|spend) limit)/i,
    'upstream_quota',
  ],
  [/^(?:this|your) (?:organization|account) (?:is|has been) (?:disabled|suspended)/i, 'upstream_credentials'],
];

/** Spending limits come as rate limits, but no waiting helps. */
const spent = ['enforced_spend_limit_reached', 'contract_spend_limit_reached'];

/** Fields of one name here and internally: a message that begins with one names the field at fault. */
const sharedNames =
  /^`?(temperature|top_p|max_tokens|tool_choice|tools|metadata|service_tier|seed|n|user|store|logprobs|top_logprobs|logit_bias|frequency_penalty|presence_penalty|reasoning_effort|messages)\b/;

/** What an error status means. */
export function readFailure(failure: UpstreamFailure): GatewayError {
  return readError(parseJson(failure.body), {
    upstreamStatus: failure.status,
    retryAfterMs: readRetryAfter(failure.headers),
  });
}

/** What an error body means; `details` come from the answer's head, where it had an error status. */
export function readError(
  body: unknown,
  details: { readonly upstreamStatus?: number; readonly retryAfterMs?: number | undefined } = {},
): GatewayError {
  const error = asObject<wire.ErrorBody>(asObject<wire.Event>(body).error);
  const message = asText(error.message);
  const kind = kindOf(error, message, details.upstreamStatus);
  const param = kind === 'upstream_bad_request' ? sharedNames.exec(message)?.[1] : undefined;
  const failure = upstreamError(kind, { ...details, providerMessage: message, param });
  const type = asText(error.type);
  // Vertex's own errors have none.
  return type === '' ? failure : failure.with({ anthropic: { type, errorCode: errorCodeOf(error) } });
}

const errorCodeOf = (error: Readonly<Record<string, unknown>>): string | undefined =>
  plainNameOf(asText(asObject<wire.ErrorDetails>(error.details).error_code) || undefined);

function kindOf(error: Readonly<Record<string, unknown>>, message: string, status = 500): UpstreamKind {
  if (spent.includes(asText(asObject<wire.ErrorDetails>(error.details).error_code))) return 'upstream_quota';
  // What a status says of our key or account holds, whatever type stands beside it: the caller cannot fix it.
  if (status >= 401 && status <= 403) return kindOfStatus(status);
  const kind = lookUp(kinds, asText(error.type)) ?? kindOfStatus(status);
  if (kind !== 'upstream_bad_request') return kind;
  return kindByWords(message, phrases) ?? kind;
}
