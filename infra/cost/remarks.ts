/** What a bill does not show: that a traffic cannot be had as it is. */
import { quotas } from './quotas.ts';
import type { Traffic } from './traffic.ts';

/** One line for each quota that this traffic goes beyond. */
export const remarksOn = (traffic: Traffic): readonly string[] =>
  quotas
    .filter(({ asked, limit }) => asked(traffic) >= limit)
    .map(
      ({ name, asked, limit, unit }) =>
        `Beyond a quota: ${name}, ${Math.ceil(asked(traffic)).toLocaleString('en-US')} of ${limit.toLocaleString('en-US')} ${unit}. See --quotas.`,
    );
