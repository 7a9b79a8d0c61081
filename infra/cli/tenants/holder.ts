/** What has limits and permissions: a key, or a tenant for all its keys. */
import type { Tenancy, TenancyChange } from '../../../lib/stores/access/tenancy-fields.ts';
import { type CommandContext, type Installation, withInstallation } from '../command.ts';

export interface Holder {
  /** The first word of its commands. */
  readonly noun: 'keys' | 'tenants';
  /** The name of the command's argument. */
  readonly argument: 'id' | 'tenant';
  readonly one: 'key' | 'tenant';
  /** For examples in the help. */
  readonly example: string;
  /** Undefined if it does not exist. */
  change(installation: Installation, name: string, change: TenancyChange): Promise<Tenancy | undefined>;
}

export const keyHolder: Holder = {
  noun: 'keys',
  argument: 'id',
  one: 'key',
  example: 'key_0123456789ab',
  change: ({ keys }, id, change) => keys.change(id, change),
};

export const tenantHolder: Holder = {
  noun: 'tenants',
  argument: 'tenant',
  one: 'tenant',
  example: 'acme',
  change: ({ tenants }, name, change) => tenants.change(name, change),
};

/** Changes it, and returns what it is afterwards. `before`: what else is done first. Rejects if it does not exist. */
export async function changeHolder(
  { noun, one, change: apply }: Holder,
  context: Pick<CommandContext, 'arguments' | 'open'>,
  change: TenancyChange,
  before: (installation: Installation, name: string) => Promise<void> = async () => {},
): Promise<Tenancy & { readonly called: string }> {
  const [name = ''] = context.arguments;
  const changed = await withInstallation(context, async (installation) => {
    await before(installation, name);
    return await apply(installation, name, change);
  });
  return { ...found(changed, one, name, noun), called: `${one} ${name}` };
}

/** Throws if it does not exist. */
export function found<Value>(
  value: Value | undefined,
  one: Holder['one'],
  name: string,
  noun: Holder['noun'],
): Value {
  if (value !== undefined) return value;
  throw new Error(`${titles[one]} not found: ${name}. List all ${noun} with: ${noun} list`);
}

const titles = { key: 'Key', tenant: 'Tenant' } as const;

/** How soon a change affects requests. */
export const soon = 'It takes effect within ten seconds.';
