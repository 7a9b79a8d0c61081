/** Sign-in at an issuer of OpenID Connect. The browser comes to both, and they touch no table. */
import type { AdminOperation } from './row.ts';

export const signInOperations = [
  {
    name: 'admin-sign-in',
    method: 'GET',
    path: '/admin/v1/sign-in',
    isOpened: true,
    onlyGet: true,
    reads: [],
    timeoutSeconds: 30,
  },
  {
    name: 'admin-sign-in-callback',
    method: 'GET',
    path: '/admin/v1/sign-in/callback',
    isOpened: true,
    onlyGet: true,
    reads: [],
    timeoutSeconds: 30,
  },
] as const satisfies readonly AdminOperation[];
