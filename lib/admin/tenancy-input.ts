/** Limits and permissions of a valid input, as the stores have them. */
import { isOperationName } from '../core/tenancy.ts';
import type { TenancyChange } from '../stores/access/tenancy-fields.ts';
import { readLimits } from './limit-fields.ts';
import type { LimitsInput } from './tenancy-schema.ts';

interface TenancyInput {
  readonly limits?: LimitsInput | undefined;
  readonly models?: readonly string[] | null | undefined;
  readonly operations?: readonly string[] | null | undefined;
}

/** Only what is given; null removes it. The schema has refused unknown operations. */
export const tenancyOf = ({ limits, models, operations }: TenancyInput): TenancyChange => ({
  ...(limits && { limits: readLimits(limits) }),
  ...(models !== undefined && { models: models && [...new Set(models)] }),
  ...(operations !== undefined && {
    operations: operations && [...new Set(operations)].filter(isOperationName),
  }),
});
