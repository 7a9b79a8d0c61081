/** A key of those who do not operate the gateway may have no more than its tenant. */
import { formatDollars } from '../../core/accounting/money.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Person } from '../../core/person.ts';
import { allowsModel } from '../../core/tenancy.ts';
import type { TenancyChange } from '../../stores/access/tenancy-fields.ts';
import type { StoredTenant } from '../../stores/access/tenants.ts';
import { limitTable } from '../limit-fields.ts';

/** Of what is given. What a key does not limit, its tenant still does. Throws GatewayError `invalid_request`. */
export function requireWithin({ role }: Person, tenant: StoredTenant, change: TenancyChange): void {
  if (role === 'operator') return;
  for (const { limit, field, isMoney } of limitTable) {
    const maximum = tenant.limits?.[limit];
    const asked = change.limits?.[limit] ?? 0;
    if (maximum === undefined || asked <= maximum) continue;
    const shown = isMoney ? `${formatDollars(maximum)} USD` : maximum;
    throw refused(`limits.${field}`, `may be at most ${shown}, the limit of the tenant`);
  }
  const model = change.models?.find((pattern) => !includesPattern(tenant, pattern));
  if (model !== undefined) throw refused('models', 'may only name models that the tenant may use');
  const { operations } = tenant;
  const isWithin = !operations || change.operations?.every((name) => operations.includes(name)) !== false;
  if (!isWithin) throw refused('operations', 'may only name operations that the tenant may use');
}

/** All models of an owner are included only where the tenant may use them all. */
const includesPattern = (tenant: StoredTenant, pattern: string): boolean =>
  pattern.endsWith('/*') ? (tenant.models?.includes(pattern) ?? true) : allowsModel(tenant, pattern);

const refused = (param: string, rule: string) =>
  new GatewayError('invalid_request', `'${param}' ${rule}.`, { param });
