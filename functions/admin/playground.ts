/** The Lambda of `POST /admin/v1/playground/chat/completions`: that of chat completions, at a path of the dashboard's API. */

import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { operationNamed } from '../../lib/core/operations.ts';
import { serve } from '../../lib/http/serve.ts';
import { chatEndpoint } from '../../lib/operations/chat/endpoint.ts';
import type { Variables } from '../../lib/runtime/environment.ts';
import { generationRuntime } from '../../lib/runtime/generation-runtime.ts';

export function create(variables: Variables) {
  const runtime = generationRuntime(variables);
  const { path } = adminOperationNamed('admin-playground');

  return serve({ ...operationNamed('chat-completions'), path }, chatEndpoint(runtime), runtime);
}
