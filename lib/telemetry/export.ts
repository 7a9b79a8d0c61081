/**
 * Sends bodies to an OTLP endpoint. It never rejects and takes no longer than it may: what cannot be sent is dropped, and counted in
 * the log. Which answers allow another attempt: opentelemetry.io/docs/specs/otlp, "Failures" and "Full Success".
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { withTimeout } from '../async/with-timeout.ts';
import { GatewayError } from '../core/errors/errors.ts';
import { isJsonObject } from '../core/formats/json-object.ts';
import { parseJson } from '../core/formats/parse-json.ts';
import type { Sign } from '../core/ports/aws.ts';
import type { HttpRequest, SendForText, TextResponse } from '../core/ports/http.ts';
import type { Log } from '../core/ports/log.ts';
import type { SignalName, SignalSettings } from './settings.ts';

export interface Payload {
  readonly body: string;
  /** The spans or data points in it. */
  readonly count: number;
}

interface ExportOptions {
  readonly signal: SignalName;
  readonly settings: SignalSettings;
  readonly sendForText: SendForText;
  readonly sign: Sign;
  /** Headers that are stored as secrets. May reject. */
  readonly secretHeaders: () => Promise<Readonly<Record<string, string>>>;
  /** The time in milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

/** `until`: the time in milliseconds at which it must be over. Never rejects. */
export type Export = (payloads: readonly Payload[], until: number) => Promise<void>;

/** Attempts to send a body. */
const maxAttempts = 3;

/** The first pause between two of them, unless the answer names one; each further one is twice as long. */
const firstPauseMs = 250;

/** The answer is read to its end only if it is short. */
const maxCollectorAnswer = 64 * 1024;

/** After a failure nothing is sent for this time; it doubles with each further one, up to the longest. */
const firstRestMs = 30_000;
export const longestRestMs = 300_000;

const compress = promisify(gzip);

/** Why a body was not taken. `rests`: the next one would hardly fare better. */
interface Failure {
  readonly reason: string;
  readonly status?: number;
  readonly mayRetry: boolean;
  readonly rests: boolean;
  /** Milliseconds that the collector asks for. */
  readonly waitMs?: number;
}

export function createExport(options: ExportOptions): Export {
  const { signal, now, log } = options;
  let restUntil = 0;
  let restMs = firstRestMs;
  const drop = (count: number, reason: string, status?: number) =>
    log.warn('telemetry dropped', { signal, count, reason, ...(status !== undefined && { status }) });
  const countOf = (payloads: readonly Payload[]) => payloads.reduce((sum, { count }) => sum + count, 0);
  return async (payloads, until) => {
    for (const [index, payload] of payloads.entries()) {
      const late = now() >= until ? 'too slow' : now() < restUntil ? 'resting' : undefined;
      if (late !== undefined) {
        drop(countOf(payloads.slice(index)), late);
        return;
      }
      const failure = await sendWithRetries(payload, until, options, (count) =>
        drop(count, 'refused in part'),
      );
      if (!failure) {
        restMs = firstRestMs;
        continue;
      }
      drop(payload.count, failure.reason, failure.status);
      if (!failure.rests) continue;
      restUntil = now() + Math.min(Math.max(restMs, failure.waitMs ?? 0), longestRestMs);
      restMs = Math.min(2 * restMs, longestRestMs);
    }
  };
}

async function sendWithRetries(
  payload: Payload,
  until: number,
  options: ExportOptions,
  refused: (count: number) => void,
): Promise<Failure | undefined> {
  const { now } = options;
  for (let attempt = 1; ; attempt += 1) {
    const failure = await sendOnce(payload, until, options, refused);
    const { mayRetry, waitMs = firstPauseMs * 2 ** (attempt - 1) } = failure ?? { mayRetry: false };
    if (!mayRetry || attempt === maxAttempts || now() + waitMs >= until) return failure;
    await sleep(waitMs);
  }
}

async function sendOnce(
  payload: Payload,
  until: number,
  options: ExportOptions,
  refused: (count: number) => void,
): Promise<Failure | undefined> {
  const { signal, settings, sendForText, now } = options;
  const leftMs = () => Math.max(1, until - now());
  const request = await withTimeout(toRequest(payload, options), leftMs(), () => tooSlow);
  if ('reason' in request) return request;
  const firstByteMs = Math.min(settings.timeoutMs, leftMs());
  const timeouts = { connectMs: firstByteMs, firstByteMs, idleMs: firstByteMs };
  try {
    const sent = sendForText(request, { timeouts, maxBytes: maxCollectorAnswer });
    // An answer that comes byte by byte is never idle.
    const response = await withTimeout(sent, leftMs(), () => tooSlow);
    if ('reason' in response) return response;
    if (response.status < 200 || response.status > 299) return failureOf(response, now());
    const count = rejectedIn(response, signal);
    if (count > 0) refused(count);
    return undefined;
  } catch (thrown) {
    const reason = thrown instanceof GatewayError ? thrown.kind : 'not sent';
    // A collector that was reached may have taken the body, which would count twice.
    return { reason, mayRetry: reason === 'upstream_unreachable', rests: true };
  }
}

const tooSlow: Failure = { reason: 'too slow', mayRetry: false, rests: true };

/** What failed is not said with its own words, which may have a header. */
async function toRequest(
  { body }: Payload,
  { settings, sign, secretHeaders }: ExportOptions,
): Promise<HttpRequest | Failure> {
  const { url, headers, isCompressed, signing } = settings;
  const secret = await secretHeaders().catch(() => undefined);
  if (!secret) return { reason: 'headers not read', mayRetry: false, rests: true };
  const request: HttpRequest = {
    method: 'POST',
    url,
    headers: {
      'user-agent': 'model-gateway',
      ...headers,
      ...secret,
      'content-type': 'application/json',
      ...(isCompressed && { 'content-encoding': 'gzip' }),
    },
    body: isCompressed ? await compress(body) : body,
  };
  if (!signing) return request;
  const unsigned = { reason: 'not signed', mayRetry: false, rests: true };
  return await sign(request, signing).catch(() => unsigned);
}

const retryable: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** A body that is refused for what is in it says nothing about the next one. */
const aboutTheBody: ReadonlySet<number> = new Set([400, 413]);

function failureOf({ status, headers }: TextResponse, now: number): Failure {
  const waitMs = waitOf(headers['retry-after'], now);
  return {
    reason: 'refused',
    status,
    mayRetry: retryable.has(status),
    rests: !aboutTheBody.has(status),
    ...(waitMs !== undefined && { waitMs }),
  };
}

/** Seconds, or a date. Source: RFC 9110, section 10.2.3. */
function waitOf(header: TextResponse['headers'][string], now: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  const waitMs = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined;
}

const rejectedNames = { traces: 'rejectedSpans', metrics: 'rejectedDataPoints' } as const;

/** What a collector did not take of a body that it took. Its words about that are not logged. */
function rejectedIn({ text }: TextResponse, signal: SignalName): number {
  const answer = parseJson(text);
  const { partialSuccess } = isJsonObject(answer) ? answer : {};
  const count = isJsonObject(partialSuccess) ? Number(partialSuccess[rejectedNames[signal]]) : 0;
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}
