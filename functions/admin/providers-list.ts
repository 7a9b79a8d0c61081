/** The Lambda of `GET /admin/v1/providers`. */
import { providersListEndpoint } from '../../lib/admin/providers/list.ts';
import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { serveAdmin } from '../../lib/http/admin/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';
import { modelParts } from '../../lib/runtime/admin/admin-services.ts';
import { createProviderSettings } from '../../lib/runtime/provider-settings/provider-settings.ts';

const runtime = adminRuntime();
const settings = createProviderSettings(runtime.foundation);

export const handler = serveAdmin(
  adminOperationNamed('admin-providers-list'),
  providersListEndpoint({ ...modelParts(runtime), hosts: runtime.hosts, settings }),
  runtime,
);
