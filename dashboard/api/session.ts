/** Who is signed in. The access token is kept in memory, where the next reload loses it. */
import { signal } from '@preact/signals';
import type { SessionAnswer, SignedIn } from '../../lib/admin/sessions/schema.ts';
import { base } from '../state/location.ts';
import { ApiError, asError } from './api-error.ts';
import { forgetAll } from './cache.ts';
import { send, setAccess } from './call.ts';

export type Session = SignedIn;
export type Role = Session['role'];

/** What every page gets. */
export interface PageProps {
  readonly session: Session;
}

export type Way = Extract<SessionAnswer, { readonly signed_in: false }>['ways'][number];

type SessionState =
  | { readonly state: 'opening' }
  | { readonly state: 'in'; readonly session: Session }
  | {
      readonly state: 'out';
      readonly ways: readonly Way[];
      readonly ended: boolean;
      readonly problem?: string;
    };

export const sessionState = signal<SessionState>({ state: 'opening' });

const path = '/admin/v1/session';

/** At the start, and again after a failure: the session of an earlier sign-in, or the sign-in methods. Never rejects. */
export async function openSession(): Promise<void> {
  try {
    const data = await send<SessionAnswer>('GET', path);
    if (data.signed_in) enter(data);
    // The issuer's sessions are renewed by a call of their own.
    else if (data.ways.includes('oidc')) enter(await post({}));
    else sessionState.value = { state: 'out', ways: data.ways, ended: false };
  } catch (thrown) {
    await leave(false, thrown);
  }
}

/** @throws ApiError */
export async function signInWithKey(key: string): Promise<void> {
  enter(await post({ api_key: key }));
}

/** The address that leads through the organisation's sign-in and back to the open page. */
export const signInAddress = (): string => {
  const here = location.pathname.slice(base.length) + location.search;
  return `${base}/admin/v1/sign-in?${new URLSearchParams({ return: here })}`;
};

/** What ends with the session, and is still to be ended while it is there. */
export const beforeSignOut = new Set<() => Promise<void>>();

/** Also where the gateway does not answer, nothing of the session stays in this page. */
export async function signOut(): Promise<void> {
  await Promise.all([...beforeSignOut].map((end) => end()));
  const ended = await send<{ readonly sign_out_url?: string }>('DELETE', path).catch(() => undefined);
  forgetAll();
  setAccess(undefined);
  if (ended?.sign_out_url) location.assign(ended.sign_out_url);
  else await leave(false);
}

const post = (body: object) => send<Session>('POST', path, { body });

function enter(session: Session): void {
  setAccess({ prefix: session.api_url, token: session.access_token, renew });
  sessionState.value = { state: 'in', session };
}

let renewal: Promise<boolean> | undefined;

/** Once for all calls that failed together. */
function renew(): Promise<boolean> {
  renewal ??= post({})
    .then(
      (session) => {
        enter(session);
        return true;
      },
      async (thrown) => {
        if (thrown instanceof ApiError && thrown.status === 401) await leave(true);
        return false;
      },
    )
    .finally(() => {
      renewal = undefined;
    });
  return renewal;
}

/** `ended`: a session was there. `thrown`: why it is not known whether there is one. */
async function leave(ended: boolean, thrown?: unknown): Promise<void> {
  setAccess(undefined);
  if (ended) forgetAll();
  const refused = thrown === undefined || (thrown instanceof ApiError && thrown.status === 401);
  const problem = refused ? {} : { problem: asError(thrown).message };
  const ways = await send<{ readonly ways: readonly Way[] }>('GET', path).then(
    ({ ways: found }) => found,
    () => [],
  );
  sessionState.value = { state: 'out', ways, ended, ...problem };
}
