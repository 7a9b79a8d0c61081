/**
 * The header `anthropic-beta`. Places other than Anthropic's own know fewer betas, and refuse a request for one that they do not
 * know, though most clients name what they can do and not what they need.
 *
 * Sources: BerriAI/litellm pull request 22321 (Vertex takes the header, and not a field of the body), anthropics/claude-code
 * issue 34802 (its refusal).
 */
import type { GatewayError } from '../../core/errors.ts';
import type { UpstreamFailure } from '../../core/generation/protocol.ts';
import { parseJson } from '../../core/parse-json.ts';
import { asObject, asText } from '../json.ts';

const refusal = /^Unexpected value\(s\) ((?:`[\w.-]{1,100}`,? *){1,100}) ?for the `anthropic-beta` header/;

/** The error, with the betas that it names as unknown. */
export function withRejectedBetas(error: GatewayError, { body }: UpstreamFailure): GatewayError {
  const named = refusal.exec(asText(asObject(asObject(parseJson(body)).error).message))?.[1];
  const { anthropic } = error;
  if (named === undefined || !anthropic) return error;
  const rejectedBetas = named.match(/[\w.-]+/g) ?? [];
  return error.with({ anthropic: { ...anthropic, rejectedBetas } });
}
