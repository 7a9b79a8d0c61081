/** The Lambda of `GET /v1/responses/{response_id}`. */
import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { retrieveResponseEndpoint } from '../lib/operations/responses/stored/retrieve.ts';
import { storedResponsesRuntime } from '../lib/runtime/stored-responses-runtime.ts';

const runtime = storedResponsesRuntime();

export const handler = serve(
  operationNamed('responses-retrieve'),
  retrieveResponseEndpoint(runtime.responses),
  runtime,
);
