/** The Lambda of `GET /v1/models/{model}`. */
import { ownRows } from '../lib/core/operations/own.ts';
import { modelsRetrieveEndpoint } from '../lib/operations/models/retrieve.ts';
import { publicRuntimeOf } from '../lib/runtime/public-runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf(ownRows, 'models-retrieve', publicRuntimeOf, ({ catalog }) =>
  modelsRetrieveEndpoint(catalog),
);
