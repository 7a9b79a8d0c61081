/** Calls operations of the dashboard as its page does: with the cookie of a session and the header of the page. */

import type { User } from '../../../lib/core/admin/user.ts';
import type { TableName } from '../../../lib/core/tables.ts';
import { createFoundation } from '../../../lib/runtime/foundation.ts';
import { createSessionStore, type SessionStore } from '../../../lib/stores/sessions/sessions.ts';
import { createNodeClient } from '../../../lib/transport/http-client/node-client.ts';
import { gatewayEnvironment } from '../gateways/environment.ts';
import type { TestGateway } from '../gateways/gateway.ts';

interface AdminRequest {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface AdminClient {
  /** The value of the header `Cookie`. */
  readonly cookie: string;
  /** `path` is below `/admin/v1` or, for the session of an API key, `/account/v1`; with its query. */
  call(method: string, path: string, request?: AdminRequest): Promise<AdminResponse>;
}

export interface AdminResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every operation.
  readonly body: any;
  readonly headers: Headers;
}

/** By the one-time address that a local gateway prints: works once for each gateway. */
export async function signInByAddress({ url, dashboardUrl }: Pick<TestGateway, 'url' | 'dashboardUrl'>) {
  const response = await fetch(dashboardUrl, { redirect: 'manual' });
  return clientOf(`${url}/admin/v1`, cookieOf(response));
}

/** By an API key: read only. */
export async function signInByKey({ url }: Pick<TestGateway, 'url'>, apiKey: string) {
  const response = await fetch(`${url}/admin/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: apiKey }),
  });
  return clientOf(`${url}/account/v1`, cookieOf(response));
}

/** A session of any user, stored as one of this machine: for tests of roles. The gateway runs in this process. */
export async function signInAs({ url }: Pick<TestGateway, 'url'>, user: Omit<User, 'via'>) {
  const { token } = await sessionStore().open({ ...user, via: 'address' });
  return clientOf(`${url}/admin/v1`, `gateway-session=${token}`);
}

const tableOf = (name: TableName) => createFoundation(createNodeClient(), gatewayEnvironment()).table(name);

/** Of the gateway of this process. `now`: Unix milliseconds. */
export const sessionStore = (now = Date.now): SessionStore =>
  createSessionStore({ ...tableOf('state'), now });

/** The table with tenants and keys of the gateway of this process, for a store. */
export const accessTable = () => tableOf('access');

/** The table of sessions and kept answers of the same. */
export const stateTable = () => tableOf('state');

/** A client with this cookie; without one, a stranger. */
export const clientOf = (base: string, cookie: string): AdminClient => ({
  cookie,
  async call(method, path, { body, headers } = {}) {
    const response = await fetch(`${base}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        'x-dashboard': '1',
        ...(cookie && { cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text && JSON.parse(text), headers: response.headers };
  },
});

/** The cookies that a response sets, as a browser sends them. */
export const cookieOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((one) => one.split(';')[0] ?? '')
    .join('; ');
