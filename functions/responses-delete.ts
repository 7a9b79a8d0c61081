/** The Lambda of `DELETE /v1/responses/{response_id}`. */
import { deleteResponseEndpoint } from '../lib/operations/responses/stored/delete.ts';
import { storedResponsesRuntime } from '../lib/runtime/stored-responses-runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf('responses-delete', storedResponsesRuntime, deleteResponseEndpoint);
