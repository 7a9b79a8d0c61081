/** `limits show`: the limits of a key, a tenant or a user, and how much of them is used. */
import { limitTable, shownAmount } from '../../lib/admin/limit-fields.ts';
import type { LimitUseAnswer } from '../../lib/admin/tenancy-schema.ts';
import { creditAt } from '../../lib/core/accounting/credit.ts';
import {
  type LimitScope,
  type LimitUsage,
  type Sharding,
  scopeOfKey,
  scopeOfUser,
  shardingFor,
} from '../../lib/core/accounting/limits.ts';
import { formatDollars } from '../../lib/core/accounting/money.ts';
import { periodEnds } from '../../lib/core/accounting/periods.ts';
import type { Limits } from '../../lib/core/tenancy.ts';
import { type CallAdmin, withAdmin } from '../call-admin.ts';
import { type Command, type Installation, UsageError } from '../command.ts';
import { jsonOption, type Row, timeOf, writeListing } from '../listing.ts';
import { found } from '../usage/usage-options.ts';

/** For a key, its own limits and those of its tenant apply. */
async function limitsOverHttp(call: CallAdmin, name: string): Promise<readonly Row[]> {
  if (!/^key_[0-9a-f]{12}$/.test(name)) return await ofTenant(call, name);
  const { tenant, use } = await call('admin-keys-retrieve', { key: name });
  return [...rowsOfAnswer('key', name, use), ...(await ofTenant(call, tenant))];
}

async function ofTenant(call: CallAdmin, tenant: string): Promise<readonly Row[]> {
  const { use } = await call('admin-tenants-retrieve', { tenant });
  return rowsOfAnswer('tenant', tenant, use);
}

/** The use of a limit that is not set is unknown. */
function rowsOfAnswer(of: string, id: string, use: readonly LimitUseAnswer[]): readonly Row[] {
  const unset = { set: null, used: null, held: null, left: null, resets_at: null };
  return limitTable.map(({ field }) => {
    const found = use.find(({ limit }) => limit === field);
    if (!found) return { of, id, limit: field, ...unset };
    const { set, used, held, left, resets_at: end } = found;
    return { of, id, limit: field, set, used, held, left, resets_at: timeOf(end) };
  });
}

/** A key, a tenant or a user, and the scope that counts its use. */
interface Limited {
  readonly of: LimitScope['kind'];
  readonly id: string;
  readonly scope: LimitScope;
  readonly limits: Limits;
  readonly sharding: Sharding;
}

export const limitsShow: Command = {
  name: 'limits show',
  summary: 'Show limits and how much of them is used',
  description:
    'For a tenant, a user of it, or a key and its tenant. What is held for running requests counts as used, and is shown beside it. With --url, users are not shown, nor what is used of a limit that is not set.',
  arguments: ['tenant or key id'],
  options: {
    user: { value: '<id>', description: 'One user of the tenant, by the x-gateway-user-id of its requests' },
    ...jsonOption,
  },
  examples: ['limits show acme', 'limits show acme --user user-42', 'limits show key_0123456789ab --json'],
  async run({ arguments: [name = ''], options, terminal, format, ...context }) {
    const rows = await withAdmin(context, async (call, installation) => {
      if (installation.remote && options.user === undefined) return await limitsOverHttp(call, name);
      const limited = await limitedOf(installation, name, options.user);
      const usages = await Promise.all(
        limited.map(({ scope, sharding }) => installation.limits.read(scope, sharding)),
      );
      return limited.flatMap((one, index) => rowsOf(one, usages[index]));
    });
    writeListing({ terminal, format }, rows);
    if (rows.every(({ set }) => set === null)) terminal.writeError(`${options.user ?? name} has no limits.`);
  },
};

/** For a key, its own limits and those of its tenant apply. */
async function limitedOf(
  { keyEdits, tenants }: Installation,
  name: string,
  user: string | undefined,
): Promise<readonly Limited[]> {
  const limitedTenant = async (id: string): Promise<readonly [Limited, Limits]> => {
    const {
      limits: given = {},
      userLimits = {},
      grants,
      throughput,
    } = found(await tenants.find(id), 'Tenant', id);
    const sharding = shardingFor(throughput);
    const { credit } = given;
    const alive = credit === undefined ? {} : { credit: creditAt(credit, grants, Date.now() / 1000) };
    const limits = { ...given, ...alive };
    return [{ of: 'tenant', id, scope: { kind: 'tenant', id }, limits, sharding }, userLimits];
  };
  if (!/^key_[0-9a-f]{12}$/.test(name)) {
    const [tenant, userLimits] = await limitedTenant(name);
    if (user === undefined) return [tenant];
    return [{ of: 'user', id: user, scope: scopeOfUser(name, user), limits: userLimits, sharding: {} }];
  }
  if (user !== undefined) throw new UsageError('--user is for a tenant: a key has no users of its own.');
  const key = found(await keyEdits.find(name), 'Key', name);
  const [tenant] = await limitedTenant(key.tenant);
  const { sharding } = tenant;
  return [{ of: 'key', id: name, scope: scopeOfKey(key), limits: key.limits ?? {}, sharding }, tenant];
}

function rowsOf({ of, id, limits }: Limited, usage: LimitUsage | undefined): readonly Row[] {
  return limitTable
    .filter(({ limit }) => of !== 'user' || limit !== 'credit')
    .map((row) => {
      const { limit, field, used, isMoney } = row;
      const set = limits[limit];
      const count = usage?.[used] ?? 0;
      const end = usage || set !== undefined ? periodEnds(limit, Date.now()) : undefined;
      return {
        of,
        id,
        limit: field,
        set: set === undefined ? null : shownAmount(row, set),
        used: shownAmount(row, count),
        held: isMoney ? formatDollars(usage?.held ?? 0) : null,
        left: set === undefined ? null : shownAmount(row, Math.max(0, set - count)),
        resets_at: timeOf(end && end / 1000),
      };
    });
}
