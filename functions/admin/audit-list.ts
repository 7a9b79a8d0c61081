/** The Lambda of `GET /admin/v1/audit`. */
import { listAuditEndpoint } from '../../lib/admin/audit/list-audit.ts';
import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { serveAdmin } from '../../lib/http/admin/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';

const runtime = adminRuntime();

export const handler = serveAdmin(
  adminOperationNamed('admin-audit-list'),
  listAuditEndpoint(runtime),
  runtime,
);
