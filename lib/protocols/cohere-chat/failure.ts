/** Reads errors of Cohere. Their body is only a message, so the status decides, and how the message begins. */
import type { GatewayError } from '../../core/errors/errors.ts';
import { asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { UpstreamFailure } from '../../core/generation/original/protocol.ts';
import { renamePath } from '../../core/generation/original/source.ts';
import {
  kindByWords,
  kindOfStatus,
  type Phrases,
  readRetryAfter,
  type UpstreamKind,
  upstreamError,
} from '../failure.ts';
import { asText } from '../json.ts';
import type * as wire from './wire.ts';

/** Meanings that a message has with any status of the caller's. */
const phrases: Phrases = [
  [/^too many tokens/i, 'upstream_context_length'],
  [/^(?:invalid api token|no api key)/i, 'upstream_credentials'],
];

/** A trial key's monthly allowance: waiting for a minute does not help. */
const monthly = /\bcalls? ?\/ ?month|\bper month/i;

const statuses: Readonly<Record<number, UpstreamKind>> = {
  402: 'upstream_quota',
  // The prompt holds words that are on a list of forbidden ones.
  498: 'upstream_content_policy',
  499: 'upstream_failed',
};

const internalNames = {
  p: 'top_p',
  stop_sequences: 'stop',
  thinking: 'reasoning_effort',
};

export function readFailure({ status, headers, body }: UpstreamFailure): GatewayError {
  const message = asText(asObject<wire.ErrorBody>(parseJson(body)).message);
  const kind = kindOf(status, message);
  return upstreamError(kind, {
    providerMessage: message,
    param: kind === 'upstream_bad_request' ? readParam(message) : undefined,
    upstreamStatus: status,
    retryAfterMs: readRetryAfter(headers),
  });
}

function kindOf(status: number, message: string): UpstreamKind {
  if (status === 429 && monthly.test(message)) return 'upstream_quota';
  const known = status < 500 ? kindByWords(message, phrases) : undefined;
  return known ?? statuses[status] ?? kindOfStatus(status);
}

/** The field that a message names in quotes. */
function readParam(message: string): string | undefined {
  const name = /(?:parameter|field|specify) (?:both )?['"`]([a-z_][\w.]{0,63})['"`]/i.exec(message)?.[1];
  return name === undefined ? undefined : renamePath(name, internalNames);
}
