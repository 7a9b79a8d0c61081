/** Sums up the usage of all tenants: from the sums of deployments, tenants and keys, else from the newest records of the ledger. */

import { dayOf } from '../../core/accounting/counters.ts';
import { sumDays } from '../../core/accounting/sums.ts';
import type { SumsStore } from '../../core/ports/sums-store.ts';
import { dayMs } from '../../core/time.ts';
import { createSums } from '../../metering/usage/groups.ts';
import { wrong } from '../../metering/usage/question.ts';
import { gatherMonths } from './gather-months.ts';
import { gatherNewest, type NewestReads } from './gather-newest.ts';
import type { GatheredUsage } from './gathered.ts';
import { periodsOf, slotsOf, stepOf } from './periods.ts';
import type { UsageQuestion } from './usage-question.ts';

/** Days of a question about each tenant by day. */
const maxTenantDays = 7;

/** Days of a question about hours, or with parts of days. */
const maxHourDays = 31;

const ofDeployments: ReadonlySet<string> = new Set(['hour', 'day', 'model', 'provider']);
const ofTenants: ReadonlySet<string> = new Set(['day', 'tenant']);
const ofMonths: ReadonlySet<string> = new Set(['tenant', 'key']);

type Reads = Pick<
  SumsStore,
  | 'deploymentHours'
  | 'deploymentDays'
  | 'tenants'
  | 'tenantCharges'
  | 'keyCharges'
  | 'findMany'
  | 'since'
  | 'keysSince'
>;

interface AllReads extends NewestReads {
  readonly sums: Reads;
}

interface Asked extends UsageQuestion {
  readonly signal: AbortSignal;
}

export async function gatherAll(reads: AllReads, asked: Asked, now: number): Promise<GatheredUsage> {
  const { group_by: groupBy, from, key, user } = asked;
  if (key !== undefined) throw wrong('key', "needs a 'tenant'");
  if (user !== undefined) throw wrong('user', "needs a 'tenant'");
  const { sums } = reads;
  const gathered = await fromSums(sums, asked, now);
  if (!gathered) return await gatherNewest(reads, asked, now);
  const began = (await (groupBy.includes('key') ? sums.keysSince() : sums.since())) ?? now;
  const since = Math.max(began, Math.floor(now / dayMs - sumDays + 1) * dayMs);
  return { ...gathered, since, completeFrom: Math.max(from, since) };
}

/** Undefined if no sums have what is asked for. */
async function fromSums(sums: Reads, question: UsageQuestion, now: number): Promise<Gathered | undefined> {
  const { group_by: groupBy, from, to, model } = question;
  const isOf = (names: ReadonlySet<string>) => groupBy.every((name) => names.has(name));
  const hasDays = from % dayMs === 0 && to % dayMs === 0;
  if (isOf(ofDeployments)) return await fromDeployments(sums, question, hasDays);
  if (!hasDays || model !== undefined) return undefined;
  if (isOf(ofMonths)) return await gatherMonths(sums, question, now);
  return isOf(ofTenants) ? await fromTenants(sums, question) : undefined;
}

type Gathered = Omit<GatheredUsage, 'since' | 'completeFrom'>;

async function fromDeployments(
  sums: Reads,
  { group_by: groupBy, from, to, model }: UsageQuestion,
  hasDays: boolean,
): Promise<Gathered> {
  const isOfDays = !groupBy.includes('hour') && hasDays;
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

async function fromTenants(sums: Reads, { group_by: groupBy, from, to }: UsageQuestion): Promise<Gathered> {
  const days = slotsOf({ from, to }, 'day').map(dayOf);
  if (days.length > maxTenantDays)
    throw wrong('from', `must be at most ${maxTenantDays} days before 'to' with 'group_by=day,tenant'`);
  const found = createSums(groupBy);
  const read = await Promise.all(days.map((day) => sums.tenants(day)));
  for (const { period, tenant, numbers } of read.flat()) found.add({ day: period, tenant }, numbers);
  return { sums: found, source: 'daily_counters' };
}
