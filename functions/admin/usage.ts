/** The Lambda of `GET /admin/v1/usage`. */
import { usageEndpoint } from '../../lib/admin/usage/usage.ts';
import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { serveAdmin } from '../../lib/http/admin/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';
import { usageParts } from '../../lib/runtime/admin/admin-usage-runtime.ts';

const runtime = adminRuntime();

export const handler = serveAdmin(adminOperationNamed('admin-usage'), usageEndpoint(usageParts()), runtime);
