/** Remarks on a bill: the workload may exceed quotas. */
import { quotas } from './quotas.ts';
import type { Traffic } from './traffic.ts';

/** One line for each exceeded quota. */
export const remarksOn = (traffic: Traffic): readonly string[] =>
  quotas
    .filter(({ needed, limit }) => needed(traffic) >= limit)
    .map(
      ({ name, needed, limit, unit }) =>
        `Exceeds a quota: ${name}, ${Math.ceil(needed(traffic)).toLocaleString('en-US')} of ${limit.toLocaleString('en-US')} ${unit}. See --quotas.`,
    );
