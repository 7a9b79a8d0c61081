/**
 * What every protocol's `readFailure` needs: waiting times, the meaning of a status and of a provider's words, and errors that are safe to show.
 * The error codes of a protocol are in its folder.
 */

import type { ErrorKind } from '../core/errors/error-kinds.ts';
import { GatewayError } from '../core/errors/errors.ts';
import { maxChoices } from '../core/generation/events.ts';
import { type FieldPaths, renamePath } from '../core/generation/original/source.ts';
import { withProviderMessage } from '../core/names/provider-name.ts';
import { dayMs } from '../core/time.ts';
import { asIndex } from './json.ts';
import { plainNameOf, readLimit, scrubProviderMessage } from './provider-message.ts';

/** The kinds a provider's failure can have. */
export type UpstreamKind = Extract<ErrorKind, `upstream_${string}`>;

/** The error, with the field that it names under its internal name. `names`: the protocol's names that differ. */
export function withInternalNames(error: GatewayError, names: FieldPaths): GatewayError {
  const { upstreamParam: param } = error;
  return param === undefined ? error : error.with({ upstreamParam: renamePath(param, names) });
}

/**
 * The error of a protocol that counts messages in another way than the internal request: what it names in `list` is
 * somewhere in the messages.
 */
export function withoutMessageIndex(error: GatewayError, list: 'messages' | 'input'): GatewayError {
  const [first] = error.upstreamParam?.split(/[.[]/, 1) ?? [];
  return first === list ? error.with({ upstreamParam: 'messages' }) : error;
}

/** A longer wait that a provider asks for counts as this one: a day, the longest that a quota lasts. */
export const maxRetryAfterMs = dayMs;

function atLeastZero(milliseconds: number): number | undefined {
  return Number.isFinite(milliseconds) ? Math.max(0, Math.round(milliseconds)) : undefined;
}

function readNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

/**
 * How long a provider asks to wait, in milliseconds: `retry-after-ms`, else `retry-after` in (decimal) seconds or as an
 * HTTP date. Undefined if there is none in a known format.
 */
export function readRetryAfter(
  headers: Readonly<Record<string, string>>,
  now: number = Date.now(),
): number | undefined {
  const milliseconds = readNumber(headers['retry-after-ms']);
  if (milliseconds !== undefined) return atLeastZero(milliseconds);
  const value = headers['retry-after'];
  const seconds = readNumber(value);
  if (seconds !== undefined) return atLeastZero(seconds * 1000);
  // A date starts with the name of a day; Date.parse alone would also accept `-5`.
  return value !== undefined && /^\s*[A-Za-z]{3}/.test(value)
    ? atLeastZero(Date.parse(value) - now)
    : undefined;
}

/** The kind of failure of an error status, if the body has no further information. */
export function kindOfStatus(status: number): UpstreamKind {
  if (status >= 401 && status <= 403) return 'upstream_credentials';
  if (status === 404) return 'upstream_model_missing';
  if (status === 429) return 'upstream_rate_limited';
  if ([408, 425, 503, 504, 529].includes(status)) return 'upstream_overloaded';
  if ([409, 424].includes(status) || status < 400 || status >= 500) return 'upstream_failed';
  return 'upstream_bad_request';
}

/** Our own sentences. For the first four kinds the provider's message is shown instead, where there is one. */
const sentences: Record<UpstreamKind, string> = {
  upstream_bad_request: 'The provider rejected this request.',
  upstream_context_length: "The request exceeds the model's context window.",
  upstream_content_policy: 'The provider rejected this request because of its content policy.',
  upstream_invalid_call: 'The model wrote a tool call that does not fit its tool.',
  upstream_credentials: "The gateway's credentials for the provider were rejected.",
  upstream_quota: "The gateway's quota with the provider is exhausted.",
  upstream_model_missing: 'The provider does not serve this model.',
  upstream_rate_limited: 'The provider is rate limiting requests. Try again later.',
  upstream_failed: 'The provider failed to process this request.',
  upstream_overloaded: 'The provider is overloaded. Try again later.',
  upstream_unreachable: 'The provider could not be reached.',
  upstream_timeout: 'The provider did not respond in time.',
  upstream_invalid_answer: 'The provider returned a response that could not be read.',
  upstream_cut: 'The provider ended its response before it was complete.',
};

/** Temporary kinds. For the others, headers about limits or a wait are ignored. */
const passing: readonly UpstreamKind[] = ['upstream_rate_limited', 'upstream_overloaded'];

/**
 * A provider's failure as GatewayError. `providerMessage` is shown, scrubbed, and `param` named, if it is a plain name, only
 * if the caller can fix the request; every other kind has its own fixed message. The wait is kept only for temporary kinds.
 */
export function upstreamError(
  kind: UpstreamKind,
  details: {
    readonly providerMessage?: string | undefined;
    /** Path of the field that the provider names, in terms of the internal request. */
    readonly param?: string | undefined;
    readonly upstreamStatus?: number | undefined;
    readonly retryAfterMs?: number | undefined;
    /** The provider's own code, where it may be shown in place of ours. */
    readonly providerCode?: string | undefined;
  } = {},
): GatewayError {
  const { providerMessage, param, providerCode, upstreamStatus, retryAfterMs } = details;
  const wait = retryAfterMs === undefined ? undefined : Math.min(retryAfterMs, maxRetryAfterMs);
  const known = { upstreamStatus, ...(passing.includes(kind) && { retryAfterMs: wait }) };
  if (!withProviderMessage.has(kind)) return new GatewayError(kind, sentences[kind], known);
  const shown = scrubProviderMessage(providerMessage ?? '');
  return new GatewayError(kind, shown === '' ? sentences[kind] : shown, {
    ...known,
    upstreamParam: plainNameOf(param),
    ...(kind === 'upstream_bad_request' && { providerCode: plainNameOf(providerCode) }),
  });
}

/** @throws GatewayError `upstream_invalid_answer` for more choices than anyone can ask for. */
export function readChoiceIndex(value: unknown, position: number): number {
  const index = asIndex(value, position);
  if (index >= maxChoices) throw upstreamError('upstream_invalid_answer');
  return index;
}

/**
 * A provider's own words in an error message. A message may repeat what a caller wrote, and that must not decide what the
 * failure means: status and code come first, and a phrase counts only where the message begins with it. Each matches from
 * the beginning of a message: `^`, and before its phrase only words without quotes, colons and brackets.
 */
export type Phrases = readonly (readonly [RegExp, UpstreamKind])[];

/** What a validator says about a field, which the caller may have named: "<field>: Extra inputs are not permitted". */
const aboutField = /: (?:extra inputs are not permitted|field required|input should be)\b/i;

/** What stands before the words of the model's own server. */
const wrapper = /^(?:the model returned the following errors|invalid request|bad request|error): /i;

/** Whether a message begins with the phrase. */
export function beginsWith(message: string, phrase: RegExp): boolean {
  const words = message.slice(0, readLimit).replace(/\s+/g, ' ').trim();
  return !aboutField.test(words) && phrase.test(words.replace(wrapper, ''));
}

/** The meaning of the first phrase that the message begins with. */
export function kindByWords(message: string, phrases: Phrases): UpstreamKind | undefined {
  return phrases.find(([phrase]) => beginsWith(message, phrase))?.[1];
}

const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
const piece = /(\d{1,20}(?:\.\d{1,20})?)\s{0,9}(ms|h|m|s)/g;
const wholeDuration = /^(?:\d+(?:\.\d+)?\s*(?:ms|h|m|s))+$/;
const inSentence =
  /\b(?:try again|retry|wait)(?: in| after)? (\d[\d.]*) ?((?:ms|h|m|s)\b[\dhms.]*|[hms]\d[\dhms.]*|sec|min)/i;

/** A duration as providers write it (`34.4s`, `1m12s`, `120ms`), in milliseconds; undefined if the text is not one. */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed.length > 40 || !wholeDuration.test(trimmed)) return undefined;
  let total = 0;
  for (const [, amount, unit] of trimmed.matchAll(piece)) total += Number(amount) * (units[unit ?? ''] ?? 0);
  return Math.ceil(total);
}

/** The wait in milliseconds that a message asks for ("Please try again in 7.66s"), or undefined if it asks for none. */
export function findWait(message: string): number | undefined {
  const found = inSentence.exec(message.slice(0, readLimit));
  if (found === null) return undefined;
  const [, amount = '', unit = ''] = found;
  const plain = unit.toLowerCase().replace('sec', 's').replace('min', 'm');
  return parseDuration(`${amount}${plain}`.replace(/\.$/, ''));
}
