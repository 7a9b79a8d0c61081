/** Reads errors of Cohere. Their body is only a message, so status and wording decide. */
import type { GatewayError } from '../../core/errors.ts';
import type { UpstreamFailure } from '../../core/generation/protocol.ts';
import { renamePath } from '../../core/generation/source.ts';
import { parseJson } from '../../core/parse-json.ts';
import { kindOfStatus, readRetryAfter, type UpstreamKind, upstreamError } from '../failure.ts';
import { asObject, asText } from '../json.ts';

/** Meanings that a message has, whatever the status. */
const messages: readonly [RegExp, UpstreamKind][] = [
  [/^too many tokens/i, 'upstream_context_length'],
  [/invalid api token|no api key/i, 'upstream_credentials'],
  // A trial key's monthly allowance: waiting for a minute does not help.
  [/trial key.*\bmonth|calls? ?\/ ?month|per month/i, 'upstream_quota'],
];

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
  const message = asText(asObject(parseJson(body)).message);
  const kind = kindOf(status, message);
  return upstreamError(kind, {
    providerMessage: message,
    param: kind === 'upstream_bad_request' ? readParam(message) : undefined,
    upstreamStatus: status,
    retryAfterMs: readRetryAfter(headers),
  });
}

function kindOf(status: number, message: string): UpstreamKind {
  const known = status < 500 ? messages.find(([pattern]) => pattern.test(message))?.[1] : undefined;
  return known ?? statuses[status] ?? kindOfStatus(status);
}

/** The field that a message names in quotes. */
function readParam(message: string): string | undefined {
  const name = /(?:parameter|field|specify) (?:both )?['"`]([a-z_][\w.]{0,63})['"`]/i.exec(message)?.[1];
  return name === undefined ? undefined : renamePath(name, internalNames);
}
