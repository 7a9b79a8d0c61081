/** Bounds of what the dashboard reads: usage, the overview and requests. */
import {
  maxActiveTenants,
  maxFilter,
  maxLookedAt,
  maxRequestPage,
} from '../../../lib/admin/requests/schema.ts';
import { maxHourDays, maxTenantDays } from '../../../lib/admin/usage/gather-all.ts';
import { maxOverviewDays, maxUsageFilter } from '../../../lib/admin/usage/overview-question.ts';
import { maxCandidates } from '../../../lib/admin/usage/rank-tenants.ts';
import { maxUserSums } from '../../../lib/admin/usage/read-sums.ts';
import { maxMovers, maxOverviewGroups } from '../../../lib/admin/usage/schema.ts';
import { maxQueries } from '../../../lib/stores/usage/ledger-search.ts';
import { maxSums } from '../../../lib/stores/usage/read-sums.ts';
import type { LimitArea } from './row.ts';

export const usageSumLimits: LimitArea = {
  title: 'Usage and requests in the dashboard',
  rows: [
    {
      what: 'Days of an overview',
      limit: { maxOverviewDays },
      file: 'lib/admin/usage/overview-question.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Filter of usage and of an overview',
      limit: { maxUsageFilter },
      file: 'lib/admin/usage/overview-question.ts',
      unit: 'characters',
      onExceed: '400',
    },
    {
      what: 'Groups of an overview by name',
      limit: { maxOverviewGroups },
      file: 'lib/admin/usage/schema.ts',
      unit: 'count',
      onExceed: 'the rest is shown together',
    },
    {
      what: 'Movers of an overview',
      limit: { maxMovers },
      file: 'lib/admin/usage/schema.ts',
      unit: 'count',
      onExceed: 'the greatest are shown',
    },
    {
      what: 'Sums of users of an overview',
      limit: { maxUserSums },
      file: 'lib/admin/usage/read-sums.ts',
      unit: 'count',
      onExceed: 'the latest count; `groups_are_exact` is false',
    },
    {
      what: 'Tenants that an overview reads by day',
      limit: { maxCandidates },
      file: 'lib/admin/usage/rank-tenants.ts',
      unit: 'count',
      onExceed: '`groups_are_exact` says whether another could be greater',
    },
    {
      what: 'Sums of keys and models of one tenant in an answer',
      limit: { maxSums },
      file: 'lib/stores/usage/read-sums.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Days of usage by tenant, unless of whole months',
      limit: { maxTenantDays },
      file: 'lib/admin/usage/gather-all.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Days of usage of all tenants by hour',
      limit: { maxHourDays },
      file: 'lib/admin/usage/gather-all.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Requests on a page',
      limit: { maxRequestPage },
      file: 'lib/admin/requests/schema.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Records that a page of requests looks at',
      limit: { maxLookedAt },
      file: 'lib/admin/requests/schema.ts',
      unit: 'count',
      onExceed: 'the next page goes on; `searched_to` says from where',
    },
    {
      what: 'Queries of a page of requests',
      limit: { maxQueries },
      file: 'lib/stores/usage/ledger-search.ts',
      unit: 'count',
      onExceed: 'the next page goes on; `searched_to` says from where',
    },
    {
      what: 'Tenants whose requests an operator sees without naming one',
      limit: { maxActiveTenants },
      file: 'lib/admin/requests/schema.ts',
      unit: 'count',
      onExceed: 'those that were active last; `has_all_tenants` is false',
    },
    {
      what: 'Filter of requests',
      limit: { maxFilter },
      file: 'lib/admin/requests/schema.ts',
      unit: 'characters',
      onExceed: '400',
    },
  ],
};
