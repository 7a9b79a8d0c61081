/**
 * The tenants that were charged most, without reading the days of all of them.
 *
 * Over few days all are read. Over more, the sums of the months that the days lie in are an upper bound of each tenant's: those with
 * the highest are read by day. No other can have more than the highest bound of the rest.
 */
import { dayOf } from '../../core/accounting/counters.ts';
import { monthOf } from '../../core/accounting/sums.ts';
import type { SumsStore, TenantSum } from '../../core/ports/sums-store.ts';
import type { Span } from '../../core/ports/usage-store.ts';
import { slotsOf } from './periods.ts';
import type { GroupSum } from './read-sums.ts';
import { maxOverviewGroups } from './schema.ts';
import { chargeIn, requestsIn } from './write-figures.ts';

/** Of so many days all tenants are read. */
const maxWholeDays = 4;

/** Tenants that are read by day. */
const maxCandidates = 12;

interface RankedTenants {
  readonly groups: readonly GroupSum[];
  /** How many tenants there are. */
  readonly count: number;
  /** What no other tenant can have been charged more than; 0: all are there. */
  readonly bound: number;
}

type Sums = Pick<SumsStore, 'tenants' | 'tenantCharges' | 'tenantsIn'>;

/** `span` is of whole days. */
export async function rankTenants(sums: Sums, span: Span): Promise<RankedTenants> {
  const days = slotsOf(span, 'day').map(dayOf);
  if (days.length <= maxWholeDays) {
    const all = (await Promise.all(days.map((day) => sums.tenants(day)))).flat();
    return { groups: all.map(toGroup), count: new Set(all.map(({ tenant }) => tenant)).size, bound: 0 };
  }
  const months = [...new Set(slotsOf(span, 'day').map(monthOf))];
  const bounds = boundsOf((await Promise.all(months.map((month) => sums.tenantCharges(month)))).flat());
  const candidates = bounds.slice(0, maxCandidates);
  const rows = await sums.tenantsIn(
    candidates.map(({ tenant }) => tenant),
    days,
  );
  return { groups: rows.map(toGroup), count: bounds.length, bound: bounds[maxCandidates]?.charge ?? 0 };
}

const toGroup = ({ period, tenant, numbers }: TenantSum): GroupSum => ({ period, id: tenant, numbers });

/** The highest first. */
function boundsOf(months: readonly TenantSum[]) {
  const bounds = [...Map.groupBy(months, ({ tenant }) => tenant)].map(([tenant, sums]) => ({
    tenant,
    charge: sums.reduce((sum, { numbers }) => sum + chargeIn(numbers), 0),
    requests: sums.reduce((sum, { numbers }) => sum + requestsIn(numbers), 0),
  }));
  return bounds.toSorted((one, other) => other.charge - one.charge || other.requests - one.requests);
}

/** Whether the greatest of these are surely the greatest of all. `charges`: the highest first. */
export const areExact = (charges: readonly number[], { bound, count }: RankedTenants): boolean =>
  count <= maxCandidates || bound === 0 || (charges[maxOverviewGroups - 1] ?? 0) >= bound;
