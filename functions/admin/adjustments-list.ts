/** The Lambda of `GET /admin/v1/tenants/{tenant}/adjustments`. */
import { listAdjustmentsEndpoint } from '../../lib/admin/tenants/adjustments.ts';
import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { serveAdmin } from '../../lib/http/admin/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';

const runtime = adminRuntime();

export const handler = serveAdmin(
  adminOperationNamed('admin-adjustments-list'),
  listAdjustmentsEndpoint(runtime),
  runtime,
);
