/** Of what was used: sums, requests, batches and their files, and the audit log. */
import { type AdminFunctions, type Asked, forRoles } from './admin-function.ts';

async function usage({ variables }: Asked) {
  const { usageParts } = await import('../../lib/runtime/admin/admin-usage-runtime.ts');
  return usageParts(variables);
}

async function batches(asked: Asked) {
  const [parts, { batchOperationsRuntime }] = await Promise.all([
    usage(asked),
    import('../../lib/runtime/batch-operations-runtime.ts'),
  ]);
  const { batches, files } = batchOperationsRuntime(asked.variables);
  return { ...parts, batches, files };
}

export const usageFunctions = {
  'admin-audit-list': forRoles(async (r) =>
    (await import('../../lib/admin/audit/list-audit.ts')).listAuditEndpoint(r),
  ),
  'admin-usage': forRoles(async (_, asked) =>
    (await import('../../lib/admin/usage/usage.ts')).usageEndpoint(await usage(asked)),
  ),
  'admin-overview': forRoles(async (_, asked) =>
    (await import('../../lib/admin/usage/overview.ts')).overviewEndpoint(await usage(asked)),
  ),
  'admin-alerts-list': forRoles(async (_, asked) =>
    (await import('../../lib/admin/alerts/list.ts')).listAlertsEndpoint(await usage(asked)),
  ),
  'admin-requests-list': forRoles(async (_, asked) =>
    (await import('../../lib/admin/requests/list.ts')).listEndpoint(await usage(asked)),
  ),
  'admin-requests-retrieve': forRoles(async (_, asked) =>
    (await import('../../lib/admin/requests/retrieve.ts')).retrieveEndpoint(await usage(asked)),
  ),
  'admin-requests-cancel': forRoles(async (_, asked) =>
    (await import('../../lib/admin/requests/cancel.ts')).cancelEndpoint(await usage(asked)),
  ),
  'admin-batches-list': forRoles(async (_, asked) =>
    (await import('../../lib/admin/batches/list.ts')).listEndpoint(await batches(asked)),
  ),
  'admin-batches-retrieve': forRoles(async (_, asked) =>
    (await import('../../lib/admin/batches/retrieve.ts')).retrieveEndpoint(await batches(asked)),
  ),
  'admin-batches-cancel': forRoles(async (_, asked) =>
    (await import('../../lib/admin/batches/cancel.ts')).cancelEndpoint(await batches(asked)),
  ),
  'admin-files-list': forRoles(async (_, asked) =>
    (await import('../../lib/admin/batches/files.ts')).filesEndpoint(await batches(asked)),
  ),
} satisfies AdminFunctions;
