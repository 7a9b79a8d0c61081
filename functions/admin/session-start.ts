/** The Lambda of `GET /dashboard/start`. */
import { startEndpoint } from '../../lib/admin/sessions/start.ts';
import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { serveOpen } from '../../lib/http/admin/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';

const runtime = adminRuntime();

export const handler = serveOpen(adminOperationNamed('admin-session-start'), startEndpoint(runtime), runtime);
