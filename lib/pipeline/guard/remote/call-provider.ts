/** Calls of a provider that are no calls of a model: its detectors. What it says of a failure may repeat the texts, so it is not passed on. */
import { withTimeout } from '../../../async/with-timeout.ts';
import type { ErrorKind } from '../../../core/errors/error-kinds.ts';
import { GatewayError } from '../../../core/errors/errors.ts';
import { parseJson } from '../../../core/formats/parse-json.ts';
import { type Providers, rootOf } from '../../../providers/provider.ts';
import { readBody } from '../../../transport/read-body.ts';
import type { Connections } from '../../use/account.ts';

export interface ProviderParts {
  readonly providers: Pick<Providers, 'loadBuiltIn'>;
  readonly connections: Pick<Connections, 'send' | 'findAccess'>;
}

interface ProviderCall {
  readonly provider: string;
  readonly region: string;
  /** Below the provider's base URL. */
  readonly path: string;
  readonly body: object;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const maxAnswer = 4 * 1024 * 1024;

/** The parsed answer. Rejects with GatewayError. */
export async function callProvider(parts: ProviderParts, call: ProviderCall): Promise<unknown> {
  const { timeoutMs } = call;
  const ended = new AbortController();
  const signal = AbortSignal.any([call.signal, ended.signal]);
  return await withTimeout(callOnce(parts, { ...call, signal }), timeoutMs, () => {
    ended.abort();
    const message = `The provider's detector did not answer within ${timeoutMs} ms.`;
    return Promise.reject(new GatewayError('upstream_timeout', message));
  });
}

async function callOnce({ providers, connections }: ProviderParts, call: ProviderCall): Promise<unknown> {
  const { region, path, body, timeoutMs, signal } = call;
  const provider = await providers.loadBuiltIn(call.provider);
  const access = await connections.findAccess(call.provider);
  if (!provider?.isConfigured(access)) {
    throw new GatewayError('upstream_credentials', `No credentials are configured for '${call.provider}'.`);
  }
  const url = `${rootOf(provider, region, access)}${path}`;
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'POST' as const, url, headers, body: JSON.stringify(body) };
  const timeouts = { connectMs: timeoutMs, firstByteMs: timeoutMs, idleMs: timeoutMs };
  const response = await connections.send(await provider.authorize(request, access, region), {
    timeouts,
    signal,
  });
  const text = await readBody(response, maxAnswer);
  if (response.status < 200 || response.status > 299) throw failed(response.status);
  const answer = parseJson(text);
  if (answer === undefined) throw unreadable();
  return answer;
}

const kinds: Readonly<Record<number, ErrorKind>> = {
  401: 'upstream_credentials',
  403: 'upstream_credentials',
  404: 'upstream_model_missing',
  429: 'upstream_rate_limited',
  503: 'upstream_overloaded',
};

const failed = (status: number) =>
  new GatewayError(
    kinds[status] ?? 'upstream_failed',
    `The provider's detector answered with status ${status}.`,
  );

export const unreadable = () =>
  new GatewayError('upstream_invalid_answer', "The answer of the provider's detector could not be read.");
