/** One Lambda: an operation with its runtime. */
import type * as z from 'zod/mini';
import type { Endpoint } from '../lib/core/endpoint.ts';
import { type Operation, type OperationName, rowNamed } from '../lib/core/operations/operation.ts';
import { serve } from '../lib/http/serve.ts';
import type { ServeParts } from '../lib/http/served/serve-parts.ts';
import type { Variables } from '../lib/runtime/environment.ts';

export const functionOf =
  <Runtime extends ServeParts, Schema extends z.core.$ZodType, Input>(
    rows: readonly Operation[],
    name: OperationName,
    runtimeOf: (variables: Variables) => Runtime,
    endpointOf: (runtime: Runtime) => Endpoint<Schema, Input>,
  ) =>
  (variables: Variables) => {
    const runtime = runtimeOf(variables);
    return serve(rowNamed(rows, name), endpointOf(runtime), runtime);
  };
