/** The form of a tenant: its values as texts, and what the API gets of them. */
import type { TenantRow, TenantsChangeInput } from '../../../lib/admin/tenants/schema.ts';
import { limitOf, limitRows } from '../keys/key-values.ts';

/** Fields have the names of the API's parameters. */
interface TenantValues extends Record<string, string | boolean | readonly string[]> {
  readonly models: readonly string[];
  readonly operations: readonly string[];
  /** Percentages, comma-separated. */
  readonly 'alerts.at': string;
  readonly 'alerts.webhook_url': string;
  readonly on_database_failure: string;
  readonly throughput: string;
}

const groups = ['limits', 'user_limits'] as const;

export function valuesOf(tenant: Partial<TenantRow>): TenantValues {
  const limits = groups.flatMap((group) =>
    limitRows.map(({ field }) => [`${group}.${field}`, String(tenant[group]?.[field] ?? '')]),
  );
  return {
    models: tenant.models ?? [],
    operations: tenant.operations ?? [],
    'alerts.at': tenant.alerts?.at?.join(', ') ?? '',
    'alerts.webhook_url': tenant.alerts?.webhook_url ?? '',
    on_database_failure: tenant.on_database_failure ?? '',
    throughput: String(tenant.throughput ?? ''),
    ...Object.fromEntries(limits),
  };
}

/** What differs from before; null removes. */
export function inputOf(values: TenantValues, before: TenantValues): TenantsChangeInput {
  const isSame = (name: string) => JSON.stringify(values[name]) === JSON.stringify(before[name]);
  const changed = <Value>(name: string, value: Value) => (isSame(name) ? {} : { [name]: value });
  const listOf = (list: readonly string[]) => (list.length === 0 ? null : [...list]);
  const limits = groups.flatMap((group) => {
    const rows = limitRows.filter(({ field }) => !isSame(`${group}.${field}`));
    const given = rows.map((row) => [row.field, limitOf(row, String(values[`${group}.${row.field}`]))]);
    return given.length === 0 ? [] : [[group, Object.fromEntries(given)]];
  });
  const alerts = {
    ...(!isSame('alerts.at') && { at: percentsOf(values['alerts.at']) }),
    ...(!isSame('alerts.webhook_url') && { webhook_url: values['alerts.webhook_url'].trim() || null }),
  };
  return {
    ...Object.fromEntries(limits),
    ...changed('models', listOf(values.models)),
    ...changed('operations', listOf(values.operations)),
    ...(Object.keys(alerts).length > 0 && { alerts }),
    ...changed('on_database_failure', values.on_database_failure || null),
    ...(!isSame('throughput') && { throughput: Number(values.throughput) }),
  };
}

const percentsOf = (text: string): number[] | null =>
  text.trim() === '' ? null : text.split(',').map((part) => Number(part.replace('%', '').trim()));

/** Of a field, for people. */
export function titleOf(name: string): string {
  const [group = '', field = ''] = name.split('.');
  const row = limitRows.find((one) => one.field === field);
  if (row) return group === 'user_limits' ? `Each user: ${row.title.toLowerCase()}` : row.title;
  return titles[name] ?? name;
}

const titles: Readonly<Record<string, string>> = {
  models: 'Models',
  operations: 'Operations',
  'alerts.at': 'Alerts at',
  'alerts.webhook_url': 'Webhook',
  on_database_failure: 'While limits cannot be checked',
  throughput: 'Requests a second',
};
