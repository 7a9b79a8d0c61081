/** The Lambda of `POST /admin/v1/keys`. */

import { createEndpoint } from '../../lib/admin/keys/write-key.ts';
import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { serveAdmin } from '../../lib/http/admin/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';
import type { Variables } from '../../lib/runtime/environment.ts';

export function create(variables: Variables) {
  const runtime = adminRuntime(variables);

  return serveAdmin(adminOperationNamed('admin-keys-create'), createEndpoint(runtime), runtime);
}
