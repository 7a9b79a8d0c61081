/**
 * What an error of the OpenAI chat protocol means, as a status with a body or inside a stream. Compatible hosts write the
 * body in many shapes: nested, flat, a bare text, or a list of validation findings. Codes that mean something only at one
 * host are in its dialect. The codes here are names that mean the same at every host, also where a router passes them on.
 */
import type { GatewayError } from '../../core/errors/errors.ts';
import { asArray, asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { UpstreamFailure } from '../../core/generation/original/protocol.ts';
import {
  beginsWith,
  findWait,
  kindOfStatus,
  parseDuration,
  readRetryAfter,
  type UpstreamKind,
  upstreamError,
} from '../failure.ts';
import { asOptionalText, asText } from '../json.ts';
import { readLimit } from '../provider-message.ts';
import type { ErrorDialect } from './dialect.ts';
import type * as wire from './wire.ts';

/** The contents of an error body, in whichever shape. */
interface Report {
  readonly message: string;
  /** How the message begins, and what a router quotes from the host behind it: what is searched for signs. */
  readonly texts: readonly string[];
  /** Every code and type the body names. */
  readonly codes: readonly string[];
  readonly code?: string | undefined;
  readonly param?: string | undefined;
  /** The status that the body itself names. */
  readonly status?: number | undefined;
  /** The moderation of a router refused the prompt. */
  readonly flagged: boolean;
}

const quotaCodes = [
  'insufficient_quota',
  'credit_balance_exhausted',
  'organization_spend_limit_exceeded',
  'project_spend_limit_exceeded',
  'organization_usage_limit_exceeded',
  'billing_hard_limit_reached',
  'billing_not_active',
  'exceeded_current_quota_error',
];
const policyCodes = [
  'content_policy_violation',
  'moderation_blocked',
  // From the Responses API: a prompt that is refused for its subject.
  'invalid_prompt',
  'bio_policy',
  'cyber_policy',
  'image_content_policy_violation',
  'content_filter',
  'ResponsibleAIPolicyViolation',
  'data_inspection_failed',
];
const keyCodes = ['invalid_api_key', 'authentication_error'];
const modelCodes = ['model_not_found', 'DeploymentNotFound', 'invalid_model', 'model_not_exist'];

const dailyQuota = /\bper ?day\b|\b(?:tokens|requests) per day\b|\((?:TPD|RPD)\)/i;
const emptyBalance =
  /^(?:your (?:credit|account) balance|insufficient (?:account )?(?:balance|credits?|funds)|(?:credit|account) balance (?:is )?(?:too low|insufficient|exhausted))\b/i;
/** May come with status 403, which otherwise means a key without permission. */
const againstGuidelines = /^[\w ,.-]{0,80}\bviolates usage guidelines\b/i;
const wrongKey =
  /^(?:(?:incorrect|invalid) api key|(?:the |your )?(?:provided )?api key (?:is )?(?:invalid|incorrect|not valid))/i;
/** vLLM names the model's limit after the tokens of the request, so that more words come first. */
const tooLong =
  /^(?:(?:'max_tokens' or 'max_completion_tokens' is too large: \d{1,15}\. )?(?:[\w ,.()-]|'s\b){0,120}\b(?:context (?:length|window|limit)|maximum prompt length|prompt is too long|too large for model|too many (?:input )?tokens|input is too long)|litellm\.ContextWindowExceededError\b)/i;
/** OpenAI's and llama.cpp's. */
const tooLongCodes = ['context_length_exceeded', 'exceed_context_size_error'];

/** What an error status means. */
export function readFailure(
  { status, headers, body }: UpstreamFailure,
  dialect: ErrorDialect = {},
): GatewayError {
  const report = readReport(parseJson(body), dialect);
  return toError(kindOf(status, report, dialect), report, {
    upstreamStatus: status,
    retryAfterMs: readRetryAfter(headers) ?? findWaitIn(report.texts) ?? readReset(headers),
  });
}

/** The error that a successful answer, or a piece of its stream, reports instead of content; undefined for none. */
export function readReportedFailure(
  answer: wire.Answer,
  dialect: ErrorDialect = {},
): GatewayError | undefined {
  if (!reportsFailure(answer, dialect)) return undefined;
  const report = readReport(answer, dialect);
  return toError(kindOf(report.status ?? guessStatus(report.codes), report, dialect), report, {
    retryAfterMs: findWaitIn(report.texts),
  });
}

/** @throws GatewayError for an answer that reports a failure. */
export function refuseReported(answer: wire.Answer, dialect?: ErrorDialect): void {
  const failure = readReportedFailure(answer, dialect);
  if (failure) throw failure;
}

function reportsFailure(answer: wire.Answer, dialect: ErrorDialect): boolean {
  const { error, object, choices, message, code } = answer;
  if ((error ?? null) !== null || object === 'error') return true;
  if ((readReportObject(answer, dialect).code ?? 0) !== 0) return true;
  // Some hosts write it flat.
  return choices === undefined && asOptionalText(message) !== undefined && asOptionalText(code) !== undefined;
}

/** The host's own report object; empty where it has none. */
function readReportObject(
  body: object,
  { reportObject }: ErrorDialect,
): { code?: unknown; message?: unknown } {
  if (reportObject === undefined) return {};
  const report = asObject(asObject(body)[reportObject.object]);
  return { code: report[reportObject.code], message: report[reportObject.message] };
}

function toError(
  kind: UpstreamKind,
  report: Report,
  details: { upstreamStatus?: number; retryAfterMs?: number | undefined },
): GatewayError {
  const { message: providerMessage, param, code: providerCode } = report;
  return upstreamError(kind, { ...details, providerMessage, param, providerCode });
}

function kindOf(status: number, report: Report, dialect: ErrorDialect): UpstreamKind {
  const { codes } = report;
  const own = ownKindOf(status, codes, dialect);
  if (own !== undefined) return own;
  const names = (wanted: readonly string[]): boolean => codes.some((code) => wanted.includes(code));
  const says = (phrase: RegExp): boolean => report.texts.some((text) => beginsWith(text, phrase));
  const refused = [400, 413, 422].includes(status);
  if (names(quotaCodes) || (refused && says(emptyBalance))) return 'upstream_quota';
  if (status === 429 && report.texts.some((text) => dailyQuota.test(text))) return 'upstream_quota';
  if (names(policyCodes) || report.flagged) return 'upstream_content_policy';
  if ((refused || status === 403) && says(againstGuidelines)) return 'upstream_content_policy';
  if (refused && isTooLong(status, report)) return 'upstream_context_length';
  if (names(keyCodes) || (refused && says(wrongKey))) return 'upstream_credentials';
  if (names(modelCodes)) return 'upstream_model_missing';
  // Groq: the model wrote no call where it had to, or one that does not fit the tool. A second try may do better.
  if (names(['tool_use_failed'])) return 'upstream_invalid_call';
  // Proxies in front of hosts use 520 to 529.
  if (status >= 520 && status <= 529) return 'upstream_overloaded';
  if (names(['engine_overloaded_error'])) return 'upstream_overloaded';
  return kindOfStatus(status);
}

/** What the host's own codes and statuses mean; undefined where they mean nothing special. */
function ownKindOf(
  status: number,
  codes: readonly string[],
  { errorCodes = {}, errorStatuses = {} }: ErrorDialect,
): UpstreamKind | undefined {
  const code = codes.find((one) => Object.hasOwn(errorCodes, one));
  return code === undefined ? errorStatuses[status] : errorCodes[code];
}

function isTooLong(status: number, { codes, texts }: Report): boolean {
  const isSaid = texts.some((text) => beginsWith(text, tooLong));
  if (codes.some((code) => tooLongCodes.includes(code)) || isSaid) return true;
  // A prompt over the token limit of one minute is too large for any wait.
  return status === 413 && codes.includes('rate_limit_exceeded');
}

function readReport(body: unknown, dialect: ErrorDialect): Report {
  const whole = asObject<wire.ErrorBody>(Array.isArray(body) ? body[0] : body);
  const inner = typeof whole.error === 'string' ? whole : asObject<wire.ErrorBody>(whole.error ?? whole);
  const metadata = asObject<wire.ErrorMetadata>(inner.metadata);
  const own = readReportObject(whole, dialect);
  const findings = readFindings(asObject<wire.ErrorBody>(inner.message).detail ?? whole.detail);
  const message = asText(inner.message) || asText(whole.error) || asText(own.message) || findings.message;
  const ownCode = own.code === undefined ? undefined : String(own.code);
  // Both spellings are in use.
  const innermost = asObject<wire.ErrorBody>(inner.innererror ?? inner.inner_error);
  const codes = [inner.code, inner.type, whole.code, innermost.code, ownCode].flatMap(
    (code) => asOptionalText(code) ?? [],
  );
  const status = [inner.code, inner.status_code, inner.status].map(Number).find(isErrorStatus);
  return {
    message,
    texts: [message, readQuoted(asText(metadata.raw))].map((text) => text.slice(0, readLimit)),
    codes,
    code: codes.find(isPublicCode),
    param: asOptionalText(inner.param) ?? findings.param ?? namedParam(message),
    status,
    flagged: asArray(metadata.reasons).length > 0,
  };
}

/** The message of the host behind a router: its whole body, as text, or only a sentence. */
function readQuoted(raw: string): string {
  const body = parseJson(raw);
  const whole = asObject<wire.ErrorBody>(Array.isArray(body) ? body[0] : body);
  return (
    asText(asObject<wire.ErrorBody>(whole.error).message) ||
    asText(whole.message) ||
    asText(whole.error) ||
    raw
  );
}

const findWaitIn = (texts: readonly string[]): number | undefined =>
  texts.map(findWait).find((wait) => wait !== undefined);

/** Some hosts name the parameter only in their message, in the spelling of their own code (`presencePenalty`). */
function namedParam(message: string): string | undefined {
  const name = /\bnot support(?:ed on this model:| parameter) ['"`]?(\w{1,64})/.exec(message)?.[1];
  return name?.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A validator's list of findings, or a plain text. */
function readFindings(detail: unknown): { message: string; param?: string | undefined } {
  if (typeof detail === 'string') return { message: detail };
  const findings = asArray(detail).map(asObject<wire.Finding>);
  const path = asArray(findings[0]?.loc).filter((step) => step !== 'body');
  const message = findings.map((finding) => asText(finding.msg)).join('; ');
  return { message, param: path.length > 0 ? path.join('.') : undefined };
}

function isErrorStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 400 && status <= 599;
}

/** Whether a code is a name (some hosts put a status or a sentence there, or only repeat the type). */
function isPublicCode(code: string): boolean {
  return /^[A-Za-z][\w.-]{2,63}$/.test(code) && !/(?:^|_)error$/.test(code);
}

function guessStatus(codes: readonly string[]): number {
  const text = codes.join(' ');
  if (/rate_limit/i.test(text)) return 429;
  if (/overloaded|unavailable|capacity/i.test(text)) return 503;
  if (/authentication|api_key/i.test(text)) return 401;
  if (/permission/i.test(text)) return 403;
  if (/not_found/i.test(text)) return 404;
  return /invalid|bad_request|unsupported|validation|context_length|image/i.test(text) ? 400 : 500;
}

/** When the limit that is used up resets; where none is marked as used up, the earliest reset. */
function readReset(headers: Readonly<Record<string, string>>): number | undefined {
  const names = Object.keys(headers).filter((name) => name.startsWith('x-ratelimit-reset'));
  const usedUp = names.filter((name) => headers[name.replace('reset', 'remaining')] === '0');
  const waits = (usedUp.length > 0 ? usedUp : names).map((name) => readResetValue(headers[name] ?? ''));
  const known = waits.filter((wait) => wait !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}

/** A duration, a number of seconds, or a moment in Unix seconds or milliseconds. */
function readResetValue(value: string): number | undefined {
  if (!/^\d+(?:\.\d+)?$/.test(value)) return parseDuration(value);
  const number = Number(value);
  if (number < 1e9) return Math.ceil(number * 1000);
  return Math.max(0, Math.ceil((number < 1e12 ? number * 1000 : number) - Date.now()));
}
