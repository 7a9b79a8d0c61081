/** The Lambda of `POST /v1/embeddings`. */
import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { embeddingsEndpoint } from '../lib/operations/embeddings/endpoint.ts';
import { generationRuntime } from '../lib/runtime/generation-runtime.ts';

const runtime = generationRuntime();

export const handler = serve(operationNamed('embeddings'), embeddingsEndpoint(runtime), runtime);
