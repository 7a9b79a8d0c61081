/** Sign-in at an issuer of OpenID Connect. The browser comes to both, and they touch no table. */
import type { AdminRow } from './row.ts';

const opened = { method: 'GET', isOpened: true, onlyGet: true, reads: [] } as const;

export const signInOperations = [
  { ...opened, name: 'admin-sign-in', path: '/admin/v1/sign-in' },
  { ...opened, name: 'admin-sign-in-callback', path: '/admin/v1/sign-in/callback' },
] as const satisfies readonly AdminRow[];

const path = '/admin/v1/session';

export const sessionOperations = [
  { name: 'admin-session-show', method: 'GET', path, reads: ['access', 'state'] },
  { name: 'admin-session-open', method: 'POST', path, reads: ['access', 'state'], writes: ['state'] },
  { name: 'admin-session-end', method: 'DELETE', path, reads: [], deletes: ['state'] },
  {
    ...opened,
    name: 'admin-session-start',
    path: '/dashboard/start',
    onServersOnly: true,
    stateItems: ['session', 'ticket'],
    writes: ['state'],
    deletes: ['state'],
  },
] as const satisfies readonly AdminRow[];
