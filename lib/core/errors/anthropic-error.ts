/**
 * Errors as Anthropic's API has them, for the operations that its clients call. The body has the fields of both families of SDKs:
 * Anthropic's read `error.type`, `error.message` and `request_id`, OpenAI's `error.code` and `error.param` too.
 */

import { type ErrorKind, errorKinds } from './error-kinds.ts';
import type { GatewayError } from './errors.ts';
import { promptTooLong } from './prompt-too-long.ts';

interface AnthropicMeaning {
  readonly status: number;
  readonly type: string;
  /** What clients act on, as `error.details.error_code`. */
  readonly errorCode?: string;
}

const invalid = 'invalid_request_error';

/**
 * By our status. Source: platform.claude.com/docs/en/api/errors, and `ErrorType` of @anthropic-ai/sdk 1.12. Its SDKs repeat 408,
 * 409, 429 and everything from 500 on, as OpenAI's do.
 */
const meanings: Readonly<Record<number, AnthropicMeaning>> = {
  400: { status: 400, type: invalid },
  401: { status: 401, type: 'authentication_error' },
  402: { status: 402, type: 'billing_error' },
  403: { status: 403, type: 'permission_error' },
  404: { status: 404, type: 'not_found_error' },
  405: { status: 405, type: invalid },
  408: { status: 408, type: 'timeout_error' },
  409: { status: 409, type: invalid },
  413: { status: 413, type: 'request_too_large' },
  415: { status: 415, type: invalid },
  416: { status: 416, type: invalid },
  429: { status: 429, type: 'rate_limit_error' },
  499: { status: 499, type: invalid },
  500: { status: 500, type: 'api_error' },
  503: { status: 529, type: 'overloaded_error' },
};

const failed: AnthropicMeaning = { status: 500, type: 'api_error' };

/** Anthropic's code for a spending limit, which comes as a rate limit. Source: @anthropic-ai/sdk 1.12, resources/shared. */
const spent = 'enforced_spend_limit_reached';

export function anthropicMeaning(kind: ErrorKind): AnthropicMeaning {
  const meaning = meanings[errorKinds[kind].status] ?? failed;
  return kind === 'budget_used_up' ? { ...meaning, errorCode: spent } : meaning;
}

/** Its own type and code are shown only where the caller's request is at fault: the others are about the operator's account. */
function meaningOf({ kind, anthropic }: GatewayError): AnthropicMeaning {
  const meaning = anthropicMeaning(kind);
  if (!anthropic || meaning.status !== 400) return meaning;
  const own = Object.values(meanings).find(({ type }) => type === anthropic.type) ?? meaning;
  const { errorCode } = anthropic;
  return { status: own.status, type: own.type, ...(errorCode !== undefined && { errorCode }) };
}

export const anthropicStatus = (error: GatewayError): number => meaningOf(error).status;

/** The body of an error response, and the data of the event `error` of a stream. */
export function toAnthropicBody(error: GatewayError, requestId: string): object {
  const { type, errorCode } = meaningOf(error);
  const { param, code, resets_at } = error.toBody().error;
  const unsupported = error.anthropic?.unsupported;
  const details = { error_code: errorCode, ...(unsupported && { unsupported }) };
  return {
    type: 'error',
    error: {
      type,
      message: messageOf(error),
      param,
      code,
      ...(errorCode !== undefined && { details }),
      ...(resets_at !== undefined && { resets_at }),
    },
    request_id: requestId,
  };
}

/** Anthropic's own words stay; ours begin with the path, as Anthropic's do: clients look for it there. */
function messageOf(error: GatewayError): string {
  const { message, param, anthropic } = error;
  const tooLong = promptTooLong(error);
  if (tooLong !== undefined) return tooLong;
  return anthropic?.type !== undefined || param === null || message.startsWith(`${param}:`)
    ? message
    : `${param}: ${withoutName(message, param)}`;
}

/** Without the path in quotes, where the sentence stands without it: "'top_k' must be at least 1." */
function withoutName(message: string, param: string): string {
  const name = `'${param}'`;
  if (message.startsWith(`${name} `)) return message.slice(name.length + 1);
  return message.replace(`: ${name}.`, '.').replace(` for ${name}:`, ':');
}
