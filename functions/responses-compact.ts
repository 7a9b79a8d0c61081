/** The Lambda of `POST /v1/responses/compact`. */
import { generationRows } from '../lib/core/operations/generation.ts';
import { compactEndpoint } from '../lib/operations/responses/compact/endpoint.ts';
import { responsesRuntime } from '../lib/runtime/responses-runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf(generationRows, 'responses-compact', responsesRuntime, compactEndpoint);
