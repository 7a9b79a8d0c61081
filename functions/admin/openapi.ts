/** The Lambda of `GET /admin/v1/openapi.json`. */

import document from '../../docs/admin-openapi.json' with { type: 'json' };
import { nothing } from '../../lib/core/admin/admin-endpoint.ts';
import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { serveOpen } from '../../lib/http/admin/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';
import type { Variables } from '../../lib/runtime/environment.ts';

export const create = (variables: Variables) =>
  serveOpen(
    adminOperationNamed('admin-openapi'),
    { parameters: nothing, body: nothing, answer: async () => ({ type: 'json', body: document }) },
    adminRuntime(variables),
  );
