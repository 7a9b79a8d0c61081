/** The Lambda of `POST /admin/v1/tenants`. */
import { createEndpoint } from '../../lib/admin/tenants/write-tenant.ts';
import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { serveAdmin } from '../../lib/http/admin/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';

const runtime = adminRuntime();

export const handler = serveAdmin(
  adminOperationNamed('admin-tenants-create'),
  createEndpoint(runtime),
  runtime,
);
