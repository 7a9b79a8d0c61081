/** The Lambda of `POST /v1/responses`. */
import { generationRows } from '../lib/core/operations/generation.ts';
import { responsesEndpoint } from '../lib/operations/responses/endpoint.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { responsesRuntime } from '../lib/runtime/responses-runtime.ts';
import { functionOf } from './function-of.ts';
import { withStart } from './start-run.ts';

const runtimeOf = (variables: Variables) => withStart(responsesRuntime(variables), variables);

export const create = functionOf(generationRows, 'responses', runtimeOf, (runtime) => {
  runtime.startAhead('openai');
  return responsesEndpoint(runtime);
});
