/** The functions of the dashboard's operations, each loaded on demand. */
import type { AdminOperationName } from '../lib/core/admin/admin-operations.ts';
import type { Variables } from '../lib/runtime/environment.ts';

type Load = () => Promise<{ create(variables: Variables): unknown }>;

export const adminFunctions: Readonly<Record<AdminOperationName, Load>> = {
  'admin-openapi': () => import('../functions/admin/openapi.ts'),
  'admin-models-list': () => import('../functions/admin/models-list.ts'),
  'admin-providers-list': () => import('../functions/admin/providers-list.ts'),
  'admin-providers-set': () => import('../functions/admin/providers-set.ts'),
  'admin-playground': () => import('../functions/admin/playground.ts'),
  'admin-session-show': () => import('../functions/admin/session-show.ts'),
  'admin-session-open': () => import('../functions/admin/session-open.ts'),
  'admin-session-end': () => import('../functions/admin/session-end.ts'),
  'admin-session-start': () => import('../functions/admin/session-start.ts'),
  'admin-keys-list': () => import('../functions/admin/keys-list.ts'),
  'admin-keys-create': () => import('../functions/admin/keys-create.ts'),
  'admin-keys-retrieve': () => import('../functions/admin/keys-retrieve.ts'),
  'admin-keys-change': () => import('../functions/admin/keys-change.ts'),
  'admin-keys-rotate': () => import('../functions/admin/keys-rotate.ts'),
  'admin-keys-disable': () => import('../functions/admin/keys-disable.ts'),
  'admin-tenants-list': () => import('../functions/admin/tenants-list.ts'),
  'admin-tenants-create': () => import('../functions/admin/tenants-create.ts'),
  'admin-tenants-retrieve': () => import('../functions/admin/tenants-retrieve.ts'),
  'admin-tenants-change': () => import('../functions/admin/tenants-change.ts'),
  'admin-credit-add': () => import('../functions/admin/credit-add.ts'),
  'admin-adjustments-list': () => import('../functions/admin/adjustments-list.ts'),
  'admin-adjustments-add': () => import('../functions/admin/adjustments-add.ts'),
  'admin-pricing-change': () => import('../functions/admin/pricing-change.ts'),
  'admin-audit-list': () => import('../functions/admin/audit-list.ts'),
  'admin-sign-in': () => import('../functions/admin/sign-in.ts'),
  'admin-sign-in-callback': () => import('../functions/admin/sign-in-callback.ts'),
  'admin-usage': () => import('../functions/admin/usage.ts'),
  'admin-overview': () => import('../functions/admin/overview.ts'),
  'admin-requests-list': () => import('../functions/admin/requests-list.ts'),
  'admin-requests-retrieve': () => import('../functions/admin/requests-retrieve.ts'),
  'admin-members-list': () => import('../functions/admin/members-list.ts'),
  'admin-members-invite': () => import('../functions/admin/members-invite.ts'),
  'admin-members-remove': () => import('../functions/admin/members-remove.ts'),
  'dashboard-files': () => import('../functions/admin/dashboard-files.ts'),
};
