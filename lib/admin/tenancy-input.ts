/** Permissions of a valid input. */
import { isOperationName } from '../core/tenancy.ts';
import type { TenancyChange } from '../stores/access/tenancy-fields.ts';

/** Null: all. The schema has refused unknown names. */
export const readOperations = (
  names: readonly string[] | null,
): NonNullable<TenancyChange['operations']> | null => names && [...new Set(names)].filter(isOperationName);
