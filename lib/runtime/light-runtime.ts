/** The dependencies of a function that calls no model. It starts without the HTTP client for providers. */
import { lazyFor } from '../async/lazy.ts';
import { createNodeClient } from '../transport/http-client/node-client.ts';
import type { Variables } from './environment.ts';
import { createFoundation, type Foundation } from './foundation.ts';
import { createRuntime, type Runtime } from './runtime.ts';

/** The base and the parts, as in `generation-runtime.ts`. */
export const lightFoundation = lazyFor(
  (variables: Variables): Foundation => createFoundation(createNodeClient(), variables),
);
// Functions that need the base alone are built without the rest.
export const lightRuntime = /* @__PURE__ */ lazyFor(
  (variables: Variables): Runtime => createRuntime(lightFoundation(variables)),
);
