/** The Lambda of `GET /v1/responses/{response_id}/input_items`. */
import { responseInputItemsEndpoint } from '../lib/operations/responses/stored/input-items.ts';
import { storedResponsesRuntime } from '../lib/runtime/stored-responses-runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf('responses-input-items', storedResponsesRuntime, ({ responses }) =>
  responseInputItemsEndpoint(responses),
);
