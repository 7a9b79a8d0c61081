/** The Lambda of `POST /v1/responses/input_tokens`. */
import { generationRows } from '../lib/core/operations/generation.ts';
import { countEndpoint } from '../lib/operations/responses/count/endpoint.ts';
import { responsesRuntime } from '../lib/runtime/responses-runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf(generationRows, 'responses-input-tokens', responsesRuntime, countEndpoint);
