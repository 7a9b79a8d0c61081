/** The dependencies of the function that calls models and stores responses. */
import type { ResponseStore } from '../core/stored-response.ts';
import { createResponseStore } from '../stores/responses/responses.ts';
import type { Foundation } from './foundation.ts';
import {
  createGenerationFoundation,
  createGenerationRuntime,
  type GenerationRuntime,
} from './generation-runtime.ts';

export interface ResponsesRuntime extends GenerationRuntime {
  readonly responses: ResponseStore;
}

export function createResponsesRuntime(
  foundation: Foundation = createGenerationFoundation(),
): ResponsesRuntime {
  const { now, table } = foundation;
  return {
    ...createGenerationRuntime(foundation),
    responses: createResponseStore({ ...table('state'), now }),
  };
}
