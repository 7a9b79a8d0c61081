/** The parts of a function that reads or deletes stored responses. */
import { lazyFor } from '../async/lazy.ts';
import type { ResponseStore } from '../core/stored-response.ts';
import { createResponseStore } from '../stores/responses/responses.ts';
import type { Variables } from './environment.ts';
import { lightFoundation, lightRuntime } from './light-runtime.ts';
import type { Runtime } from './runtime.ts';

interface StoredResponsesRuntime extends Runtime {
  readonly responses: ResponseStore;
}

export const storedResponsesRuntime = lazyFor((variables: Variables): StoredResponsesRuntime => {
  const { now, table } = lightFoundation(variables);
  return { ...lightRuntime(variables), responses: createResponseStore({ ...table('state'), now }) };
});
