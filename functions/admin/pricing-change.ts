/** The Lambda of `PUT /admin/v1/tenants/{tenant}/pricing`. */
import { changePricingEndpoint } from '../../lib/admin/tenants/change-pricing.ts';
import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { serveAdmin } from '../../lib/http/admin/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';

const runtime = adminRuntime();

export const handler = serveAdmin(
  adminOperationNamed('admin-pricing-change'),
  changePricingEndpoint(runtime),
  runtime,
);
