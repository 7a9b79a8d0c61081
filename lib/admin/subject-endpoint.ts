/** An operation as a function of a user and an input, served over HTTP. The command line calls the same functions. */
import type * as z from 'zod/mini';
import type { AdminEndpoint } from '../core/admin/admin-endpoint.ts';
import type { User } from '../core/admin/user.ts';

/** `input`: of body, path and query together. `ifMatch`: the state that a change was made for. */
export type Run<Parts, Input, Answer extends object> = (
  parts: Parts,
  user: User,
  input: Input,
  ifMatch?: string,
) => Promise<Answer>;

type Schema = z.core.$ZodType;

export function endpointOf<Parts, Parameters extends Schema, Body extends Schema, Answer extends object>(
  parts: Parts,
  parameters: Parameters,
  body: Body,
  run: Run<Parts, z.core.output<Parameters> & z.core.output<Body>, Answer>,
): AdminEndpoint<Parameters, Body> {
  return {
    parameters,
    body,
    async answer(call) {
      const input = Object.assign({}, call.body, call.parameters);
      const answer = await run(parts, call.user, input, call.header('if-match'));
      const tag =
        'etag' in answer && typeof answer.etag === 'string' ? { headers: { etag: answer.etag } } : {};
      return { type: 'json', body: answer, ...tag };
    },
  };
}
