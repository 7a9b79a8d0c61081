/** The dependencies of the function that calls models and stores responses. */
import { lazy } from '../async/lazy.ts';
import type { ResponseStore } from '../core/stored-response.ts';
import { createResponseStore } from '../stores/responses/responses.ts';
import { type GenerationRuntime, generationFoundation, generationRuntime } from './generation-runtime.ts';

export interface ResponsesRuntime extends GenerationRuntime {
  readonly responses: ResponseStore;
}

export const responsesRuntime = lazy((): ResponsesRuntime => {
  const { now, table } = generationFoundation();
  return { ...generationRuntime(), responses: createResponseStore({ ...table('state'), now }) };
});
