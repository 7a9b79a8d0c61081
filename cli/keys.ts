/** `keys create`, `keys list`, `keys show`, `keys rotate`, `keys disable` and `keys enable`. */
import {
  type CreatedKeyAnswer,
  type KeyRow,
  maxKeyPage,
  maxOverlapSeconds,
} from '../lib/admin/keys/schema.ts';
import { didYouMean } from '../lib/core/names/closest-name.ts';
import {
  allTenants,
  asUsageError,
  type CallAdmin,
  callAdmin,
  checkInput,
  listAll,
  withAdmin,
} from './call-admin.ts';
import { type Command, UsageError } from './command.ts';
import { jsonOption, type Row, showDay, showMinute, timeOf, writeListing, writeOne } from './listing.ts';
import { moneyColumns, moneyRow } from './money-row.ts';
import { describeCache } from './tenants/cache.ts';
import { describeDataPolicy } from './tenants/data-policy.ts';
import { readGuardrails } from './tenants/guardrails.ts';
import { limitOptions, limitsTypedAs, permissionOptions, readTenancy } from './tenants/limit-options.ts';

/** Everything but its secret, which is shown only when the key is created. */
const keyRow = (key: KeyRow): Row => ({
  id: key.id,
  tenant: key.tenant,
  name: key.name,
  status: key.status,
  created_at: timeOf(key.created_at),
  last_used_at: timeOf(key.last_used_at),
  expires_at: timeOf(key.expires_at),
  disabled_at: timeOf(key.disabled_at),
  ...key.limits,
  models: key.models,
  operations: key.operations,
  data_policy: key.data_policy && describeDataPolicy(key.data_policy),
  cache: key.cache && describeCache(key.cache),
  guardrails: key.guardrails,
});

/** A new key, with its secret as `key`. */
const newKeyRow = (made: CreatedKeyAnswer): Row => ({ key: made.key, ...keyRow(made) });

const keysCreate: Command = {
  name: 'keys create',
  summary: 'Create an API key for a tenant',
  description:
    'The key is the last line of the output. Only its hash is stored, so it cannot be shown again. With --json it is the field "key".',
  options: {
    tenant: { value: '<name>', description: 'The tenant of the key', required: true },
    'create-tenant': { description: 'Create the tenant, without limits, if it does not exist' },
    name: { value: '<text>', description: 'What the key is for' },
    expires: { value: '<date>', description: 'When it stops working, for example 2027-12-31 (UTC)' },
    guardrails: {
      value: '<list>',
      description: 'Guardrails of the tenant that apply to it, beside those for all',
    },
    ...limitOptions,
    ...permissionOptions,
    ...jsonOption,
  },
  examples: [
    'keys create --tenant acme --name laptop --expires 2027-12-31',
    'keys create --tenant acme --create-tenant --budget 50 --json',
  ],
  async run({ options, flags, terminal, format, ...context }) {
    const { tenant = '', name, expires, guardrails } = options;
    const input = {
      tenant,
      ...readTenancy(options),
      ...(name !== undefined && { name }),
      ...(expires !== undefined && { expires_at: readExpiry(expires) }),
      ...(guardrails !== undefined && { guardrails: readGuardrails(guardrails) }),
    };
    checkInput('admin-keys-create', input, limitsTypedAs);
    const { made, isTenantNew } = await withAdmin(context, async (call) => {
      const known = await namesOf(call);
      const isMissing = flags.has('create-tenant') && !known.includes(tenant);
      const isTenantNew = isMissing && (await makeTenant(call, tenant));
      if (!isMissing) requireTenant(known, tenant);
      return { made: await call('admin-keys-create', input).catch(asUsageError), isTenantNew };
    });
    if (format === 'json') return terminal.write(JSON.stringify(newKeyRow(made), null, 2));
    if (isTenantNew) terminal.write(`Created tenant ${tenant}, without limits.`);
    terminal.write(`Created key ${made.id} for tenant ${made.tenant}. Copy it now: it is not shown again.`);
    terminal.write(made.key);
  },
};

const namesOf = async (call: CallAdmin): Promise<readonly string[]> =>
  (await allTenants(call)).map(({ id }) => id);

/** False if another command has created it in between. */
async function makeTenant(call: CallAdmin, tenant: string): Promise<boolean> {
  try {
    await call('admin-tenants-create', { tenant });
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

/** In Unix seconds. Throws UsageError. */
export function readExpiry(text: string): number {
  const seconds = Math.floor(Date.parse(text) / 1000);
  if (Number.isNaN(seconds))
    throw new UsageError(`--expires must be a date such as 2027-12-31, not ${text}.`);
  if (seconds * 1000 <= Date.now()) throw new UsageError(`--expires must not be in the past: ${text}`);
  return seconds;
}

const columnsOf = (rows: readonly Row[]) => [
  ...(['id', 'tenant', ['created_at', showDay], ['last_used_at', showMinute]] as const),
  ...moneyColumns(rows),
  ...([['expires_at', showDay], 'status', 'name'] as const),
];

const keysList: Command = {
  name: 'keys list',
  summary: 'List API keys, oldest first, with their spend this month',
  description:
    'Secrets are not stored and cannot be shown. A budget used is the share of the tightest one. Spend is known where the sums of the dashboard are kept.',
  options: { tenant: { value: '<name>', description: 'Only keys of this tenant' }, ...jsonOption },
  examples: ['keys list', 'keys list --tenant acme --json'],
  async run({ terminal, options, format, ...context }) {
    const { tenant } = options;
    const keys = await withAdmin(context, (call) =>
      listAll((page) => call('admin-keys-list', { limit: maxKeyPage, ...page, tenant, include: 'spend' })),
    );
    const rows = keys.toReversed().map((key) => ({ ...keyRow(key), ...moneyRow(key) }));
    if (rows.length === 0) terminal.writeError('No keys found. Create one with: keys create --tenant <name>');
    writeListing({ terminal, format }, rows, columnsOf(rows));
  },
};

const keysShow: Command = {
  name: 'keys show',
  summary: 'Show the status, limits and permissions of an API key',
  arguments: ['id'],
  options: jsonOption,
  examples: ['keys show key_0123456789ab'],
  async run({ arguments: [key = ''], ...context }) {
    const found = await callAdmin(context, 'admin-keys-retrieve', { key });
    writeOne(context, { ...keyRow(found), ...moneyRow(found) });
  },
};

const defaultOverlap = '24h';

const keysRotate: Command = {
  name: 'keys rotate',
  summary: 'Replace an API key with a new one',
  description:
    'The new key has the same limits and permissions. It is the last line of the output and cannot be shown again. With --json it is the field "key".',
  arguments: ['id'],
  options: {
    overlap: {
      value: '<time>',
      description: `How long the old key still works: 30m, 24h, 7d, or 0 (default: ${defaultOverlap})`,
    },
    ...jsonOption,
  },
  examples: ['keys rotate key_0123456789ab --overlap 7d'],
  async run({ arguments: [id = ''], options, terminal, format, ...context }) {
    const seconds = readDuration(options.overlap ?? defaultOverlap);
    const made = await callAdmin(context, 'admin-keys-rotate', { key: id, overlap_seconds: seconds });
    const until = timeOf(made.replaced.expires_at);
    if (format === 'json') {
      const replaced = { id, expires_at: until };
      return terminal.write(JSON.stringify({ ...newKeyRow(made), replaced }, null, 2));
    }
    const ends = seconds === 0 ? 'stops working within ten seconds' : `works until ${until}`;
    terminal.write(`Created key ${made.id} for tenant ${made.tenant}. It replaces ${id}, which ${ends}.`);
    terminal.write('Copy the new key now: it is not shown again.');
    terminal.write(made.key);
  },
};

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

function readDuration(text: string): number {
  if (text === '0') return 0;
  const [, number, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = Number(number) * (units[unit] ?? Number.NaN);
  if (seconds <= maxOverlapSeconds) return seconds;
  throw new UsageError(`--overlap must be a time such as 30m, 24h or 7d, up to 366d, or 0, not ${text}.`);
}

const keysDisable: Command = {
  name: 'keys disable',
  summary: 'Disable an API key',
  description: 'The key stops working within ten seconds, until it is enabled again.',
  arguments: ['id'],
  examples: ['keys disable key_0123456789ab'],
  async run({ arguments: [key = ''], terminal, ...context }) {
    await callAdmin(context, 'admin-keys-disable', { key });
    terminal.write(`Disabled key ${key}. It stops working within ten seconds.`);
  },
};

const keysEnable: Command = {
  name: 'keys enable',
  summary: 'Enable an API key that was disabled',
  description:
    'The key works again within ten seconds, with the limits and permissions that it had. Do not enable one that has leaked: rotate it, or create another one.',
  arguments: ['id'],
  examples: ['keys enable key_0123456789ab'],
  async run({ arguments: [key = ''], terminal, ...context }) {
    await callAdmin(context, 'admin-keys-enable', { key });
    terminal.write(`Enabled key ${key}. It works again within ten seconds.`);
  },
};

export const keyCommands: readonly Command[] = [
  keysCreate,
  keysList,
  keysShow,
  keysRotate,
  keysDisable,
  keysEnable,
];
