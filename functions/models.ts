/** The Lambda of `GET /v1/models`. */
import { ownRows } from '../lib/core/operations/own.ts';
import { modelsEndpoint } from '../lib/operations/models/list.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { type PublicRuntime, publicRuntimeOf } from '../lib/runtime/public-runtime.ts';
import { functionOf } from './function-of.ts';

/** Every request needs the whole catalog: where one is what the function is started for, it is read meanwhile. */
function readAhead(variables: Variables): PublicRuntime {
  const runtime = publicRuntimeOf(variables);
  if (variables.AWS_LAMBDA_INITIALIZATION_TYPE !== 'on-demand') return runtime;
  const { catalog } = runtime;
  // The request reads again what cannot be read here.
  for (const read of [catalog.list(), catalog.aliases()]) read.catch(() => {});
  return runtime;
}

export const create = functionOf(ownRows, 'models', readAhead, ({ catalog }) => modelsEndpoint(catalog));
