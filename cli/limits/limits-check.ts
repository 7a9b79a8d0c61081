/** `limits check`: finds what crashes have left in the limits of a tenant, and frees it. */
import {
  type LeakedReservations,
  type LimitScope,
  scopeOfKey,
  scopeOfUser,
} from '../../lib/core/accounting/limits.ts';
import { formatDollars } from '../../lib/core/accounting/money.ts';
import { createCountRecorded } from '../../lib/metering/leaked/count-recorded.ts';
import { type Command, type Installation, withInstallation } from '../command.ts';
import { jsonOption, writeListing } from '../listing.ts';
import { found } from '../usage/usage-options.ts';

interface Checked extends LeakedReservations {
  readonly scope: LimitScope;
}

/** What each state means to an operator. */
const explanations: Readonly<Record<LeakedReservations['state'], string>> = {
  none: 'nothing is held that no request needs',
  found: 'no request holds it: free it with --write',
  freed: 'no request held it',
  running: 'its requests may still run: check again 51 minutes after the last one, or after 00:51 UTC',
  unsettled: 'not all of its requests are settled yet: check again when the aggregator has caught up',
  unknown:
    'stays: the ledger no longer has all records of that time (with --write, it no longer keeps later ones from being freed)',
  kept: 'stays counted: records or changes of the ledger are gone, so nothing proves that it is not owed',
  changed: 'another request was faster: check again',
};

export const limitsCheck: Command = {
  name: 'limits check',
  summary: 'Find what crashes have left in the limits of a tenant',
  description:
    'A process that ends between the reservation of a request and its record leaves the reservation counted. Checks the tenant, its keys, and a user that is named. Exit code 1 if something has leaked, unless --write frees it. Nothing is freed that a record has, or that a running request may need. Safe to repeat.',
  arguments: ['tenant'],
  options: {
    user: { value: '<id>', description: 'Also this user, by the x-gateway-user-id of its requests' },
    ...jsonOption,
    write: { description: 'Free it' },
  },
  examples: ['limits check acme', 'limits check acme --write', 'limits check acme --user user-42 --write'],
  async run({ arguments: [tenant = ''], options, flags, terminal, format, ...context }) {
    const checked = await withInstallation(context, async (installation) => {
      const scopes = await scopesOf(installation, tenant, options.user);
      const counting = createCountRecorded(installation, tenant, Number.POSITIVE_INFINITY);
      const all: Checked[] = [];
      for (const scope of scopes) {
        const leaked = await installation.limits.freeLeaked(scope, counting(scope), flags.has('write'));
        all.push({ scope, ...leaked });
      }
      return all;
    });
    const rows = checked.map(({ scope: { kind, id }, state, amount }) => ({
      of: kind,
      id,
      held_usd: formatDollars(amount),
      state,
      meaning: explanations[state],
    }));
    writeListing({ terminal, format }, rows);
    const leaked = checked.filter(({ state }) => state === 'found').length;
    if (leaked > 0) throw new Error(`${leaked} limits hold what no request needs. Free it with --write.`);
  },
};

async function scopesOf(
  { tenants, keyEdits }: Installation,
  tenant: string,
  user: string | undefined,
): Promise<readonly LimitScope[]> {
  found(await tenants.find(tenant), 'Tenant', tenant);
  const own = (await keyEdits.list({ tenant })).map(scopeOfKey);
  const families = [...new Map(own.map((scope) => [scope.id, scope])).values()];
  return [
    { kind: 'tenant', id: tenant },
    ...families,
    ...(user === undefined ? [] : [scopeOfUser(tenant, user)]),
  ];
}
