/** One call of the admin API: authentication, one renewal of it, retries of reads, and errors in one form. */
import { signal } from '@preact/signals';
import { base } from '../state/location.ts';
import { ApiError, errorOf, noAnswer } from './api-error.ts';

export type Parameters = Readonly<Record<string, string | number | boolean | null | undefined>>;
export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export interface CallOptions {
  readonly query?: Parameters | undefined;
  readonly body?: object | undefined;
  /** The tag of what is changed; another one at the gateway is a 409. */
  readonly ifMatch?: string | null | undefined;
  /** Whether it may only make what does not exist: else it is a 409. */
  readonly isNew?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** How many calls run: the progress line. */
export const running = signal(0);

interface Access {
  /** Below the base. */
  readonly prefix: string;
  readonly token: string | null;
  /** Whether the session was renewed. */
  renew(): Promise<boolean>;
}

const signedOut: Access = { prefix: '/admin/v1', token: null, renew: async () => false };
let access = signedOut;

/** What calls send from now on; the session sets it. The token is in no other place. */
export function setAccess(next: Access | undefined): void {
  access = next ?? signedOut;
}

/** In milliseconds, before each retry of a read where the gateway does not say how long to wait. */
const waits = [300, 1_200];

/** A longer wait is shown as an error instead. In milliseconds. */
const longestWaitMs = 10_000;

/** These may pass. */
const passing: readonly number[] = [0, 429, 502, 503, 504];

/**
 * @param path Below the session's API, such as `/keys`.
 * @throws ApiError; an AbortError if `signal` aborted.
 */
export async function call<Data>(method: Method, path: string, options: CallOptions = {}): Promise<Data> {
  running.value += 1;
  try {
    return await withRetries(method, () => authenticated<Data>(method, path, options), options.signal);
  } finally {
    running.value -= 1;
  }
}

async function withRetries<Result>(
  method: Method,
  once: () => Promise<Result>,
  abort: AbortSignal | undefined,
): Promise<Result> {
  for (const wait of method === 'GET' ? waits : []) {
    try {
      return await once();
    } catch (thrown) {
      if (!(thrown instanceof ApiError && passing.includes(thrown.status))) throw thrown;
      const asked = (thrown.retryAfterSeconds ?? 0) * 1_000;
      if (asked > longestWaitMs) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, Math.max(wait, asked)));
      abort?.throwIfAborted();
    }
  }
  return await once();
}

async function authenticated<Data>(method: Method, path: string, options: CallOptions): Promise<Data> {
  try {
    return await send(method, access.prefix + path, options);
  } catch (thrown) {
    if (!(thrown instanceof ApiError && thrown.status === 401)) throw thrown;
    if (!(await access.renew())) throw thrown;
    return await send(method, access.prefix + path, options);
  }
}

/** One call without a retry. @param path Below the base. */
export async function send<Data>(method: Method, path: string, options: CallOptions = {}): Promise<Data> {
  const { body, ifMatch, isNew, signal: abort } = options;
  const response = await fetch(base + path + textOf(options.query), {
    method,
    headers: {
      // What a form or a link of another site cannot send.
      'x-dashboard': '1',
      ...(access.token !== null && { authorization: `Bearer ${access.token}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...(ifMatch && { 'if-match': ifMatch }),
      ...(isNew && { 'if-none-match': '*' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    ...(abort && { signal: abort }),
    cache: 'no-store',
    credentials: 'same-origin',
  }).catch((thrown: unknown) => {
    abort?.throwIfAborted();
    throw thrown instanceof TypeError ? noAnswer() : thrown;
  });
  if (!response.ok) throw await errorOf(response);
  return await response.json();
}

/** Parameters without a value are left out. */
export function textOf(query: Parameters = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
