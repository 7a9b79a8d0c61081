/** A local gateway at which people sign in with the fake user pool, and a browser that does it without a screen. */
import { loopbackCallbacks } from '../../../lib/core/admin/loopback-callbacks.ts';
import { freePort } from '../free-port.ts';
import { startTestGateway, type TestGateway } from '../gateways/gateway.ts';
import { use } from '../use.ts';
import { type FakeCognito, startFakeCognito } from './fake-cognito.ts';

export interface SignInGateway {
  readonly gateway: TestGateway;
  readonly cognito: FakeCognito;
}

type Settings = Readonly<Record<string, string>>;

export const firstPage = '/dashboard/overview';

/** `more`: further settings. */
export function useSignInGateway(
  more: (cognito: FakeCognito) => Settings | Promise<Settings> = () => ({}),
): () => SignInGateway {
  const started = use(
    async () => {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const cognito = await startFakeCognito(() => ({
        callbackUrls: [`${url}/admin/v1/sign-in/callback`, ...loopbackCallbacks],
        logoutUrls: [`${url}${firstPage}`],
      }));
      const environment = {
        GATEWAY_ADMIN_ISSUER: cognito.issuer,
        GATEWAY_ADMIN_CLIENT_ID: cognito.pool.client.id,
        GATEWAY_ADMIN_SIGN_OUT_URL: `${cognito.url}/logout`,
        GATEWAY_DASHBOARD_URL: url,
        ...(await more(cognito)),
      };
      return { cognito, gateway: await startTestGateway(environment, { port }) };
    },
    async ({ gateway, cognito }) => {
      await gateway.close();
      await cognito.close();
    },
  );
  return () => started;
}

/** Cookies of all ports of a host together, as browsers have them. */
export class Browser {
  readonly cookies = new Map<string, string>();

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Follows no redirect. */
  async open(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...(this.cookies.size > 0 && { cookie: this.cookie }), ...init.headers };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const one of response.headers.getSetCookie()) this.#keep(one);
    return response;
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/; Max-Age=0(?:;|$)/.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }

  async post(url: string, form: Readonly<Record<string, string>>): Promise<Response> {
    return await this.open(url, { method: 'POST', body: new URLSearchParams(form) });
  }

  /** As the page of the dashboard does. */
  async call(url: string, method: string, { body, headers }: { body?: object; headers?: object } = {}) {
    const response = await this.open(url, {
      method,
      headers: {
        'x-dashboard': '1',
        'sec-fetch-site': 'same-origin',
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every operation.
    return { status: response.status, body: (text && JSON.parse(text)) as any, headers: response.headers };
  }
}

export const locationOf = (response: Response, base?: string): URL =>
  new URL(response.headers.get('location') ?? 'no-location:', base);

/** From the gateway to the issuer and through its pages: the address with the code, to which the browser comes back. */
export async function walkToCallback(
  { gateway, cognito }: SignInGateway,
  browser: Browser,
  email: string,
  returnPath = firstPage,
): Promise<URL> {
  const query = new URLSearchParams({ return: returnPath });
  const toIssuer = locationOf(await browser.open(`${gateway.url}/admin/v1/sign-in?${query}`));
  return await walkThroughPages(cognito, browser, toIssuer.href, email);
}

/** From the authorize endpoint through the issuer's pages: the address to which the browser comes back. */
export async function walkThroughPages(
  cognito: FakeCognito,
  browser: Browser,
  authorizeUrl: string,
  email: string,
): Promise<URL> {
  const next = locationOf(await browser.open(authorizeUrl), cognito.url);
  if (!next.href.startsWith(cognito.url)) return next;
  await browser.post(next.href, { email });
  const code = cognito.pool.mailedCodes.get(email.toLowerCase()) ?? '';
  return locationOf(await browser.post(next.href, { email, code }), cognito.url);
}

export interface SignedInBrowser {
  readonly browser: Browser;
  readonly token: string;
  /** Below `/admin/v1`, with the ID token and without cookies. */
  call(method: string, path: string, body?: object): ReturnType<Browser['call']>;
}

export async function signInByIssuer(both: SignInGateway, email: string): Promise<SignedInBrowser> {
  const browser = new Browser();
  await browser.open((await walkToCallback(both, browser, email)).href);
  const session = await browser.call(`${both.gateway.url}/admin/v1/session`, 'POST', { body: {} });
  const token = String(session.body.access_token);
  return { browser, token, call: callWith(both, token) };
}

/** Calls with an ID token, as a page does. */
export const callWith =
  ({ gateway }: Pick<SignInGateway, 'gateway'>, token: string): SignedInBrowser['call'] =>
  async (method, path, body) =>
    await new Browser().call(`${gateway.url}/admin/v1${path}`, method, {
      ...(body && { body }),
      headers: { authorization: `Bearer ${token}` },
    });
