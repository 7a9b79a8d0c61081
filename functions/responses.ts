/** The Lambda of `POST /v1/responses`. */
import { responsesEndpoint } from '../lib/operations/responses/endpoint.ts';
import { responsesRuntime } from '../lib/runtime/responses-runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf('responses', responsesRuntime, (runtime) => {
  runtime.startAhead('openai');
  return responsesEndpoint(runtime);
});
