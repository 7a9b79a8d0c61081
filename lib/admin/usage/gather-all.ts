/** Sums up the usage of all tenants, from the sums of deployments and of tenants. */

import { dayOf } from '../../core/accounting/counters.ts';
import { monthOf } from '../../core/accounting/sums.ts';
import type { SumsStore } from '../../core/ports/sums-store.ts';
import { dayMs } from '../../core/time.ts';
import { createSums } from '../../metering/usage/groups.ts';
import { wrong } from '../../metering/usage/question.ts';
import type { GatheredUsage } from './gather-tenant.ts';
import { periodsOf, slotsOf, stepOf } from './periods.ts';
import type { UsageQuestion } from './usage-question.ts';

/** Days of a question about each tenant, unless it is about whole months. */
const maxTenantDays = 7;

/** Days of a question about hours, or with parts of days. */
const maxHourDays = 31;

const ofDeployments: ReadonlySet<string> = new Set(['hour', 'day', 'model', 'provider']);
const ofTenants: ReadonlySet<string> = new Set(['day', 'tenant']);

type Reads = Pick<SumsStore, 'deploymentHours' | 'deploymentDays' | 'tenants' | 'since'>;

export async function gatherAll(sums: Reads, question: UsageQuestion, now: number): Promise<GatheredUsage> {
  const { groupBy, from, key, user } = { ...question, groupBy: question.group_by };
  if (key !== undefined) throw wrong('key', "needs a 'tenant'");
  if (user !== undefined) throw wrong('user', "needs a 'tenant'");
  const gathered = groupBy.includes('tenant')
    ? await fromTenants(sums, question)
    : await fromDeployments(sums, question);
  const since = (await sums.since()) ?? now;
  return { ...gathered, completeFrom: Math.max(from, since) };
}

type Gathered = Omit<GatheredUsage, 'completeFrom'>;

async function fromDeployments(
  sums: Reads,
  { group_by: groupBy, from, to, model }: UsageQuestion,
): Promise<Gathered> {
  const unknown = groupBy.find((name) => !ofDeployments.has(name));
  if (unknown !== undefined) throw wrong('group_by', `can have '${unknown}' only with a 'tenant'`);
  const isOfDays = !groupBy.includes('hour') && from % dayMs === 0 && to % dayMs === 0;
  if (!isOfDays) refuseUnevenHours(from, to);
  const periods = periodsOf({ from, to }, isOfDays ? 'day' : 'hour');
  const rows = await (isOfDays ? sums.deploymentDays(periods) : sums.deploymentHours(periods));
  const found = createSums(groupBy);
  for (const row of rows) {
    const { period, provider, numbers } = row;
    if ((model !== undefined && row.model !== model) || !Object.hasOwn(numbers, 'requests')) continue;
    found.add({ hour: period, day: period.slice(0, 10), model: row.model, provider }, numbers);
  }
  return { sums: found, source: isOfDays ? 'daily_counters' : 'hourly_counters' };
}

function refuseUnevenHours(from: number, to: number): void {
  const { hour } = stepOf;
  if (from % hour !== 0) throw wrong('from', 'must be a whole hour (UTC)');
  if (to % hour !== 0) throw wrong('to', 'must be a whole hour (UTC)');
  if (to - from > maxHourDays * dayMs)
    throw wrong('from', `must be at most ${maxHourDays} days before 'to' where hours are asked for`);
}

async function fromTenants(
  sums: Reads,
  { group_by: groupBy, from, to, model }: UsageQuestion,
): Promise<Gathered> {
  const unknown = groupBy.find((name) => !ofTenants.has(name));
  if (unknown !== undefined)
    throw wrong('group_by', `cannot have both 'tenant' and '${unknown}' without a 'tenant'`);
  if (model !== undefined)
    throw wrong('model', "cannot be combined with 'group_by=tenant': tenants are not counted by model");
  const days = slotsOf({ from, to }, 'day').map(dayOf);
  const months = [...new Set(days.map((day) => day.slice(0, 7)))];
  const isOfMonths = isMonth(from) && isMonth(to) && !groupBy.includes('day');
  if (from % dayMs !== 0) throw wrong('from', "must be a whole day (UTC) with 'group_by=tenant'");
  if (to % dayMs !== 0) throw wrong('to', "must be a whole day (UTC) with 'group_by=tenant'");
  if (!isOfMonths && days.length > maxTenantDays) {
    throw wrong(
      'from',
      `must be at most ${maxTenantDays} days before 'to' with 'group_by=tenant', or both the beginning of a month`,
    );
  }
  const found = createSums(groupBy);
  const read = await Promise.all((isOfMonths ? months : days).map((period) => sums.tenants(period)));
  for (const { period, tenant, numbers } of read.flat()) found.add({ day: period, tenant }, numbers);
  return { sums: found, source: 'daily_counters' };
}

const isMonth = (time: number) => time === Date.parse(monthOf(time));
