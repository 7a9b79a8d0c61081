/** The address that signs in to the dashboard of this machine, once. `url`: of the gateway, without a slash at the end. */
import { adminOperationNamed } from '../lib/core/admin/admin-operations.ts';

export const dashboardUrlOf = (url: string, ticket: string): string =>
  `${url}${adminOperationNamed('admin-session-start').path}?token=${ticket}`;
