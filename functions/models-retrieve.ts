/** The Lambda of `GET /v1/models/{model}`. */
import { modelsRetrieveEndpoint } from '../lib/operations/models/retrieve.ts';
import { lightRuntime } from '../lib/runtime/light-runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf('models-retrieve', lightRuntime, ({ catalog }) =>
  modelsRetrieveEndpoint(catalog),
);
