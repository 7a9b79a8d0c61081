/** The Lambda of `POST /v1/messages/count_tokens`. */
import { generationRows } from '../lib/core/operations/generation.ts';
import { countEndpoint } from '../lib/operations/messages/count/endpoint.ts';
import { generationRuntime } from '../lib/runtime/generation-runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf(generationRows, 'messages-count-tokens', generationRuntime, countEndpoint);
