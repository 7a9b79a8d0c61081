/** The query of usage: as that of `GET /v1/usage`, with the tenant and further groups and filters. */

import * as z from 'zod/mini';
import { queryIntegerBetween } from '../../core/formats/query-schema.ts';
import { dayMs } from '../../core/time.ts';
import { isTagGroup, type TagGroup } from '../../metering/usage/groups.ts';
import { beginningOfMonth, maxDays, maxGroups, maxUsageRows, wrong } from '../../metering/usage/question.ts';
import { maxUsageFilter } from './overview-question.ts';
import { usageGroups } from './schema.ts';
import { timeParameter } from './times.ts';

export type UsageGroup = (typeof usageGroups)[number] | TagGroup;

const filter = () => z.optional(z.string().check(z.minLength(1), z.maxLength(maxUsageFilter)));

const isUsageGroup = (name: unknown): name is UsageGroup =>
  usageGroups.some((group) => group === name) || isTagGroup(name);

const groupBy = z.pipe(
  z.pipe(
    z._default(z.union([z.string(), z.array(z.string())]), 'day'),
    z.transform((names) => [...new Set([names].flat().flatMap((name) => name.split(',')))]),
  ),
  z.custom<readonly UsageGroup[], string[]>(
    (names) => Array.isArray(names) && names.length <= maxGroups && names.every(isUsageGroup),
    `must be a list of up to ${maxGroups} of: ${usageGroups.join(', ')}, tag:<name>`,
  ),
);

export const usageQuery = z.strictObject({
  from: timeParameter('beginning'),
  to: timeParameter('end'),
  group_by: groupBy,
  tenant: filter(),
  model: filter(),
  key: filter(),
  user: filter(),
  limit: z._default(queryIntegerBetween(1, maxUsageRows), 100),
  after: z.optional(z.string()),
});

/** With its times: `to` is by default the end of today, `from` the beginning of its month. */
export function readUsage(query: z.output<typeof usageQuery>, now: number) {
  const { to = (Math.floor(now / dayMs) + 1) * dayMs } = query;
  const { from = beginningOfMonth(to - 1) } = query;
  if (from >= to) throw wrong('from', "must be before 'to'");
  if (to - from > maxDays * dayMs) throw wrong('from', `must be at most ${maxDays} days before 'to'`);
  return { ...query, from, to };
}

export type UsageQuestion = ReturnType<typeof readUsage>;
