/** The Lambda of `GET /v1/models`. */
import { ownRows } from '../lib/core/operations/own.ts';
import { modelsEndpoint } from '../lib/operations/models/list.ts';
import { runtimeOf } from '../lib/runtime/runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf(ownRows, 'models', runtimeOf, ({ catalog }) => modelsEndpoint(catalog));
