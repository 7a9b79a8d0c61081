/** The Lambda of `GET /v1/usage/requests/{request_id}`. */
import { ownRows } from '../lib/core/operations/own.ts';
import { requestEndpoint } from '../lib/operations/usage/request.ts';
import { usageRuntime } from '../lib/runtime/usage-runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf(ownRows, 'usage-request', usageRuntime, requestEndpoint);
