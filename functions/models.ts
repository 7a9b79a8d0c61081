/** The Lambda of `GET /v1/models`. */
import { modelsEndpoint } from '../lib/operations/models/list.ts';
import { lightRuntime } from '../lib/runtime/light-runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf('models', lightRuntime, ({ catalog }) => modelsEndpoint(catalog));
