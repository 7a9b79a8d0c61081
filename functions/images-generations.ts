/** The Lambda of `images-generations`: not served yet, and it says so. */
import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { createRuntime } from '../lib/runtime/runtime.ts';

export const handler = serve(operationNamed('images-generations'), undefined, createRuntime());
