/** The schemas of what an operator types. */
import type * as z from 'zod/mini';
import { keysCreateInput, keysRotateInput } from '../../lib/admin/keys/schema.ts';
import { managementKeysCreateInput } from '../../lib/admin/management-keys/schema.ts';
import { membersInviteInput } from '../../lib/admin/members/schema.ts';
import { creditAddInput } from '../../lib/admin/tenants/credit-schema.ts';
import { adjustmentsAddInput } from '../../lib/admin/tenants/invoice-schema.ts';
import { pricingChangeInput } from '../../lib/admin/tenants/pricing-schema.ts';
import { tenantsChangeInput, tenantsCreateInput } from '../../lib/admin/tenants/schema.ts';
import type { OperationName } from './on-tables.ts';

/** Of what is in the body, where an operator types it. */
export const inputs: Readonly<Partial<Record<OperationName, z.core.$ZodType>>> = {
  'admin-keys-create': keysCreateInput,
  'admin-keys-rotate': keysRotateInput,
  'admin-tenants-create': tenantsCreateInput,
  'admin-tenants-change': tenantsChangeInput,
  'admin-credit-add': creditAddInput,
  'admin-adjustments-add': adjustmentsAddInput,
  'admin-pricing-change': pricingChangeInput,
  'admin-members-invite': membersInviteInput,
  'admin-management-keys-create': managementKeysCreateInput,
};
