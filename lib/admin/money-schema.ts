/** The money of keys and tenants: what was charged this month, and how much of their limits is used. */
import * as z from 'zod/mini';
import { limitUseSchema } from './tenancy-schema.ts';
import { spendSchema } from './usage/schema.ts';

export const subjectMoney = {
  /** Null: this gateway keeps no sums. */
  spend: z.nullable(spendSchema),
  /** Of each limit that is set. */
  use: z.array(limitUseSchema),
};

/** Lists have it where `include=spend` is asked for: it takes further reads. */
export const includeParameter = () => ({
  include: z.optional(z.enum(['spend'], 'must be spend')),
});

export const shownMoney = () => ({
  spend: z.optional(subjectMoney.spend),
  use: z.optional(subjectMoney.use),
});
