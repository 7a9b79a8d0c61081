/** The original, which targets of Anthropic's protocol get: the caller's body without what is the gateway's own. */
import type { ReadHeader } from '../../../../core/endpoint.ts';
import { GatewayError } from '../../../../core/errors/errors.ts';
import { isJsonObject, type JsonObject } from '../../../../core/formats/json-object.ts';
import type { OriginalCost, OriginalRequest } from '../../../../core/generation/original/original.ts';
import type { Change } from '../../../../normalization/rule.ts';
import { adaptCalls } from './original-calls.ts';
import { adaptSearches } from './original-searches.ts';
import { type Adapted, adaptThinking } from './original-thinking.ts';

/** Of the header `anthropic-beta`, in characters: a hundred betas. */
const maxBetasLength = 4_096;

/** The others are about an account of Anthropic's, or for the way to it. */
const headerNames = ['anthropic-beta', 'anthropic-version'];

interface ReadOriginal {
  readonly original: OriginalRequest;
  /** What was left out of it. */
  readonly leftOut: readonly Change[];
}

/**
 * `given`: the body as it was sent. `ownFields`: those that are the gateway's.
 *
 * @throws GatewayError `invalid_request` for a header that is too long.
 */
export function readOriginal(
  given: JsonObject,
  header: ReadHeader,
  ownFields: readonly string[] = ['extra'],
  cost?: OriginalCost,
): ReadOriginal {
  const fields = Object.entries(given).filter(([name]) => !ownFields.includes(name));
  const alone = withoutPreviousMessage(Object.fromEntries(fields));
  const searched = adaptSearches(alone.body);
  const called = adaptCalls(searched.body);
  const { body, changes } = adaptThinking(called.body);
  return {
    original: { protocol: 'anthropic-messages', body, headers: readHeaders(header), ...(cost && { cost }) },
    leftOut: [...alone.changes, ...searched.changes, ...called.changes, ...changes],
  };
}

/**
 * Anthropic compares a request with an earlier one of the same account, which all tenants share. Null, as in a first request, asks for
 * no comparison. Source: platform.claude.com, "Cache diagnostics".
 */
function withoutPreviousMessage(body: JsonObject): Adapted {
  const { diagnostics } = body;
  if (!isJsonObject(diagnostics) || diagnostics.previous_message_id == null) return { body, changes: [] };
  const change = {
    param: 'diagnostics.previous_message_id',
    action: 'override',
    before: 'an id',
    after: null,
    reason: "The message may be another tenant's: all tenants share the account at Anthropic.",
  } as const;
  return { body: { ...body, diagnostics: { ...diagnostics, previous_message_id: null } }, changes: [change] };
}

function readHeaders(header: ReadHeader): Record<string, string> {
  const given = headerNames.flatMap((name) => {
    const value = header(name);
    return value === undefined ? [] : [[name, checked(name, value)] as const];
  });
  return Object.fromEntries(given);
}

/** A header that cannot be sent on would fail there, as if the provider could not be reached. */
function checked(name: string, value: string): string {
  if (value.length <= maxBetasLength && /^[\t\x20-\x7e]*$/.test(value)) return value;
  const message = `The header '${name}' may have at most ${maxBetasLength} characters, all of them ASCII.`;
  throw new GatewayError('invalid_request', message, { param: name });
}
