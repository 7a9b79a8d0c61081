/** The parts of a function that reads or deletes stored responses. */
import type { ResponseStore } from '../core/stored-response.ts';
import { createResponseStore } from '../stores/responses/responses.ts';
import type { Foundation } from './foundation.ts';
import { createLightFoundation } from './light-runtime.ts';
import { createRuntime, type Runtime } from './runtime.ts';

export interface StoredResponsesRuntime extends Runtime {
  readonly responses: ResponseStore;
}

export function createStoredResponsesRuntime(
  foundation: Foundation = createLightFoundation(),
): StoredResponsesRuntime {
  const { now, table } = foundation;
  return { ...createRuntime(foundation), responses: createResponseStore({ ...table('state'), now }) };
}
