/** The Lambda of `POST /v1/responses/{response_id}/cancel`. */
import { cancelResponseEndpoint } from '../lib/operations/responses/background/cancel.ts';
import { storedResponsesRuntime } from '../lib/runtime/stored-responses-runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf('responses-cancel', storedResponsesRuntime, cancelResponseEndpoint);
