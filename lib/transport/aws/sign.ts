/** Signature Version 4 for calls of AWS services. */
import { lazy } from '../../async/lazy.ts';
import type { AwsCredentials, Sign } from '../../core/ports/aws.ts';
import { createActionSigner, isAction } from './sign-action.ts';

/**
 * Signs with the current credentials. Rejects with the error of `credentials`. Calls of the database have a short way of their
 * own; few functions sign anything else, and what does is loaded with the first such request.
 */
export function createSigner(credentials: () => Promise<AwsCredentials>): Sign {
  const signAction = createActionSigner();
  const requestSigner = lazy(async () => {
    const { createRequestSigner } = await import('./sign-request.ts');
    return createRequestSigner(credentials);
  });
  return async (request, scope) => {
    if (isAction(request)) return signAction(request, scope, await credentials());
    return (await requestSigner())(request, scope);
  };
}
