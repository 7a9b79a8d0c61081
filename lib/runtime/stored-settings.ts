/**
 * The settings of all providers in the parameter store, read together: one call of a new process, and one every five minutes, however
 * many providers it calls. The last ones that were read are used while the store fails.
 */
import { retry } from '../async/retry.ts';
import { type AwsCall, AwsError } from '../core/ports/aws.ts';
import { createCachedReader } from '../stores/cached-reader.ts';

interface StoredSettingsOptions {
  /** Calls of the parameter store. */
  readonly call: AwsCall;
  /** The path below which the settings are, without a slash at its end. */
  readonly prefix: string;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** A read failed. */
  readonly warn: (cause: unknown) => void;
}

/** By `<account>/<setting>`. */
export type StoredSettings = ReadonlyMap<string, string>;

/** How long settings are used before they are read again. */
const freshMs = 300_000;

/** Settings of a page. More are refused. Source: Systems Manager API reference, GetParametersByPath, `MaxResults`. */
const pageSize = 10;
/** Far more than all providers have together. */
export const maxParameters = 1_000;

/**
 * The longest pauses after which a throttled read is tried again: the store answers 40 reads a second in an account, and Lambda may start
 * more functions than that.
 */
const throttledPausesMs = [300, 900, 2_700];

/** After a first read that failed, it is not tried again for so long: several targets of a request, and all requests, want the same. */
export const failurePauseMs = 1_000;

/** Rejects if there are none that could be read before. Concurrent calls share one read. */
export function createStoredSettings(options: StoredSettingsOptions): () => Promise<StoredSettings> {
  const { now, warn } = options;
  let failed: { readonly cause: unknown; readonly at: number } | undefined;
  const find = createCachedReader({
    load: () =>
      readAll(options).catch((cause: unknown) => {
        warn(cause);
        throw cause;
      }),
    now,
    freshMs,
    graceMs: Number.POSITIVE_INFINITY,
    size: 1,
  });
  return async () => {
    if (failed && Math.abs(now() - failed.at) < failurePauseMs) throw failed.cause;
    try {
      return (await find('')) ?? none;
    } catch (cause) {
      failed = { cause, at: now() };
      throw cause;
    }
  };
}

const none: StoredSettings = new Map();

async function readAll({ call, prefix }: StoredSettingsOptions): Promise<StoredSettings> {
  const found = new Map<string, string>();
  let next: unknown;
  for (let read = 0; read < maxParameters; read += pageSize) {
    const page = await readPage(call, prefix, next);
    for (const [name, value] of settingsOf(page.Parameters))
      if (name.startsWith(`${prefix}/`)) found.set(name.slice(prefix.length + 1), value);
    next = page.NextToken;
    if (typeof next !== 'string' || next === '') return found;
  }
  throw new Error(`The parameter store has more than ${maxParameters} settings.`);
}

function readPage(call: AwsCall, prefix: string, next: unknown): ReturnType<AwsCall> {
  const input = {
    Path: prefix,
    Recursive: true,
    WithDecryption: true,
    MaxResults: pageSize,
    ...(next !== undefined && { NextToken: next }),
  };
  return retry(() => call('AmazonSSM.GetParametersByPath', input), {
    pausesMs: throttledPausesMs,
    jitter: true,
    mayRetry: (error) => error instanceof AwsError && error.isThrottling,
  });
}

/** A blank one counts as missing. The parameter store keeps the line feed of a file that a value was read from. */
function* settingsOf(parameters: unknown): Iterable<readonly [name: string, value: string]> {
  for (const parameter of Array.isArray(parameters) ? parameters : []) {
    const { Name, Value } = Object(parameter) as { readonly Name?: unknown; readonly Value?: unknown };
    const value = typeof Value === 'string' ? Value.trim() : '';
    if (typeof Name === 'string' && value !== '') yield [Name, value];
  }
}
