/** What has limits and permissions: a key, or a tenant for all its keys. */
import { changeKey } from '../../lib/admin/keys/write-key.ts';
import { limitsInputOf, limitsOf } from '../../lib/admin/limit-fields.ts';
import type { LimitsAnswer } from '../../lib/admin/tenancy-schema.ts';
import { changeTenant } from '../../lib/admin/tenants/write-tenant.ts';
import type { Limits } from '../../lib/core/tenancy.ts';
import type { TenancyChange } from '../../lib/stores/access/tenancy-fields.ts';
import type { CommandContext } from '../command.ts';
import { type CallSubject, withSubjects } from '../subjects.ts';
import { toLists } from './tenancy-options.ts';

interface Changed {
  readonly limits: LimitsAnswer;
  readonly models: readonly string[] | null;
  readonly operations: readonly string[] | null;
}

const limitsInput = ({ limits, ...allowed }: TenancyChange) => ({
  ...(limits && { limits: limitsInputOf(limits) }),
  ...toLists(allowed),
});

export interface Subject {
  /** The first word of its commands. */
  readonly noun: 'keys' | 'tenants';
  /** The name of the command's argument. */
  readonly argument: 'id' | 'tenant';
  readonly one: 'key' | 'tenant';
  /** For examples in the help. */
  readonly example: string;
  change(call: CallSubject, name: string, change: TenancyChange): Promise<Changed>;
}

export const keySubject: Subject = {
  noun: 'keys',
  argument: 'id',
  one: 'key',
  example: 'key_0123456789ab',
  change: (call, key, change) => call(changeKey, { key, ...limitsInput(change) }),
};

export const tenantSubject: Subject = {
  noun: 'tenants',
  argument: 'tenant',
  one: 'tenant',
  example: 'acme',
  change: (call, tenant, change) => call(changeTenant, { tenant, ...limitsInput(change) }),
};

/** Changes it, and returns what it is afterwards. Rejects if it does not exist. */
export async function changeSubject(
  { one, change: apply }: Subject,
  context: Pick<CommandContext, 'arguments' | 'open'>,
  change: TenancyChange,
) {
  const [name = ''] = context.arguments;
  const { limits, models, operations } = await withSubjects(context, (call) => apply(call, name, change));
  const all: Limits = limitsOf(limits);
  return { limits: all, models, operations, called: `${one} ${name}` };
}

/** Throws if it does not exist. */
export function found<Value>(
  value: Value | undefined,
  one: Subject['one'],
  name: string,
  noun: Subject['noun'],
): Value {
  if (value !== undefined) return value;
  throw new Error(`${titles[one]} not found: ${name}. List all ${noun} with: ${noun} list`);
}

const titles = { key: 'Key', tenant: 'Tenant' } as const;

/** How soon a change affects requests. */
export const soon = 'It takes effect within ten seconds.';
