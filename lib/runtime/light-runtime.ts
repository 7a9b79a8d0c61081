/** The parts of a function that calls no model: it starts without the client that is made for those. */
import { createNodeClient } from '../transport/http-client/node-client.ts';
import { createFoundation, type Foundation } from './foundation.ts';
import { createRuntime, type Runtime } from './runtime.ts';

export const createLightFoundation = (): Foundation => createFoundation(createNodeClient());

export const createLightRuntime = (): Runtime => createRuntime(createLightFoundation());
