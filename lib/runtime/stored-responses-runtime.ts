/** The parts of a function that reads or deletes stored responses. */
import { lazyFor } from '../async/lazy.ts';
import type { ResponseStore } from '../core/stored-response.ts';
import { createResponseStore } from '../stores/responses/responses.ts';
import { type BackgroundRuntime, storedBackground } from './background-runtime.ts';
import type { Variables } from './environment.ts';
import { foundationOf } from './foundation.ts';
import { type Runtime, runtimeOf } from './runtime.ts';

interface StoredResponsesRuntime extends Runtime {
  readonly responses: ResponseStore;
  readonly background: BackgroundRuntime;
}

export const storedResponsesRuntime = lazyFor((variables: Variables): StoredResponsesRuntime => {
  const { now, table } = foundationOf(variables);
  const responses = createResponseStore({ ...table('state'), now });
  return { ...runtimeOf(variables), responses, background: { ...storedBackground(variables), responses } };
});
