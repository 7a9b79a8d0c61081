/** The limits that apply to lines of batches. */
import type { Limits } from '../../core/tenancy.ts';
import type { Limited } from '../limits/limited.ts';

const paidLimits = ['dailyBudget', 'weeklyBudget', 'monthlyBudget', 'totalBudget', 'credit'] as const;

/** Budgets and credit only: a job may have more lines than a caller has requests in a minute. Who has none of them is left out. */
export const paidLimitsOf = (limited: readonly Limited[]): readonly Limited[] =>
  limited.flatMap((one) => {
    const limits = paidOnly(one.limits);
    return Object.keys(limits).length > 0 ? [{ ...one, limits }] : [];
  });

const paidOnly = (limits: Limits): Limits =>
  Object.fromEntries(
    paidLimits.flatMap((name) => (limits[name] === undefined ? [] : [[name, limits[name]] as const])),
  );
