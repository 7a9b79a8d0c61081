/** The answer to a request that failed. */
import { asGatewayError, type GatewayError } from '../../core/errors/errors.ts';
import type { Operation } from '../../core/operations.ts';
import { InvalidInput } from '../request/parse-input.ts';
import { type HttpAnswer, respondWithError } from '../respond.ts';
import type { ServedRequest } from './served-request.ts';

/** Leaves nothing of what the request has stored. */
export async function fail(served: ServedRequest, thrown: unknown): Promise<HttpAnswer> {
  const { operation, meter, options } = served;
  await served.form?.discard();
  const error = await errorOf(thrown);
  const methods = error.status === 405 ? await allowedMethods(operation) : [];
  const answer = await respondWithError(error, methods, options, meter.headers(operation.errors));
  return served.keep ? await served.keep(answer) : answer;
}

async function errorOf(thrown: unknown): Promise<GatewayError> {
  if (!(thrown instanceof InvalidInput)) return asGatewayError(thrown);
  const { explained } = await import('../request/validate.ts');
  return explained(thrown);
}

/** The table of all operations is loaded with the first request that has another method than its route. */
export async function allowedMethods({ path }: Operation): Promise<readonly string[]> {
  const [{ operations }, { methodsOf }] = await Promise.all([
    import('../../core/operations.ts'),
    import('../../core/routes.ts'),
  ]);
  return methodsOf(path, operations);
}
