/** The Lambda of `GET /admin/v1/tenants/{tenant}`. */
import { retrieveEndpoint } from '../../lib/admin/tenants/read-tenant.ts';
import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { serveAdmin } from '../../lib/http/admin/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';

const runtime = adminRuntime();

export const handler = serveAdmin(
  adminOperationNamed('admin-tenants-retrieve'),
  retrieveEndpoint(runtime),
  runtime,
);
