/** The Lambda of `POST /v1/images/generations`. */
import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { imagesEndpoint } from '../lib/operations/images/endpoint.ts';
import { generationRuntime } from '../lib/runtime/generation-runtime.ts';

const runtime = generationRuntime();

export const handler = serve(operationNamed('images-generations'), imagesEndpoint(runtime), runtime);
