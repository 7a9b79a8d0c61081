/** One Lambda: an operation with its runtime. */
import type * as z from 'zod/mini';
import type { Endpoint } from '../lib/core/endpoint.ts';
import { type OperationName, operationNamed } from '../lib/core/operations.ts';
import { type ServeParts, serve } from '../lib/http/serve.ts';
import type { Variables } from '../lib/runtime/environment.ts';

export const functionOf =
  <Runtime extends ServeParts, Schema extends z.core.$ZodType, Input>(
    name: OperationName,
    runtimeOf: (variables: Variables) => Runtime,
    endpointOf: (runtime: Runtime) => Endpoint<Schema, Input>,
  ) =>
  (variables: Variables) => {
    const runtime = runtimeOf(variables);
    return serve(operationNamed(name), endpointOf(runtime), runtime);
  };
