/** The Lambda of `POST /v1/moderations`. */
import { moderationsEndpoint } from '../lib/operations/moderations/endpoint.ts';
import { generationRuntime } from '../lib/runtime/generation-runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf('moderations', generationRuntime, moderationsEndpoint);
