/** The name that a provider gives to its failure, for the log. */
import type { GatewayError } from '../core/errors/errors.ts';
import { asObject } from '../core/formats/json-object.ts';
import { parseJson } from '../core/formats/parse-json.ts';
import type { UpstreamFailure } from '../core/generation/original/protocol.ts';
import { isShortName } from '../core/names/short-name.ts';
import { isRefusal } from '../routing/combine-failures.ts';

/**
 * The error with the provider's own code, if that is a plain name: AWS has it in a header, Google as `status`, others as `code` or `type`.
 * The refusal of a request may name what the caller wrote, so it has none.
 */
export function withUpstreamCode(error: GatewayError, failure: UpstreamFailure): GatewayError {
  if (isRefusal(error)) return error;
  const upstreamCode = namesOf(failure).map(bareName).find(isShortName);
  return upstreamCode === undefined ? error : error.with({ upstreamCode });
}

function namesOf({ headers, body }: UpstreamFailure): readonly unknown[] {
  const answer = asObject(parseJson(body));
  const error = asObject(answer.error);
  const nested = [error.code, error.status, error.type];
  return [headers['x-amzn-errortype'], ...nested, answer.code, answer.type, answer.__type, answer.error];
}

/** AWS writes a namespace before the name (`…#Name`), and an address behind it (`Name:…`). */
const bareName = (name: unknown): unknown =>
  typeof name === 'string' ? name.replace(/^.*#/, '').replace(/:.*$/, '') : undefined;
