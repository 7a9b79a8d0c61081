/** The files of the dashboard itself, which everybody may load. */
import type { AdminOperation } from './row.ts';

export const pageOperations = [
  {
    name: 'dashboard-files',
    method: 'GET',
    path: '/dashboard/{file+}',
    alsoAt: '/dashboard',
    isOpened: true,
    reads: [],
    timeoutSeconds: 30,
  },
] as const satisfies readonly AdminOperation[];
