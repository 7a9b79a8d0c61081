/** The dependencies of a function that calls no model. It starts without the HTTP client for providers. */
import { createNodeClient } from '../transport/http-client/node-client.ts';
import { createFoundation, type Foundation } from './foundation.ts';
import { createRuntime, type Runtime } from './runtime.ts';

export const createLightFoundation = (): Foundation => createFoundation(createNodeClient());

export const createLightRuntime = (): Runtime => createRuntime(createLightFoundation());
