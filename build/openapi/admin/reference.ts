/** What the reference of the dashboard's API has of each operation beside its row: its words, and the schemas of its input and answer. */
import { alertsListAnswer, alertsListQuery } from '../../../lib/admin/alerts/schema.ts';
import { auditListAnswer, auditListQuery } from '../../../lib/admin/audit/schema.ts';
import type { AdminReference } from './admin-reference.ts';
import { batchesReference } from './reference/batches.ts';
import { catalogReference } from './reference/catalog.ts';
import { credentialsReference } from './reference/credentials.ts';
import { guardrailsReference } from './reference/guardrails.ts';
import { keysReference } from './reference/keys.ts';
import { managementKeysReference } from './reference/management-keys.ts';
import { membersReference } from './reference/members.ts';
import { modelsReference } from './reference/models.ts';
import { providersReference } from './reference/providers.ts';
import { requestsReference } from './reference/requests.ts';
import { sessionReference } from './reference/session.ts';
import { tenantsReference } from './reference/tenants.ts';
import { usageReference } from './reference/usage.ts';

/** By the name of the operation. */
export const adminReference: Readonly<Record<string, AdminReference>> = {
  ...sessionReference,
  ...tenantsReference,
  ...keysReference,
  ...usageReference,
  ...requestsReference,
  ...batchesReference,
  ...credentialsReference,
  ...guardrailsReference,
  ...modelsReference,
  ...providersReference,
  ...membersReference,
  ...managementKeysReference,
  ...catalogReference,
  'admin-audit-list': {
    tag: 'Audit',
    title: 'List changes',
    summary:
      'Lists who changed what, newest first. A page looks at a bounded number of records, so it may be empty and have more.',
    parameters: auditListQuery,
    answer: ['AuditList', auditListAnswer],
  },
  'admin-alerts-list': {
    tag: 'Alerts',
    title: 'List alerts',
    summary:
      'Lists what the gateway itself has found, newest first, for 30 days: budgets that are nearly used up, providers whose calls fail, and sums that are behind. Of a tenant, those about it.',
    parameters: alertsListQuery,
    answer: ['AlertList', alertsListAnswer],
  },
  'admin-openapi': {
    tag: 'Reference',
    title: 'Get this document',
    summary: 'Returns the OpenAPI 3.1 document of this API. It needs no sign-in.',
  },
};
