/** The Lambda of `POST /admin/v1/keys/{key}/disable`. */
import { disableEndpoint } from '../../lib/admin/keys/write-key.ts';
import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { serveAdmin } from '../../lib/http/admin/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';

const runtime = adminRuntime();

export const handler = serveAdmin(
  adminOperationNamed('admin-keys-disable'),
  disableEndpoint(runtime),
  runtime,
);
