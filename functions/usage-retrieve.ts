/** The Lambda of `GET /v1/usage`. */
import { ownRows } from '../lib/core/operations/own.ts';
import { usageEndpoint } from '../lib/operations/usage/usage.ts';
import { usageRuntime } from '../lib/runtime/usage-runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf(ownRows, 'usage-retrieve', usageRuntime, usageEndpoint);
