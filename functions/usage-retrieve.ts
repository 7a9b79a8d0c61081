/** The Lambda of `GET /v1/usage`. */
import { usageEndpoint } from '../lib/operations/usage/usage.ts';
import { usageRuntime } from '../lib/runtime/usage-runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf('usage-retrieve', usageRuntime, usageEndpoint);
