/** The Lambda of `GET /v1/models`. */
import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { modelsEndpoint } from '../lib/operations/models/list.ts';
import { lightRuntime } from '../lib/runtime/light-runtime.ts';

const runtime = lightRuntime();

export const handler = serve(operationNamed('models'), modelsEndpoint(runtime.catalog), runtime);
