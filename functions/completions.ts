/** The Lambda of `POST /v1/completions`. */
import { generationRows } from '../lib/core/operations/generation.ts';
import { completionsEndpoint } from '../lib/operations/completions/endpoint.ts';
import { generationRuntime } from '../lib/runtime/generation-runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf(generationRows, 'completions', generationRuntime, (runtime) => {
  runtime.startAhead('openai');
  return completionsEndpoint(runtime);
});
