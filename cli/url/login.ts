/** `login` and `logout`: sign-in of the command line at a gateway that is given with `--url`. */
import { sessionSchema } from '../../lib/admin/sessions/schema.ts';
import { type Command, type CommandContext, type Terminal, UsageError } from '../command.ts';
import { readGatewayAddress } from '../installations/url-installation.ts';
import { listenForBrowser, revokeSignIn, startSignIn } from './issuer.ts';
import { openSignInFile, type StoredSignIn } from './sign-in-file.ts';

const timeoutMs = 15_000;

/** A session of the command line lasts as long as that of a page. */
const sessionHours = 12;

const login: Command = {
  name: 'login',
  summary: 'Sign in to a gateway, for commands with --url',
  description:
    'With an issuer, the sign-in is in the browser, which comes back to a port of this machine. Without one, paste the one-time address that `npm start` or the command `dashboard` prints. What it gets is kept in a file that only you can read. Scripts set GATEWAY_ADMIN_TOKEN to a management key instead.',
  examples: ['login --url https://gateway.example', 'login --url http://127.0.0.1:8787'],
  async run({ options, terminal, variables }) {
    const address = addressIn(options);
    const { ways, oidc } = await waysOf(address);
    const signIn = oidc
      ? await signInByBrowser(oidc, terminal)
      : ways.includes('address')
        ? await signInByAddress(address, terminal)
        : undefined;
    if (!signIn) throw new Error(`${address} has no sign-in for the command line.`);
    const { name, role } = await whoIs(address, signIn);
    await openSignInFile(variables).put(address, signIn);
    terminal.write(`Signed in to ${address} as ${name} (${role}).`);
  },
};

const logout: Command = {
  name: 'logout',
  summary: 'End the sign-in to a gateway',
  examples: ['logout --url https://gateway.example'],
  async run({ options, terminal, variables }) {
    const address = addressIn(options);
    const file = openSignInFile(variables);
    const known = await file.find(address);
    await file.remove(address);
    if (known)
      await end(address, known).catch(() =>
        terminal.writeError('The gateway or its issuer could not be asked to end it.'),
      );
    terminal.write(known ? `Signed out of ${address}.` : `There was no sign-in to ${address}.`);
  },
};

function addressIn({ url }: CommandContext['options']): string {
  if (url === undefined) throw new UsageError('Missing required option: --url <address>');
  return readGatewayAddress(url);
}

async function waysOf(address: string) {
  const session = await askSession(address, {});
  if (session.signed_in) throw new Error('The gateway takes this command for signed in already.');
  return session;
}

async function whoIs(address: string, signIn: StoredSignIn): Promise<{ name: string; role: string }> {
  const token = signIn.way === 'oidc' ? signIn.id_token : signIn.token;
  const session = await askSession(address, { authorization: `Bearer ${token}` });
  if (session.signed_in) return { name: session.user.name, role: session.role };
  throw new Error('The gateway does not accept this sign-in.');
}

async function askSession(address: string, headers: Readonly<Record<string, string>>) {
  const request = { headers, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) } as const;
  const response = await fetch(`${address}/admin/v1/session`, request).catch((cause: unknown) => {
    throw new Error(`${address} did not answer.`, { cause });
  });
  const body: unknown = await response.json().catch(() => undefined);
  const session = sessionSchema.safeParse(body);
  if (session.success) return session.data;
  throw new Error(`${address} has no dashboard: it answered with status ${response.status}.`);
}

async function signInByBrowser(
  facts: Parameters<typeof startSignIn>[0],
  terminal: Terminal,
): Promise<StoredSignIn> {
  const loopback = await listenForBrowser();
  try {
    const { url, finish } = await startSignIn(facts, loopback.redirectUri);
    terminal.writeError(`Open this address in your browser to sign in:\n${url}`);
    return await finish(await loopback.returned);
  } finally {
    loopback.close();
  }
}

/** The address works once, and its token becomes a session. */
async function signInByAddress(address: string, terminal: Terminal): Promise<StoredSignIn> {
  terminal.writeError('Paste the one-time address that `npm start` or the command `dashboard` prints.');
  const pasted = URL.parse((await terminal.readValue()).trim());
  const token = pasted?.searchParams.get('token');
  if (!pasted || !token) throw new UsageError('This is not a one-time address of the dashboard.');
  const url = `${address}/dashboard/start?token=${encodeURIComponent(token)}`;
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
  const session = /gateway-session=(mgs_[\w-]+)/.exec(response.headers.getSetCookie().join('; '))?.[1];
  if (session === undefined)
    throw new Error('This address was used already, or is too old. Print a new one with: dashboard');
  return { way: 'address', token: session, expires_at: Math.floor(Date.now() / 1000) + sessionHours * 3_600 };
}

async function end(address: string, known: StoredSignIn): Promise<void> {
  if (known.way === 'oidc') return await revokeSignIn(known);
  await fetch(`${address}/admin/v1/session`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${known.token}` },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
}

export const signInCommands: readonly Command[] = [login, logout];
