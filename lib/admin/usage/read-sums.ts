/** Reads the sums that an overview is made of, from where they are least: by hour or day, and by what it is split. */
import { dayOf } from '../../core/accounting/counters.ts';
import type { Numbers } from '../../core/accounting/sums.ts';
import type { KeySum, SumsStore } from '../../core/ports/sums-store.ts';
import type { Span } from '../../core/ports/usage-store.ts';
import type { OverviewQuestion } from './overview-question.ts';
import { periodsOf, slotsOf } from './periods.ts';
import type { Scope } from './scope.ts';

/** The sum of one hour or day. */
export interface PeriodSum {
  readonly period: string;
  readonly numbers: Numbers;
}

/** Of one of the groups. */
export interface GroupSum extends PeriodSum {
  readonly id: string | null;
}

interface ReadSums {
  /** Of all groups together. */
  readonly totals: readonly PeriodSum[];
  readonly groups: readonly GroupSum[];
  /** Whether no group is left out that could be among the greatest. */
  readonly isExact: boolean;
  /** How many groups there are; undefined: unknown. */
  readonly count?: number;
}

/** Sums of users of one overview, the latest days first: a tenant may have any number of users. */
const maxUserSums = 20_000;

type Asked = Pick<OverviewQuestion, 'grain' | 'groupBy' | 'model' | 'key' | 'user'>;

/** Tenants are ranked elsewhere. `span` is of whole hours or days. */
export async function readSums(sums: SumsStore, scope: Scope, asked: Asked, span: Span): Promise<ReadSums> {
  const { tenant } = scope;
  if (tenant === undefined) return await readDeployments(sums, asked, span);
  if (asked.groupBy === 'user') return await readUsers(sums, tenant, asked, span);
  const rows = await readKeys(sums, tenant, scope, asked, span);
  const idOf = { model: ({ model }: KeySum) => model, key: ({ key }: KeySum) => key, tenant: () => tenant };
  const name = asked.groupBy === 'key' || asked.groupBy === 'tenant' ? asked.groupBy : 'model';
  const groups = rows.map((row) => ({ period: row.period, id: idOf[name](row), numbers: row.numbers }));
  return { totals: groups, groups, isExact: true };
}

async function readDeployments(
  sums: SumsStore,
  { grain, groupBy, model }: Asked,
  span: Span,
): Promise<ReadSums> {
  const periods = periodsOf(span, grain);
  const rows = await (grain === 'hour' ? sums.deploymentHours(periods) : sums.deploymentDays(periods));
  const groups = rows
    // A deployment that was called, but where no request has ended.
    .filter(({ numbers }) => Object.hasOwn(numbers, 'requests'))
    .filter((row) => model === undefined || row.model === model)
    .map((row) => ({
      period: row.period,
      id: groupBy === 'provider' ? row.provider : row.model,
      numbers: row.numbers,
    }));
  return { totals: groups, groups, isExact: true };
}

export async function readKeys(
  sums: Pick<SumsStore, 'hours' | 'days'>,
  tenant: string,
  { keys }: { readonly keys?: Scope['keys'] | undefined },
  { grain, model, key }: Pick<Asked, 'grain' | 'model' | 'key'>,
  span: Span,
): Promise<readonly KeySum[]> {
  const periods = periodsOf(span, grain);
  const rows = await (grain === 'hour' ? sums.hours(tenant, periods) : sums.days(tenant, periods));
  return rows.filter(
    (row) =>
      (!keys || keys.has(row.key)) &&
      (model === undefined || row.model === model) &&
      (key === undefined || row.key === key),
  );
}

async function readUsers(sums: SumsStore, tenant: string, { user }: Asked, span: Span): Promise<ReadSums> {
  const days = slotsOf(span, 'day').map(dayOf);
  const named = ({ period, user: id, numbers }: { period: string; user: string; numbers: Numbers }) => ({
    period,
    id,
    numbers,
  });
  if (user !== undefined) {
    const groups = (await sums.usersIn(tenant, user, days)).map(named);
    return { totals: groups, groups, isExact: true };
  }
  const [totals, users] = await Promise.all([
    sums.tenantsIn([tenant], days),
    sums.users(tenant, periodsOf(span, 'day'), maxUserSums),
  ]);
  return { totals, groups: users.sums.map(named), isExact: users.isComplete };
}

/** The sums of days, of everything that the overview is of. */
export async function readDays(
  sums: SumsStore,
  scope: Scope,
  asked: Omit<Asked, 'grain' | 'groupBy'>,
  span: Span,
  since: number | undefined,
): Promise<readonly PeriodSum[]> {
  const { tenant, keys } = scope;
  const { model, key, user } = asked;
  if (tenant === undefined)
    return (await readDeployments(sums, { grain: 'day', groupBy: 'model', model }, span)).totals;
  const days = slotsOf(span, 'day').map(dayOf);
  if (user !== undefined) return await sums.usersIn(tenant, user, days);
  const isWhole = !keys && model === undefined && key === undefined;
  if (isWhole && since !== undefined && since <= span.from) return await sums.tenantsIn([tenant], days);
  return await readKeys(sums, tenant, scope, { ...asked, grain: 'day' }, span);
}
