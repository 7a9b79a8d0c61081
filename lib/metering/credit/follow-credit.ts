/** Keeps the use of grants known while tenants are active: once a day, and all the time around the expiry of a grant. */
import type { CreditGrant } from '../../core/accounting/credit.ts';
import { firstOpenDay, type Granted, type SettleParts, settleCredit } from './settle-credit.ts';

/** Each tenant that is active is read this often. */
const pauseMs = 300_000;

/** Around an expiry every change is allocated at once: a tenant that has no other credit may send nothing more. */
const beforeExpiryMs = 2 * pauseMs;
/** Until interrupted requests are finished. */
const afterExpiryMs = 2 * 3_600_000;

/** Tenants that a process remembers. More are forgotten all at once, and read again. */
export const maxFollowedTenants = 10_000;

/** To be called when the sums of a tenant have changed. */
export type FollowCredit = (tenant: string) => Promise<void>;

export function createFollowCredit<Tenant extends Granted>(parts: SettleParts<Tenant>): FollowCredit {
  /** When this process reads a tenant again. */
  const due = new Map<string, number>();
  return async (name) => {
    const time = parts.now();
    if ((due.get(name) ?? 0) > time) return;
    const tenant = await parts.tenants.find(name);
    if (tenant && isOpen(tenant, time)) await settleCredit(parts, tenant);
    if (due.size >= maxFollowedTenants) due.clear();
    due.set(name, tenant?.grants?.some((grant) => isNear(grant, time)) ? time : time + pauseMs);
  };
}

/** Whether there is something to allocate that a limit depends on. */
function isOpen({ grants = [], unallocated }: Granted, time: number): boolean {
  if (!unallocated) return false;
  const { day } = unallocated;
  if (day < firstOpenDay(time)) return true;
  const begins = Date.parse(day) / 1000;
  return grants.some(
    ({ expires = Number.POSITIVE_INFINITY }) => expires > begins && expires * 1000 <= time + beforeExpiryMs,
  );
}

function isNear({ expires }: CreditGrant, time: number): boolean {
  if (expires === undefined) return false;
  const after = time - expires * 1000;
  return after >= -beforeExpiryMs && after <= afterExpiryMs;
}
