/** The Lambda of `GET /dashboard/start`. */

import { startEndpoint } from '../../lib/admin/sessions/start.ts';
import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { serveOpen } from '../../lib/http/admin/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';
import type { Variables } from '../../lib/runtime/environment.ts';

export function create(variables: Variables) {
  const runtime = adminRuntime(variables);

  return serveOpen(adminOperationNamed('admin-session-start'), startEndpoint(runtime), runtime);
}
