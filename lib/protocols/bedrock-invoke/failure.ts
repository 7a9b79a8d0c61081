/**
 * What the errors of InvokeModel mean for Claude: Bedrock's own errors, as those of the Converse API, around the words of the
 * Messages API. Some come in the form of the Messages API itself (anthropics/claude-code issue 49370).
 */
import type { GatewayError } from '../../core/errors/errors.ts';
import { asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { UpstreamFailure } from '../../core/generation/original/protocol.ts';
import { readError, readFailure as readMessagesFailure } from '../anthropic-messages/failure.ts';
import { readFailure as readConverseFailure } from '../bedrock-converse/failure.ts';
import { asText } from '../json.ts';

/** What Bedrock sets before the words of the model's own server. */
const wrapper = /^the model returned the following errors: /i;

export function readFailure(failure: UpstreamFailure): GatewayError {
  const { error } = asObject(parseJson(failure.body));
  if (error !== undefined) return readMessagesFailure(failure);
  const read = readConverseFailure(failure);
  const { kind, upstreamStatus } = read;
  if (kind !== 'upstream_bad_request' || upstreamStatus === undefined) return read;
  const message = messageOf(failure.body);
  return readError({ error: { type: 'invalid_request_error', message } }, { upstreamStatus });
}

/** The words of the model's own server, where an error has them. */
export function messageOf(body: string): string {
  const { message, error } = asObject(parseJson(body));
  return (asText(message) || asText(asObject(error).message)).replace(wrapper, '');
}
