/** An operation as a function of a user and an input, served over HTTP. The command line calls the same functions. */
import type * as z from 'zod/mini';
import type { AdminEndpoint } from '../core/admin/admin-endpoint.ts';
import type { User } from '../core/admin/user.ts';

type Schema = z.core.$ZodType;

/** `input`: of body, path and query together. `ifMatch`: the state that a change was made for. */
export function endpointOf<Parts, Parameters extends Schema, Body extends Schema>(
  parts: Parts,
  parameters: Parameters,
  body: Body,
  run: (
    parts: Parts,
    user: User,
    input: z.core.output<Parameters> & z.core.output<Body>,
    ifMatch: string | undefined,
    signal: AbortSignal,
  ) => Promise<object>,
): AdminEndpoint<Parameters, Body> {
  return {
    parameters,
    body,
    async answer({ user, header, signal, ...call }) {
      const input = Object.assign({}, call.body, call.parameters);
      const answer = await run(parts, user, input, header('if-match'), signal);
      const tag =
        'etag' in answer && typeof answer.etag === 'string' ? { headers: { etag: answer.etag } } : {};
      return { type: 'json', body: answer, ...tag };
    },
  };
}
