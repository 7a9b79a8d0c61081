/** The Lambda of `GET /v1/responses/{response_id}`. */
import { retrieveResponseEndpoint } from '../lib/operations/responses/stored/retrieve.ts';
import { storedResponsesRuntime } from '../lib/runtime/stored-responses-runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf('responses-retrieve', storedResponsesRuntime, ({ responses }) =>
  retrieveResponseEndpoint(responses),
);
