/** The Lambda of `GET /admin/v1/keys`. */
import { listEndpoint } from '../../lib/admin/keys/read-key.ts';
import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { serveAdmin } from '../../lib/http/admin/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';

const runtime = adminRuntime();

export const handler = serveAdmin(adminOperationNamed('admin-keys-list'), listEndpoint(runtime), runtime);
