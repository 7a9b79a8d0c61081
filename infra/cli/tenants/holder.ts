/** Whose limits and permissions a command is about: a key's, or those of all keys of a tenant. */
import type { Tenancy, TenancyChange } from '../../../lib/stores/access/tenancy-fields.ts';
import { type CommandContext, type Installation, withInstallation } from '../command.ts';

export interface Holder {
  /** The first word of its commands. */
  readonly noun: 'keys' | 'tenants';
  /** What a command calls it by. */
  readonly argument: 'id' | 'tenant';
  readonly one: 'key' | 'tenant';
  /** Undefined where there is none of that name. */
  change(installation: Installation, name: string, change: TenancyChange): Promise<Tenancy | undefined>;
}

export const keyHolder: Holder = {
  noun: 'keys',
  argument: 'id',
  one: 'key',
  change: ({ keys }, id, change) => keys.change(id, change),
};

export const tenantHolder: Holder = {
  noun: 'tenants',
  argument: 'tenant',
  one: 'tenant',
  change: ({ tenants }, name, change) => tenants.change(name, change),
};

/** Changes it and gives what it is then. Rejects where there is none. */
export async function changeHolder(
  { noun, one, change: apply }: Holder,
  context: Pick<CommandContext, 'arguments' | 'open'>,
  change: TenancyChange,
): Promise<Tenancy & { readonly called: string }> {
  const [name = ''] = context.arguments;
  const changed = await withInstallation(context, (installation) => apply(installation, name, change));
  return { ...found(changed, one, name, noun), called: `${one} ${name}` };
}

/** Throws for what is not there, and says where to look. */
export function found<Value>(
  value: Value | undefined,
  one: Holder['one'],
  name: string,
  noun: Holder['noun'],
): Value {
  if (value !== undefined) return value;
  throw new Error(`There is no ${one} ${name}. What there is, is shown by: ${noun} list`);
}

/** How soon a change is felt by whoever is calling. */
export const soon = 'It takes effect within ten seconds.';
