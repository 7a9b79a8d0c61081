/** The Lambda of `POST /admin/v1/tenants/{tenant}/adjustments`. */

import { addAdjustmentEndpoint } from '../../lib/admin/tenants/adjustments.ts';
import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { serveAdmin } from '../../lib/http/admin/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';
import type { Variables } from '../../lib/runtime/environment.ts';

export function create(variables: Variables) {
  const runtime = adminRuntime(variables);

  return serveAdmin(adminOperationNamed('admin-adjustments-add'), addAdjustmentEndpoint(runtime), runtime);
}
