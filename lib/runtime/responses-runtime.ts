/** The dependencies of the function that calls models and stores responses. */
import { lazyFor } from '../async/lazy.ts';
import type { ResponseStore } from '../core/stored-response.ts';
import { createResponseStore } from '../stores/responses/responses.ts';
import { type BackgroundRuntime, storedBackground } from './background-runtime.ts';
import type { Variables } from './environment.ts';
import { foundationOf } from './foundation.ts';
import { type GenerationRuntime, generationRuntime } from './generation-runtime.ts';

interface ResponsesRuntime extends GenerationRuntime {
  readonly responses: ResponseStore;
  readonly background: BackgroundRuntime;
}

export const responsesRuntime = lazyFor((variables: Variables): ResponsesRuntime => {
  const { now, table } = foundationOf(variables);
  const responses = createResponseStore({ ...table('state'), now });
  const background = { ...storedBackground(variables), responses };
  return { ...generationRuntime(variables), responses, background };
});
