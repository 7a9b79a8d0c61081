/** The Lambda of `GET /v1/responses/{response_id}`. */
import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { retrieveResponseEndpoint } from '../lib/operations/responses/retrieve.ts';
import { createKeptResponsesRuntime } from '../lib/runtime/kept-responses-runtime.ts';

const runtime = createKeptResponsesRuntime();

export const handler = serve(
  operationNamed('responses-retrieve'),
  retrieveResponseEndpoint(runtime.responses),
  runtime,
);
