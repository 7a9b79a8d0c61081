/** The Lambda of `PUT /admin/v1/tenants/{tenant}/pricing`. */
import { changePricingEndpoint } from '../../lib/admin/tenants/change-pricing.ts';
import { adminOperationNamed } from '../../lib/core/admin-operations.ts';
import { serveAdmin } from '../../lib/http/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin-runtime.ts';

const runtime = adminRuntime();

export const handler = serveAdmin(
  adminOperationNamed('admin-pricing-change'),
  changePricingEndpoint(runtime),
  runtime,
);
