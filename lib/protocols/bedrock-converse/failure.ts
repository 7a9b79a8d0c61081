/** Reads errors of the Converse API: those with an error status, and exceptions inside a stream. */
import type { GatewayError } from '../../core/errors/errors.ts';
import { asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { Frame, UpstreamFailure } from '../../core/generation/original/protocol.ts';
import { renamePath } from '../../core/generation/original/source.ts';
import {
  kindByWords,
  kindOfStatus,
  type Phrases,
  readRetryAfter,
  type UpstreamKind,
  upstreamError,
} from '../failure.ts';
import { asOptionalText, asText, lookUp } from '../json.ts';
import type * as wire from './wire.ts';

const kinds: Record<string, UpstreamKind> = {
  ValidationException: 'upstream_bad_request',
  ServiceQuotaExceededException: 'upstream_quota',
  AccessDeniedException: 'upstream_credentials',
  ExpiredTokenException: 'upstream_credentials',
  UnrecognizedClientException: 'upstream_credentials',
  InvalidSignatureException: 'upstream_credentials',
  IncompleteSignatureException: 'upstream_credentials',
  MissingAuthenticationTokenException: 'upstream_credentials',
  ResourceNotFoundException: 'upstream_model_missing',
  ModelTimeoutException: 'upstream_overloaded',
  ModelErrorException: 'upstream_failed',
  ModelStreamErrorException: 'upstream_failed',
  ThrottlingException: 'upstream_rate_limited',
  ModelNotReadyException: 'upstream_overloaded',
  InternalServerException: 'upstream_failed',
  ServiceUnavailableException: 'upstream_overloaded',
};

/** Bad requests that are something else by their message. */
const phrases: Phrases = [
  [
    /^(?:(?:[\w ,.()-]|'s\b){0,80}\b(?:input is too long|too many (?:input )?tokens|prompt is too long|context (?:limit|window|length))|input length and .max_tokens. exceed)/i,
    'upstream_context_length',
  ],
  [/^[\w ,.-]{0,80}\bcontent filter/i, 'upstream_content_policy'],
  // The name of the model comes from the catalog, not from the caller.
  [
    /^(?:the provided model identifier is invalid|invocation of model id \S{1,300} with on-demand throughput|(?:this |the )?model (?:version )?has reached the end)/i,
    'upstream_model_missing',
  ],
];

const internalNames = {
  topP: 'top_p',
  maxTokens: 'max_completion_tokens',
  stopSequences: 'stop',
  toolChoice: 'tool_choice',
};

/** The rejected field: one that a model does not know, or one whose value the protocol does not support. */
const fieldAtFault =
  /extraneous key \[(\w{1,64})\]|\bat '(?:\w+\.)?(?:inferenceConfig|toolConfig)\.(\w{1,64})/;

/** What an error status means. */
export function readFailure(failure: UpstreamFailure): GatewayError {
  const body = asObject<wire.Exception>(parseJson(failure.body));
  const message = asText(body.message ?? body.Message);
  const type = asOptionalText(failure.headers['x-amzn-errortype']) ?? asText(body.__type);
  return upstreamError(kindOf(type, message, failure.status), {
    providerMessage: message,
    param: readParam(message),
    upstreamStatus: failure.status,
    retryAfterMs: readRetryAfter(failure.headers),
  });
}

function readParam(message: string): string | undefined {
  const [, unknown, refused] = fieldAtFault.exec(message) ?? [];
  const name = unknown ?? refused;
  return name === undefined ? undefined : renamePath(name, internalNames);
}

/** What an exception inside a stream means. */
export function readException(frame: Frame): GatewayError {
  const body = asObject<wire.Exception>(parseJson(frame.data));
  const message = asText(body.message ?? body.originalMessage);
  const type = frame.event.charAt(0).toUpperCase() + frame.event.slice(1);
  return upstreamError(kindOf(type, message, 500), { providerMessage: message });
}

/** `type` may have a namespace before it (`…#Type`) and an address behind it (`Type:…`). */
function kindOf(type: string, message: string, status: number): UpstreamKind {
  const name = type.replace(/^.*#/, '').replace(/:.*$/, '');
  const kind = lookUp(kinds, name) ?? kindOfStatus(status);
  // A day's tokens do not come back by waiting a little.
  if (kind === 'upstream_rate_limited' && /per day|daily/i.test(message)) return 'upstream_quota';
  if (kind !== 'upstream_bad_request') return kind;
  return kindByWords(message, phrases) ?? kind;
}
