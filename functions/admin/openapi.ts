/** The Lambda of `GET /admin/v1/openapi.json`. Its document is beside the bundle. */
import { nothing } from '../../lib/core/admin/admin-endpoint.ts';
import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { serveOpen } from '../../lib/http/admin/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';
import type { Variables } from '../../lib/runtime/environment.ts';
import { readDocument } from '../../lib/runtime/read-document.ts';

export const create = (variables: Variables, read = async () => readDocument('admin-openapi')) =>
  serveOpen(
    adminOperationNamed('admin-openapi'),
    { parameters: nothing, body: nothing, answer: async () => ({ type: 'json', body: await read() }) },
    adminRuntime(variables),
  );
