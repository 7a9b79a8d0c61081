/** Management keys as the admin API shows them, and the input that makes one. A secret is only in the answer that makes it. */
import * as z from 'zod/mini';
import { adminOperations } from '../../core/admin/admin-operations.ts';
import { roles } from '../../core/admin/user.ts';
import { cursor, deletedOf, listOf, pageLimit } from '../list-schema.ts';
import { keyId, seconds, shownName, tenantName } from '../tenancy-schema.ts';

/** Keys of one page. */
export const maxManagementKeyPage = 1_000;
export const defaultManagementKeyPage = 100;

/** Keys of one tenant, and those of no tenant, with expired ones that are not deleted yet. */
export const maxManagementKeys = 100;

/** How long a key may last, in days: a leap year. */
export const maxManagementKeyDays = 366;
export const defaultManagementKeyDays = 90;

const maxName = 200;

/** The names of those that a management key may call. */
const managedOperations = adminOperations.filter(({ roles }) => roles).map(({ name }) => name);

/** Newest first. */
export const managementKeysListQuery = z.strictObject({
  limit: pageLimit(maxManagementKeyPage),
  after: cursor(),
  tenant: z.optional(tenantName()),
});

export const managementKeyPath = z.strictObject({ management_key: keyId() });

export const managementKeySchema = z.object({
  object: z.literal('management_key'),
  id: z.string(),
  /** What it is for. */
  name: z.string(),
  role: z.enum(roles),
  /** Null: an operator's. */
  tenant: z.nullable(z.string()),
  /** Null: all of the role, but for those that make and revoke management keys. */
  operations: z.nullable(z.array(z.string())),
  status: z.enum(['active', 'expired']),
  created_at: z.int(),
  created_by: z.object({ id: z.string(), name: z.string() }),
  expires_at: z.int(),
});

export const managementKeysListAnswer = listOf(managementKeySchema);

export const managementKeysCreateInput = z.strictObject({
  name: shownName(maxName),
  /** None above that of the maker. */
  role: z.enum(roles),
  /** For all but operators; absent for that of the maker. */
  tenant: z.optional(tenantName()),
  /** Null or absent: all of the role, but for those that make and revoke management keys. */
  operations: z.optional(
    z.nullable(
      z.array(z.enum(managedOperations)).check(z.minLength(1), z.maxLength(managedOperations.length)),
    ),
  ),
  expires_at: z.optional(seconds()),
});

/** `key` is the secret, which is never shown again. */
export const createdManagementKeyAnswer = z.object({ ...managementKeySchema.shape, key: z.string() });

export const managementKeyRevokedAnswer = deletedOf('management_key');

export type ManagementKeysListQuery = z.infer<typeof managementKeysListQuery>;
export type ManagementKeysListAnswer = z.infer<typeof managementKeysListAnswer>;
export type ManagementKeyRow = z.infer<typeof managementKeySchema>;
export type ManagementKeysCreateInput = z.infer<typeof managementKeysCreateInput>;
export type CreatedManagementKeyAnswer = z.infer<typeof createdManagementKeyAnswer>;
export type ManagementKeyRevokedAnswer = z.infer<typeof managementKeyRevokedAnswer>;
