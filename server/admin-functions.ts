/** The functions of the dashboard's operations, each loaded on demand. */
import type { AdminOperationName } from '../lib/core/admin-operations.ts';

type Load = () => Promise<{ readonly handler: unknown }>;

export const adminFunctions: Readonly<Record<AdminOperationName, Load>> = {
  'admin-session-show': () => import('../functions/admin/session-show.ts'),
  'admin-session-open': () => import('../functions/admin/session-open.ts'),
  'admin-session-end': () => import('../functions/admin/session-end.ts'),
  'admin-session-start': () => import('../functions/admin/session-start.ts'),
  'dashboard-files': () => import('../functions/admin/dashboard-files.ts'),
};
