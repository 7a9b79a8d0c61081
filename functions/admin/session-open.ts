/** The Lambda of `POST /admin/v1/session`. */
import { openEndpoint } from '../../lib/admin/sessions/open.ts';
import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { serveOpen } from '../../lib/http/admin/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';

const runtime = adminRuntime();

export const handler = serveOpen(adminOperationNamed('admin-session-open'), openEndpoint(runtime), runtime);
