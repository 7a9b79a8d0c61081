/** The Lambda of `POST /admin/v1/tenants/{tenant}/credit`. */
import { addCreditEndpoint } from '../../lib/admin/tenants/add-credit.ts';
import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { serveAdmin } from '../../lib/http/admin/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';

const runtime = adminRuntime();

export const handler = serveAdmin(
  adminOperationNamed('admin-credit-add'),
  addCreditEndpoint(runtime),
  runtime,
);
