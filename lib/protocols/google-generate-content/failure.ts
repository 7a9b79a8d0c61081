/**
 * Reads errors of Google's protocol, as a status with a body or inside a stream:
 * `{error: {code, message, status, details: [{@type, …}]}}`, at times in a list of one.
 */
import type { GatewayError } from '../../core/errors/errors.ts';
import { asArray, asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { UpstreamFailure } from '../../core/generation/original/protocol.ts';
import { renamePath } from '../../core/generation/original/source.ts';
import {
  beginsWith,
  findWait,
  kindOfStatus,
  parseDuration,
  readRetryAfter,
  type UpstreamKind,
  upstreamError,
} from '../failure.ts';
import { asOptionalText, asText, lookUp } from '../json.ts';
import { readLimit } from '../provider-message.ts';
import type * as wire from './wire.ts';

interface Report {
  readonly message: string;
  /** Google's name of the status, for example `RESOURCE_EXHAUSTED`. */
  readonly name: string;
  /** The HTTP status that the body names. */
  readonly status: number | undefined;
  readonly details: readonly wire.StatusDetail[];
}

const tooLong =
  /^[\w ,.()-]{0,80}\b(?:input token count|exceeds the maximum number of (?:input )?tokens|token limit exceeded)/i;
const wrongKey = /^api key (?:not valid|expired|not found)/i;
const blocked =
  /^[\w ,.()-]{0,80}\b(?:blocked by [\w ,'-]{0,80}(?:safety|policy)|prohibited content|content policy)/i;

/** What an error status means. */
export function readFailure({ status, headers, body }: UpstreamFailure): GatewayError {
  const parsed = parseJson(body);
  const report = readReport(asObject<wire.Answer>(Array.isArray(parsed) ? parsed[0] : parsed));
  const retryAfterMs = readRetryAfter(headers) ?? readRetryInfo(report);
  return toError(kindOf(status, report), report, { upstreamStatus: status, retryAfterMs });
}

/** The error that a successful answer, or a piece of its stream, reports instead of content; undefined for none. */
export function readReportedFailure(answer: wire.Answer): GatewayError | undefined {
  if ((answer.error ?? null) === null) return undefined;
  const report = readReport(answer);
  const status = report.status ?? lookUp(statuses, report.name) ?? 500;
  return toError(kindOf(status, report), report, { retryAfterMs: readRetryInfo(report) });
}

const statuses: Readonly<Record<string, number>> = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  RESOURCE_EXHAUSTED: 429,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
};

function readReport(answer: wire.Answer): Report {
  const error = asObject<wire.Status>(answer.error);
  const status = Number(error.code);
  return {
    message: (asText(error.message) || asText(answer.error)).slice(0, readLimit),
    name: asText(error.status),
    status: status >= 400 && status <= 599 ? status : undefined,
    details: asArray(error.details).map(asObject<wire.StatusDetail>),
  };
}

function kindOf(status: number, report: Report): UpstreamKind {
  const { name, message, details } = report;
  if (details.some((detail) => /^API_KEY_/.test(asText(detail.reason))) || beginsWith(message, wrongKey)) {
    return 'upstream_credentials';
  }
  // Google's wording for a region without access, or a gateway key without a billing account.
  if (name === 'FAILED_PRECONDITION') return 'upstream_credentials';
  if (status === 400 && beginsWith(message, tooLong)) return 'upstream_context_length';
  if (status === 400 && beginsWith(message, blocked)) return 'upstream_content_policy';
  if (status === 429 && isDaily(details)) return 'upstream_quota';
  if (status >= 520 && status <= 529) return 'upstream_overloaded';
  return status === 499 ? 'upstream_failed' : kindOfStatus(status);
}

/** A quota for a day: waiting some seconds does not help. */
function isDaily(details: readonly wire.StatusDetail[]): boolean {
  return details
    .flatMap((detail) => asArray(detail.violations))
    .some((violation) => /PerDay/i.test(asText(asObject<wire.Violation>(violation).quotaId)));
}

function readRetryInfo({ details, message }: Report): number | undefined {
  const delay = details.map((detail) => asOptionalText(detail.retryDelay)).find((text) => text !== undefined);
  return delay === undefined ? findWait(message) : parseDuration(delay);
}

function toError(
  kind: UpstreamKind,
  report: Report,
  details: { upstreamStatus?: number; retryAfterMs?: number | undefined },
): GatewayError {
  return upstreamError(kind, {
    ...details,
    providerMessage: report.message,
    param: kind === 'upstream_bad_request' ? findParam(report) : undefined,
  });
}

/** Google's names that differ from the internal ones by more than their case. */
const internalNames = {
  max_output_tokens: 'max_completion_tokens',
  stop_sequences: 'stop',
  candidate_count: 'n',
  response_logprobs: 'logprobs',
  logprobs: 'top_logprobs',
  response_json_schema: 'response_format',
  response_mime_type: 'response_format',
  thinking_config: 'reasoning_effort',
};

/** The internal name of the generation setting at fault, where Google names one. */
function findParam({ message, details }: Report): string | undefined {
  const unknown = /Unknown name \\?"([\w.]{1,64})\\?"/.exec(message)?.[1];
  if (unknown !== undefined) return unknown;
  const field = details
    .flatMap((detail) => asArray(detail.fieldViolations))
    .map((violation) => asOptionalText(asObject<wire.Violation>(violation).field))
    .find((name) => name !== undefined);
  const setting = /^generation_?config\.([a-z_]+)/i.exec(field ?? '')?.[1];
  const name = setting?.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return name === undefined ? undefined : renamePath(name, internalNames);
}
