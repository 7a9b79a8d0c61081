/** The Lambda of `PUT /admin/v1/providers/{provider}/settings/{setting}`. */

import { providersSetEndpoint } from '../../lib/admin/providers/set.ts';
import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { serveAdmin } from '../../lib/http/admin/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';
import type { Variables } from '../../lib/runtime/environment.ts';
import { createProviderSettings } from '../../lib/runtime/provider-settings/provider-settings.ts';

export function create(variables: Variables) {
  const runtime = adminRuntime(variables);
  const settings = createProviderSettings(runtime.foundation);

  return serveAdmin(
    adminOperationNamed('admin-providers-set'),
    providersSetEndpoint({ ...runtime, settings }),
    runtime,
  );
}
