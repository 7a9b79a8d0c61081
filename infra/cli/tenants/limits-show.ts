/** `limits show`: the limits of a key or a tenant, and how much of them is used. */
import { type LimitScope, scopeOfKey } from '../../../lib/core/accounting/limits.ts';
import { formatDollars } from '../../../lib/core/accounting/money.ts';
import type { ReservationUsage } from '../../../lib/core/accounting/reservations.ts';
import type { Limits } from '../../../lib/core/tenancy.ts';
import { type Command, type Installation, withInstallation } from '../command.ts';
import { jsonOption, readFormat, writeListing } from '../output/listing.ts';
import type { Row } from '../output/rows.ts';
import { timeOf } from '../output/show.ts';
import { found } from './holder.ts';

/** A key or a tenant, and the scope that counts its use. */
interface Limited {
  readonly of: LimitScope['kind'];
  readonly id: string;
  readonly scope: LimitScope;
  readonly limits: Limits;
}

interface Counted {
  readonly limit: keyof Limits;
  readonly name: string;
  readonly used: keyof ReservationUsage;
  readonly write: (amount: number) => string | number;
  /** When the count starts again, in Unix milliseconds. */
  readonly resets?: (usage: ReservationUsage) => number;
}

const unchanged = (amount: number) => amount;
const endOfMinute = ({ minuteEnds }: ReservationUsage) => minuteEnds;
const endOfMonth = () => {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
};

const table: readonly Counted[] = [
  {
    limit: 'requestsPerMinute',
    name: 'requests_per_minute',
    used: 'requests',
    write: unchanged,
    resets: endOfMinute,
  },
  {
    limit: 'tokensPerMinute',
    name: 'tokens_per_minute',
    used: 'tokens',
    write: unchanged,
    resets: endOfMinute,
  },
  { limit: 'concurrentRequests', name: 'concurrent_requests', used: 'running', write: unchanged },
  {
    limit: 'monthlyBudget',
    name: 'monthly_budget_usd',
    used: 'committed',
    write: formatDollars,
    resets: endOfMonth,
  },
  { limit: 'credit', name: 'credit_usd', used: 'usedCredit', write: formatDollars },
];

export const limitsShow: Command = {
  name: 'limits show',
  summary: 'Show limits and how much of them is used',
  description: 'For a tenant, or for a key and its tenant. Reservations of running requests count as used.',
  arguments: ['tenant or key id'],
  options: jsonOption,
  examples: ['limits show acme', 'limits show key_0123456789ab --json'],
  async run({ arguments: [name = ''], options, flags, terminal, ...context }) {
    const format = readFormat({ options, flags });
    const rows = await withInstallation(context, async (installation) => {
      const limited = await limitedOf(installation, name);
      const usages = await Promise.all(limited.map(({ scope }) => installation.limits.read(scope)));
      return limited.flatMap((one, index) => rowsOf(one, usages[index]));
    });
    const columns = ['of', 'id', 'limit', 'set', 'used', 'left', 'resets_at'].map((column) => ({
      name: column,
    }));
    writeListing(terminal, { columns, rows }, format);
    if (rows.every(({ set }) => set === null)) terminal.writeError(`${name} has no limits.`);
  },
};

/** For a key, its own limits and those of its tenant apply. */
async function limitedOf({ keys, tenants }: Installation, name: string): Promise<readonly Limited[]> {
  const limitedTenant = async (id: string): Promise<Limited> => {
    const { limits = {} } = found(await tenants.find(id), 'tenant', id, 'tenants');
    return { of: 'tenant', id, scope: { kind: 'tenant', id }, limits };
  };
  if (!/^key_[0-9a-f]{12}$/.test(name)) return [await limitedTenant(name)];
  const key = found(await keys.find(name), 'key', name, 'keys');
  const limited: Limited = { of: 'key', id: name, scope: scopeOfKey(key), limits: key.limits ?? {} };
  return [limited, await limitedTenant(key.tenant)];
}

function rowsOf({ of, id, limits }: Limited, usage: ReservationUsage | undefined): readonly Row[] {
  return table.map(({ limit, name, used, write, resets }) => {
    const set = limits[limit];
    const count = usage?.[used] ?? 0;
    const end = usage && resets?.(usage);
    return {
      of,
      id,
      limit: name,
      set: set === undefined ? null : write(set),
      used: write(count),
      left: set === undefined ? null : write(Math.max(0, set - count)),
      resets_at: end === undefined ? null : timeOf(end / 1000),
    };
  });
}
