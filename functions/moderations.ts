/** The Lambda of `POST /v1/moderations` and `POST /v1/realtime/client_secrets`. */
import { oneCallRows } from '../lib/core/operations/one-call.ts';
import { moderationsEndpoint } from '../lib/operations/moderations/endpoint.ts';
import { clientSecretsEndpoint } from '../lib/operations/realtime/endpoint.ts';
import { generationRuntime } from '../lib/runtime/generation-runtime.ts';
import { functionOf } from './function-of.ts';
import { groupOf } from './group-of.ts';

export const create = groupOf(oneCallRows, 'moderations', {
  moderations: functionOf(oneCallRows, 'moderations', generationRuntime, moderationsEndpoint),
  'realtime-client-secrets': functionOf(
    oneCallRows,
    'realtime-client-secrets',
    generationRuntime,
    clientSecretsEndpoint,
  ),
});
