/** `GET /admin/v1/sign-in`: sends the browser to the issuer. `return` is the page of the dashboard to come back to. */
import * as z from 'zod/mini';
import { type Nothing, nothing, type OpenEndpoint } from '../../core/admin/admin-endpoint.ts';
import { signInCookie } from '../../core/admin/session-cookie.ts';
import { asGatewayError } from '../../core/errors/errors.ts';
import { oidcOf, type SignInParts } from './parts.ts';
import { noteProblem, problemOf } from './problem-of.ts';
import { problemPath } from './return-path.ts';
import { signInSeconds } from './started.ts';

const beginParameters = z.strictObject({ return: z.exactOptional(z.string()) });

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
      const error = asGatewayError(thrown);
      noteProblem(parts.log, error);
      return { type: 'redirect', location: oidc.addressOf(problemPath(problemOf(error))) };
    }
  },
});
