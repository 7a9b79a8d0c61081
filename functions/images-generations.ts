/** The Lambda of `POST /v1/images/generations`. */
import { imagesEndpoint } from '../lib/operations/images/endpoint.ts';
import { generationRuntime } from '../lib/runtime/generation-runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf('images-generations', generationRuntime, imagesEndpoint);
