/** The Lambda of `GET /admin/v1/requests`. */
import { listEndpoint } from '../../lib/admin/requests/list.ts';
import { adminOperationNamed } from '../../lib/core/admin-operations.ts';
import { serveAdmin } from '../../lib/http/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin-runtime.ts';
import { usageParts } from '../../lib/runtime/admin-usage-runtime.ts';

const runtime = adminRuntime();

export const handler = serveAdmin(
  adminOperationNamed('admin-requests-list'),
  listEndpoint(usageParts()),
  runtime,
);
