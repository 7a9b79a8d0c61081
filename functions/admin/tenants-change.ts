/** The Lambda of `PATCH /admin/v1/tenants/{tenant}`. */
import { changeEndpoint } from '../../lib/admin/tenants/write-tenant.ts';
import { adminOperationNamed } from '../../lib/core/admin-operations.ts';
import { serveAdmin } from '../../lib/http/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin-runtime.ts';

const runtime = adminRuntime();

export const handler = serveAdmin(
  adminOperationNamed('admin-tenants-change'),
  changeEndpoint(runtime),
  runtime,
);
