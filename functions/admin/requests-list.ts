/** The Lambda of `GET /admin/v1/requests`. */

import { listEndpoint } from '../../lib/admin/requests/list.ts';
import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { serveAdmin } from '../../lib/http/admin/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';
import { usageParts } from '../../lib/runtime/admin/admin-usage-runtime.ts';
import type { Variables } from '../../lib/runtime/environment.ts';

export function create(variables: Variables) {
  const runtime = adminRuntime(variables);

  return serveAdmin(adminOperationNamed('admin-requests-list'), listEndpoint(usageParts(variables)), runtime);
}
