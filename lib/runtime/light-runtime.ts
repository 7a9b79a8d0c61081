/** The dependencies of a function that calls no model. It starts without the HTTP client for providers. */
import { lazy } from '../async/lazy.ts';
import { createNodeClient } from '../transport/http-client/node-client.ts';
import { createFoundation, type Foundation } from './foundation.ts';
import { createRuntime, type Runtime } from './runtime.ts';

export const createLightFoundation = (): Foundation => createFoundation(createNodeClient());

/** The base and the parts of this process, as in `generation-runtime.ts`. */
export const lightFoundation = lazy(createLightFoundation);
// Functions that need the base alone are built without the rest.
export const lightRuntime = /* @__PURE__ */ lazy((): Runtime => createRuntime(lightFoundation()));
