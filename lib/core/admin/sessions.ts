/** Sign-in and sign-out. Sessions are items of the table `state`; API keys, by which some begin, of the table `access`. */
import type { AdminOperation } from './row.ts';

export const sessionOperations = [
  {
    name: 'admin-session-show',
    method: 'GET',
    path: '/admin/v1/session',
    reads: ['access', 'state'],
    timeoutSeconds: 30,
  },
  {
    name: 'admin-session-open',
    method: 'POST',
    path: '/admin/v1/session',
    reads: ['access', 'state'],
    writes: ['state'],
    timeoutSeconds: 30,
  },
  {
    name: 'admin-session-end',
    method: 'DELETE',
    path: '/admin/v1/session',
    reads: [],
    deletes: ['state'],
    timeoutSeconds: 30,
  },
  {
    name: 'admin-session-start',
    method: 'GET',
    path: '/dashboard/start',
    isOpened: true,
    onlyGet: true,
    onServersOnly: true,
    reads: [],
    stateItems: ['session', 'ticket'],
    writes: ['state'],
    deletes: ['state'],
    timeoutSeconds: 30,
  },
] as const satisfies readonly AdminOperation[];
