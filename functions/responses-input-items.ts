/** The Lambda of `GET /v1/responses/{response_id}/input_items`. */
import { generationRows } from '../lib/core/operations/generation.ts';
import { responseInputItemsEndpoint } from '../lib/operations/responses/stored/input-items.ts';
import { storedResponsesRuntime } from '../lib/runtime/stored-responses-runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf(
  generationRows,
  'responses-input-items',
  storedResponsesRuntime,
  ({ responses }) => responseInputItemsEndpoint(responses),
);
