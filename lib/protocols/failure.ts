/**
 * What every protocol's `readFailure` needs: waiting times, messages that are safe to show, and the meaning of a status.
 * The error codes of a protocol are in its folder.
 */
import { type ErrorKind, GatewayError } from '../core/errors.ts';
import { type FieldPaths, renamePath } from '../core/generation/source.ts';

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

/** Longest part of a provider's message that is looked at, and that is shown. In characters. */
const readLimit = 4000;
export const shownLimit = 500;

const removed = '[removed]';

/** What must not be shown to callers, in the order of removal: the wider patterns come first. */
const secrets: readonly [RegExp, string][] = [
  [/\barn:[\w-]*:\S*/gi, removed],
  [/\b[a-z][a-z0-9+.-]{1,15}:\/\/\S+/gi, removed],
  [/[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g, removed],
  [/\b(bearer|basic)\s+[\w.+/=~-]{8,}/gi, `$1 ${removed}`],
  [/\b(?:sk|pk|rk|gsk|mgw|key|xai|pplx|csk|ak|r8|hf|api)[-_](?=[\w*.-]*[\d*])[\w*.-]{6,}/gi, removed],
  [/\b(?:AIza|ya29\.|AKIA|ASIA|ABSK|AROA|AIDA)[\w*.=/+-]{6,}/g, removed],
  [
    /(\b(?:api[ _-]?key|token|secret|signature)(?: provided)?\s*[:=]\s*)["'`]?(?=\S*\d)[^\s"'`,)]+/gi,
    `$1${removed}`,
  ],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, removed],
  // Organisations, projects and accounts: their ids, then names in quotes, then names with a capital letter.
  [
    /\b(?:org|organization|proj|project|acct|account|wrkspc|workspace|user|tenant)[-_](?=[\w-]*\d)[\w-]{6,}/gi,
    removed,
  ],
  [/\b(projects\/)[\w-]+/gi, `$1${removed}`],
  [/\b(project(?:[ _-]number)?[ :=]+)(?=[\w-]*\d)[\w-]+/gi, `$1${removed}`],
  [
    /\b(organi[sz]ation|workspace|account|project|team|tenant)(\s+(?:name)?\s*[:=]?\s*)(["'`])[^"'`]{1,100}\3/gi,
    `$1$2${removed}`,
  ],
  [
    /\b([Oo]rgani[sz]ation|[Ww]orkspace|[Tt]eam)(\s*[:=]\s*|\s+)(?:[A-Z][\w&-]*[ ,.]?){1,5}/g,
    `$1$2${removed} `,
  ],
  [/\b(?:\d{12}|\d{4}-\d{4}-\d{4})\b/g, removed],
  [
    /\b(?:[a-z0-9-]{1,63}\.)+(?:com|net|org|io|ai|dev|cloud|internal|local|localdomain|app|aws|cn)\b(?::\d+)?/gi,
    removed,
  ],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, removed],
  // IPv6 addresses of eight groups, or with `::` for some of them; a digit distinguishes them from names in code.
  [
    /\[?\b(?=[0-9a-f:]*\d)(?:(?:[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6}|(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4})\b\]?/gi,
    removed,
  ],
  // Any other long random text: secrets without a known format.
  [/\b(?=[\w+/=-]*\d)(?=[\w+/=-]*[A-Za-z])[\w+/=-]{40,}/g, removed],
];

/**
 * A provider's message as a caller may see it: without keys, account ids, resource names, hosts, addresses and
 * organisation names, and at most 500 characters long. Empty for an empty message.
 */
export function scrubProviderMessage(text: string): string {
  const scrubbed = secrets.reduce(
    (message, [pattern, replacement]) => message.replace(pattern, replacement),
    text.slice(0, readLimit),
  );
  const clean = scrubbed.replace(/\s+/g, ' ').trim();
  return clean.length > shownLimit ? `${clean.slice(0, shownLimit - 1)}…` : clean;
}

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

const callersFault: readonly UpstreamKind[] = [
  'upstream_bad_request',
  'upstream_context_length',
  'upstream_content_policy',
  'upstream_invalid_call',
];

/** Temporary kinds. For the others, headers about limits or a wait are ignored. */
const passing: readonly UpstreamKind[] = ['upstream_rate_limited', 'upstream_overloaded'];

/** A longer path is no field of ours, and is not shown. */
const maxParamLength = 200;

/**
 * A provider's failure as GatewayError. `providerMessage` is shown, scrubbed, and `param` named, only if the caller can fix
 * the request; every other kind has its own fixed message. The wait is kept only for temporary kinds.
 */
export function upstreamError(
  kind: UpstreamKind,
  details: {
    readonly providerMessage?: string | undefined;
    /** Path of the field that the provider names, in terms of the internal request. */
    readonly param?: string | undefined;
    readonly upstreamStatus?: number | undefined;
    readonly retryAfterMs?: number | undefined;
  } = {},
): GatewayError {
  const { providerMessage, param, upstreamStatus, retryAfterMs } = details;
  const known = { upstreamStatus, ...(passing.includes(kind) && { retryAfterMs }) };
  if (!callersFault.includes(kind)) return new GatewayError(kind, sentences[kind], known);
  const shown = scrubProviderMessage(providerMessage ?? '');
  const upstreamParam = param !== undefined && param.length <= maxParamLength ? param : undefined;
  return new GatewayError(kind, shown === '' ? sentences[kind] : shown, { ...known, upstreamParam });
}
