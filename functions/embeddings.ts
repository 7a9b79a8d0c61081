/** The Lambda of `POST /v1/embeddings`. */
import { oneCallRows } from '../lib/core/operations/one-call.ts';
import { embeddingsEndpoint } from '../lib/operations/embeddings/endpoint.ts';
import { generationRuntime } from '../lib/runtime/generation-runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf(oneCallRows, 'embeddings', generationRuntime, embeddingsEndpoint);
