/** The Lambda of `GET /v1/models/{model}`. */
import { ownRows } from '../lib/core/operations/own.ts';
import { modelsRetrieveEndpoint } from '../lib/operations/models/retrieve.ts';
import { runtimeOf } from '../lib/runtime/runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf(ownRows, 'models-retrieve', runtimeOf, ({ catalog }) =>
  modelsRetrieveEndpoint(catalog),
);
