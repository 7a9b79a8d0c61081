/** The Lambda of `POST /v1/responses`. */
import { responsesEndpoint } from '../lib/operations/responses/endpoint.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { responsesRuntime } from '../lib/runtime/responses-runtime.ts';
import { functionOf } from './function-of.ts';
import { startRun } from './start-run.ts';

const runtimeOf = (variables: Variables) => {
  const runtime = responsesRuntime(variables);
  return { ...runtime, background: { ...runtime.background, start: startRun(variables) } };
};

export const create = functionOf('responses', runtimeOf, (runtime) => {
  runtime.startAhead('openai');
  return responsesEndpoint(runtime);
});
