/** The Lambda of `DELETE /v1/responses/{response_id}`. */
import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { deleteResponseEndpoint } from '../lib/operations/responses/delete.ts';
import { createLightRuntime } from '../lib/runtime/light-runtime.ts';

const runtime = createLightRuntime();

export const handler = serve(
  operationNamed('responses-delete'),
  deleteResponseEndpoint(runtime.responses),
  runtime,
);
