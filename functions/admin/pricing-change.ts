/** The Lambda of `PUT /admin/v1/tenants/{tenant}/pricing`. */

import { changePricingEndpoint } from '../../lib/admin/tenants/change-pricing.ts';
import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { serveAdmin } from '../../lib/http/admin/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';
import type { Variables } from '../../lib/runtime/environment.ts';

export function create(variables: Variables) {
  const runtime = adminRuntime(variables);

  return serveAdmin(adminOperationNamed('admin-pricing-change'), changePricingEndpoint(runtime), runtime);
}
