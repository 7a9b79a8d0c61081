/**
 * `GET /admin/v1/sign-in/callback`: the browser comes back from the issuer with a code. It leaves with a cookie for the page that it
 * wanted, or with the name of the problem for the dashboard to show.
 */
import * as z from 'zod/mini';
import {
  type AdminAnswer,
  type Nothing,
  nothing,
  type OpenEndpoint,
} from '../../core/admin/admin-endpoint.ts';
import { refreshCookie, sessionCookie, signInCookie } from '../../core/admin/session-cookie.ts';
import { asGatewayError } from '../../core/errors/errors.ts';
import { sessionSeconds } from '../../stores/sessions/sessions.ts';
import type { Oidc } from './oidc.ts';
import { oidcOf, type SignInParts } from './parts.ts';
import { noteProblem, problemOf } from './problem-of.ts';
import type { SignInProblem } from './problems.ts';
import { cookieValueOf } from './refresh-token.ts';
import { problemPath } from './return-path.ts';

/** As the issuer sends them: it may add its own. */
const finishParameters = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

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
      const error = asGatewayError(thrown);
      noteProblem(parts.log, error);
      return back(oidc, problemOf(error));
    }
  },
});

const back = (oidc: Oidc, problem: SignInProblem): AdminAnswer => ({
  type: 'redirect',
  location: oidc.addressOf(problemPath(problem)),
  cookies: [signInCookie.remove(oidc.isSecure)],
});

/** Repeated parameters stay so: the check of the answer refuses them. */
function queryOf(parameters: Readonly<Record<string, string | readonly string[]>>): URLSearchParams {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  return new URLSearchParams(pairs);
}
