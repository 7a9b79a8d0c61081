/** The Lambda of `GET /admin/v1/providers`. */

import { providersListEndpoint } from '../../lib/admin/providers/list.ts';
import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { serveAdmin } from '../../lib/http/admin/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';
import { modelParts } from '../../lib/runtime/admin/admin-services.ts';
import type { Variables } from '../../lib/runtime/environment.ts';
import { createProviderSettings } from '../../lib/runtime/provider-settings/provider-settings.ts';

export function create(variables: Variables) {
  const runtime = adminRuntime(variables);
  const settings = createProviderSettings(runtime.foundation);

  return serveAdmin(
    adminOperationNamed('admin-providers-list'),
    providersListEndpoint({ ...modelParts(runtime), hosts: runtime.hosts, settings }),
    runtime,
  );
}
