/** The Lambda of `GET /admin/v1/models`. */

import { modelsListEndpoint } from '../../lib/admin/models/list.ts';
import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { serveAdmin } from '../../lib/http/admin/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';
import { modelParts } from '../../lib/runtime/admin/admin-services.ts';
import type { Variables } from '../../lib/runtime/environment.ts';

export function create(variables: Variables) {
  const runtime = adminRuntime(variables);

  return serveAdmin(
    adminOperationNamed('admin-models-list'),
    modelsListEndpoint(modelParts(runtime)),
    runtime,
  );
}
