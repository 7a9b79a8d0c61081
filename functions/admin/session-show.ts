/** The Lambda of `GET /admin/v1/session`. */

import { showEndpoint } from '../../lib/admin/sessions/show.ts';
import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { serveOpen } from '../../lib/http/admin/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';
import type { Variables } from '../../lib/runtime/environment.ts';

export function create(variables: Variables) {
  const runtime = adminRuntime(variables);

  return serveOpen(adminOperationNamed('admin-session-show'), showEndpoint(runtime), runtime);
}
