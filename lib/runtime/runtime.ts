/**
 * The dependencies of every function that serves callers with API keys. Functions that call models add `generation-runtime.ts`, which
 * the others do not load; the other runtimes of this folder add what single functions need.
 */
import { lazyFor } from '../async/lazy.ts';
import type { FoundApiKey } from '../core/ports/api-keys.ts';
import type { Variables } from './environment.ts';
import { keyFindersOf } from './key-finders.ts';
import { type PublicRuntime, publicRuntimeOf } from './public-runtime.ts';

export interface Runtime extends PublicRuntime {
  /** By the stored format of a key. */
  readonly findKeyByHash: (hash: string) => Promise<FoundApiKey | undefined>;
}

// Functions that need the base alone are built without the rest.
export const runtimeOf = /* @__PURE__ */ lazyFor(
  (variables: Variables): Runtime => ({
    ...publicRuntimeOf(variables),
    ...keyFindersOf(variables),
  }),
);
