/** `keys create`: creates an API key and shows it, once. */
import { createKey } from '../../lib/admin/keys/write-key.ts';
import { limitsInputOf } from '../../lib/admin/limit-fields.ts';
import { listTenants } from '../../lib/admin/tenants/read-tenant.ts';
import { maxTenantPage } from '../../lib/admin/tenants/schema.ts';
import { createTenant } from '../../lib/admin/tenants/write-tenant.ts';
import { didYouMean } from '../../lib/core/names/nearest.ts';
import { type Command, UsageError } from '../command.ts';
import { jsonOption, readFormat } from '../output/listing.ts';
import { asUsageError, type CallSubject, listAll, withSubjects } from '../subjects.ts';
import { limitOptions } from '../tenants/limit-options.ts';
import { permissionOptions, readTenancy, toLists } from '../tenants/tenancy-options.ts';
import { newKeyRow } from './key-row.ts';

export const keysCreate: Command = {
  name: 'keys create',
  summary: 'Create an API key for a tenant',
  description:
    'The key is the last line of the output. Only its hash is stored, so it cannot be shown again. With --json it is the field "key".',
  arguments: [],
  options: {
    tenant: { value: '<name>', description: 'The tenant of the key', required: true },
    'create-tenant': { description: 'Create the tenant, without limits, if it does not exist' },
    name: { value: '<text>', description: 'What the key is for' },
    expires: { value: '<date>', description: 'When it stops working, for example 2027-12-31 (UTC)' },
    ...limitOptions,
    ...permissionOptions,
    ...jsonOption,
  },
  examples: [
    'keys create --tenant acme --name laptop --expires 2027-12-31',
    'keys create --tenant acme --create-tenant --budget 50 --json',
  ],
  async run({ options, flags, terminal, ...context }) {
    const { tenant = '', name, expires } = options;
    const format = readFormat({ options, flags });
    const expiresAt = expires === undefined ? undefined : readExpiry(expires);
    const { limits = {}, ...allowed } = readTenancy(options);
    const { made, isTenantNew } = await withSubjects(context, async (call) => {
      const known = await namesOf(call);
      const isMissing = flags.has('create-tenant') && !known.includes(tenant);
      const isTenantNew = isMissing && (await makeTenant(call, tenant));
      if (!isMissing) requireTenant(known, tenant);
      const made = await call(createKey, {
        tenant,
        limits: limitsInputOf(limits),
        ...toLists(allowed),
        ...(name !== undefined && { name }),
        ...(expiresAt !== undefined && { expires_at: expiresAt }),
      }).catch(asUsageError);
      return { made, isTenantNew };
    });
    if (format === 'json') return terminal.write(JSON.stringify(newKeyRow(made), null, 2));
    if (isTenantNew) terminal.write(`Created tenant ${tenant}, without limits.`);
    terminal.write(`Created key ${made.id} for tenant ${made.tenant}. Copy it now: it is not shown again.`);
    terminal.write(made.key);
  },
};

const namesOf = async (call: CallSubject): Promise<readonly string[]> => {
  const tenants = await listAll((after) => call(listTenants, { limit: maxTenantPage, after }));
  return tenants.map(({ id }) => id);
};

/** False if another command has created it in between. */
async function makeTenant(call: CallSubject, tenant: string): Promise<boolean> {
  try {
    await call(createTenant, { tenant });
    return true;
  } catch (error) {
    if ((await namesOf(call)).includes(tenant)) return false;
    return asUsageError(error);
  }
}

/** A mistyped name must not create a tenant, which would have no limits. */
function requireTenant(names: readonly string[], name: string): void {
  if (names.includes(name)) return;
  const suggestion = didYouMean(name, names);
  throw new Error(`Tenant not found: ${name}.${suggestion} To create it with this key, add --create-tenant.`);
}

function readExpiry(text: string): number {
  const seconds = Math.floor(Date.parse(text) / 1000);
  if (Number.isNaN(seconds))
    throw new UsageError(`--expires must be a date such as 2027-12-31, not ${text}.`);
  if (seconds * 1000 <= Date.now()) throw new UsageError(`--expires must not be in the past: ${text}`);
  return seconds;
}
