/** A row of the table of the dashboard's operations. */

import type { RoutedOperation } from '../routes.ts';
import type { StateItem, TableName } from '../tables.ts';
import type { Role } from './user.ts';

/** One operation of the dashboard: its route, who may call it, and the permissions that its function needs. */
export interface AdminOperation extends RoutedOperation {
  readonly name: `admin-${string}` | `dashboard-${string}`;
  /** Who may call it; absent: it needs no sign-in. */
  readonly roles?: readonly Role[];
  /** True where a management key calls it only if its list of operations names it. */
  readonly mustBeNamed?: true;
  /** True for one that makes something: with the header `Idempotency-Key`, its answer is kept for a day. */
  readonly keepsAnswer?: true;
  /** True for an address that people open, perhaps from a page of another site; all others are called by the dashboard alone. */
  readonly isOpened?: true;
  /** True where it makes sense on a server only: the stacks have no function for it. */
  readonly onServersOnly?: true;
  /** The operation whose function serves it, too: a function for each would be too many for a stack. */
  readonly servedBy?: `admin-${string}`;
  /** Of the table `state`, the only items that its function reaches; absent: the sessions. */
  readonly stateItems?: readonly StateItem[];
  /** The tables its function may read as a whole. */
  readonly scans?: readonly TableName[];
}

/** A row as it is written: most requests take no more than half a minute. */
export type AdminRow = Omit<AdminOperation, 'timeoutSeconds'> & { readonly timeoutSeconds?: number };
