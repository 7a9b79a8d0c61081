/** The query of usage: as that of `GET /v1/usage`, with the tenant and further groups and filters. */
import * as z from 'zod/mini';
import { queryIntegerBetween, timeParameter } from '../../core/formats/query-schema.ts';
import { maxGathered } from '../../metering/usage/gather.ts';
import { isTagGroup, type TagGroup } from '../../metering/usage/groups.ts';
import { groupsParameter, pageParameters, spanOf } from '../../metering/usage/question.ts';
import { filter, orderParameters } from '../list-schema.ts';
import { usageGroups, usageSorts } from './schema.ts';

type UsageGroup = (typeof usageGroups)[number] | TagGroup;

const isUsageGroup = (name: unknown): name is UsageGroup =>
  usageGroups.some((group) => group === name) || isTagGroup(name);

export const usageQuery = z.strictObject({
  from: timeParameter('beginning', true),
  to: timeParameter('end', true),
  group_by: groupsParameter(isUsageGroup, [...usageGroups, 'tag:<name>']),
  tenant: filter(),
  model: filter(),
  key: filter(),
  user: filter(),
  search: filter(),
  max_records: z.optional(queryIntegerBetween(1, maxGathered)),
  include: z.optional(z.enum(['before'], 'must be: before')),
  ...orderParameters(usageSorts),
  ...pageParameters,
});

export const readUsage = (query: z.output<typeof usageQuery>, now: number) => ({
  ...query,
  ...spanOf(query, now),
});

export type UsageQuestion = ReturnType<typeof readUsage>;
