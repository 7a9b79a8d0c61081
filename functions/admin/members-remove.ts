/** The Lambda of `DELETE /admin/v1/members/{member}`. */

import { removeEndpoint } from '../../lib/admin/members/endpoints.ts';
import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { serveAdmin } from '../../lib/http/admin/serve-admin.ts';
import { adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';
import { membersIn } from '../../lib/runtime/admin/members.ts';
import type { Variables } from '../../lib/runtime/environment.ts';

export function create(variables: Variables) {
  const runtime = adminRuntime(variables);
  const parts = { ...runtime, members: membersIn(runtime.foundation) };

  return serveAdmin(adminOperationNamed('admin-members-remove'), removeEndpoint(parts), runtime);
}
