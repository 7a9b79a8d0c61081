/** The Lambda of `GET /admin/v1/tenants`. */
import { listEndpoint } from '../../lib/admin/tenants/read-tenant.ts';
import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { serveAdmin } from '../../lib/http/admin/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';

const runtime = adminRuntime();

export const handler = serveAdmin(adminOperationNamed('admin-tenants-list'), listEndpoint(runtime), runtime);
