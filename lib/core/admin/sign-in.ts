/** Sign-in at an issuer of OpenID Connect. The browser comes to both, and they touch no table. */
import type { AdminRow } from './row.ts';

export const signInOperations = [
  {
    name: 'admin-sign-in',
    method: 'GET',
    path: '/admin/v1/sign-in',
    isOpened: true,
    onlyGet: true,
    reads: [],
  },
  {
    name: 'admin-sign-in-callback',
    method: 'GET',
    path: '/admin/v1/sign-in/callback',
    isOpened: true,
    onlyGet: true,
    reads: [],
  },
] as const satisfies readonly AdminRow[];

export const sessionOperations = [
  {
    name: 'admin-session-show',
    method: 'GET',
    path: '/admin/v1/session',
    reads: ['access', 'state'],
  },
  {
    name: 'admin-session-open',
    method: 'POST',
    path: '/admin/v1/session',
    reads: ['access', 'state'],
    writes: ['state'],
  },
  {
    name: 'admin-session-end',
    method: 'DELETE',
    path: '/admin/v1/session',
    reads: [],
    deletes: ['state'],
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
  },
] as const satisfies readonly AdminRow[];
