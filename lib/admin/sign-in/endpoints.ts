/** The sign-in at the issuer: the browser goes there, and comes back with a code. */
import * as z from 'zod/mini';
import {
  type AdminAnswer,
  type Nothing,
  nothing,
  type OpenEndpoint,
} from '../../core/admin/admin-endpoint.ts';
import { refreshCookie, sessionCookie, signInCookie } from '../../core/admin/session-cookie.ts';
import { asGatewayError, GatewayError } from '../../core/errors/errors.ts';
import { failureFields } from '../../core/errors/failure-fields.ts';
import type { Log } from '../../core/ports/log.ts';
import { sessionSeconds } from '../../stores/sessions/sessions.ts';
import { cookieValueOf, firstPage, signInSeconds } from './browser-state.ts';
import type { Oidc } from './oidc.ts';
import { problemParameter, type SignInProblem } from './problems.ts';
import { settingNames } from './settings.ts';

interface SignInParts {
  /** Undefined where people sign in only in other ways. */
  readonly oidc: Oidc | undefined;
  readonly log: Log;
}

function oidcOf({ oidc }: SignInParts): Oidc {
  if (oidc) return oidc;
  const message = `This gateway has no issuer to sign in at: ${settingNames.issuer} is not set.`;
  throw new GatewayError('unsupported_operation', message);
}

const beginParameters = z.strictObject({ return: z.exactOptional(z.string()) });

/** `GET /admin/v1/sign-in`: sends the browser to the issuer. `return` is the page of the dashboard to come back to. */
export const beginEndpoint = (parts: SignInParts): OpenEndpoint<typeof beginParameters, Nothing> => ({
  parameters: beginParameters,
  body: nothing,
  async answer({ parameters }) {
    const oidc = oidcOf(parts);
    try {
      const { location, started } = await oidc.begin(parameters.return);
      const cookies = [signInCookie.set(started, signInSeconds, oidc.isSecure)];
      return { type: 'redirect', location, cookies };
    } catch (thrown) {
      return { type: 'redirect', location: pageFor(oidc, noteProblem(parts, thrown)) };
    }
  },
});

/** As the issuer sends them: it may add its own. */
const finishParameters = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

/**
 * `GET /admin/v1/sign-in/callback`: the browser leaves with a cookie for the page that it wanted, or with the name of the problem for
 * the dashboard to show.
 */
export const finishEndpoint = (parts: SignInParts): OpenEndpoint<typeof finishParameters, Nothing> => ({
  parameters: finishParameters,
  body: nothing,
  async answer({ parameters, header }) {
    const oidc = oidcOf(parts);
    const started = oidc.startedOf(signInCookie.read(header('cookie'), oidc.isSecure));
    // Without the cookie, this is the sign-in of another browser: perhaps of someone who wants this one to use a foreign account.
    if (!started || parameters.state !== started.state) return back(oidc, 'not_started');
    if (parameters.error !== undefined) return back(oidc, 'refused');
    try {
      const { refreshToken } = await oidc.finish(started, queryOf(parameters));
      const cookies = [
        refreshCookie.set(cookieValueOf(refreshToken), sessionSeconds, oidc.isSecure),
        signInCookie.remove(oidc.isSecure),
        // A session of another way in would come first.
        sessionCookie.remove(oidc.isSecure),
      ];
      return { type: 'redirect', location: oidc.addressOf(started.returnPath), cookies };
    } catch (thrown) {
      return back(oidc, noteProblem(parts, thrown));
    }
  },
});

const back = (oidc: Oidc, problem: SignInProblem): AdminAnswer => ({
  type: 'redirect',
  location: pageFor(oidc, problem),
  cookies: [signInCookie.remove(oidc.isSecure)],
});

/** What the dashboard shows of a failure. The messages of the sign-in name settings and claims, and have no token in them: the log has them. */
function noteProblem({ log }: SignInParts, thrown: unknown): SignInProblem {
  const error = asGatewayError(thrown);
  log.warn('sign-in failed', { ...failureFields(error), reason: error.message });
  if (error.kind === 'sign_in_unavailable') return 'unavailable';
  return error.code === 'role_not_allowed' ? 'no_role' : 'failed';
}

const pageFor = (oidc: Oidc, problem: SignInProblem): string =>
  oidc.addressOf(`${firstPage}?${problemParameter}=${problem}`);

/** Repeated parameters stay so: the check of the answer refuses them. */
function queryOf(parameters: Readonly<Record<string, string | readonly string[]>>): URLSearchParams {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  return new URLSearchParams(pairs);
}
