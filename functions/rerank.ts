/** The Lambda of `POST /v1/rerank` and `/v2/rerank`. */
import { oneCallRows } from '../lib/core/operations/one-call.ts';
import { rerankEndpoint } from '../lib/operations/rerank/endpoint.ts';
import { generationRuntime } from '../lib/runtime/generation-runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf(oneCallRows, 'rerank', generationRuntime, rerankEndpoint);
