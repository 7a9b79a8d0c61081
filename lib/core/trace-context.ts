/**
 * Which trace a request belongs to, as callers and providers name it in `traceparent` and `tracestate`, and the ids of its spans.
 * Ids follow from the id of the request, so that all who make the spans of a request make the same ones. Source: W3C, Trace
 * Context (www.w3.org/TR/trace-context), sections 3.2 and 3.3.
 */
import { hash } from 'node:crypto';

export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** The caller's span, 16 hexadecimal digits; absent: the trace begins here. */
  readonly parentId?: string;
  /** The last two bits: whether it is sampled, and whether the id of the trace is random. */
  readonly flags: number;
  /** What the systems before this one have added, in their order. */
  readonly state?: string;
}

/** Characters of `tracestate`; a longer one is left out, as the specification allows. */
export const maxTraceState = 512;

/** Entries of `tracestate`. */
export const maxTraceStateEntries = 32;

const sampled = 1;
const random = 2;

export const isSampled = ({ flags }: TraceContext): boolean => (flags & sampled) !== 0;

/** The trace of a request whose caller names none. It is sampled. */
export const ownTrace = (requestId: string): TraceContext => ({
  traceId: traceIdOf(requestId),
  flags: sampled,
});

const parentFormat = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const zeros = /^0+$/;

/** The caller's trace; undefined if the headers name none that is valid. `parents`: one value for each header. */
export function readTrace(
  parents: readonly string[],
  states: readonly string[] = [],
): TraceContext | undefined {
  const [parent = ''] = parents;
  if (parents.length !== 1) return undefined;
  const [, version, traceId = '', parentId = '', flags = '', more] = parentFormat.exec(parent) ?? [];
  // Later versions may have more fields, and this one has none.
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (zeros.test(traceId) || zeros.test(parentId)) return undefined;
  const state = readState(states);
  return {
    traceId,
    parentId,
    flags: Number.parseInt(flags, 16) & (sampled | random),
    ...(state !== undefined && { state }),
  };
}

const stateKey = /^(?:[a-z0-9][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})$/;
const stateValue = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/** The entries of all headers as one; undefined if one of them is not valid, or they are too many. */
function readState(states: readonly string[]): string | undefined {
  const text = states.join(',');
  if (text === '' || text.length > maxTraceState) return undefined;
  const entries = text.split(',').flatMap((entry) => entry.trim() || []);
  const keys = new Set(entries.map((entry) => entry.slice(0, entry.indexOf('='))));
  const isValid = entries.every((entry) => {
    const at = entry.indexOf('=');
    return stateKey.test(entry.slice(0, at)) && stateValue.test(entry.slice(at + 1));
  });
  const isFew = entries.length > 0 && entries.length <= maxTraceStateEntries;
  return isFew && isValid && keys.size === entries.length ? entries.join(',') : undefined;
}

/** The value of `traceparent` for what `spanId` calls. */
export const parentHeader = ({ traceId, flags }: TraceContext, spanId: string): string =>
  `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** That of most requests is its own id, so that one is found by the other. */
function traceIdOf(requestId: string): string {
  return uuid.test(requestId) ? requestId.replaceAll('-', '') : hash('sha256', requestId).slice(0, 32);
}

/** The id of a span: 0 is the request, and 1 its first attempt. */
export const spanIdOf = (requestId: string, index: number): string =>
  hash('sha256', `${requestId}/${index}`).slice(0, 16);
