/** What has limits, permissions and settings: a key, or a tenant for all its keys. */
import { type AdminInput, callAdmin } from '../call-admin.ts';
import type { CommandContext } from '../command.ts';

/** How soon a change affects requests. */
export const soon = 'It takes effect within ten seconds.';

type Context = Pick<CommandContext, 'arguments' | 'open'>;
type TenantChange = Omit<AdminInput<'admin-tenants-change'>, 'tenant'>;
type TypedAs = Readonly<Record<string, string>>;

export const changeTenant = (context: Context, input: TenantChange, typedAs: TypedAs) =>
  callAdmin({ ...context, typedAs }, 'admin-tenants-change', {
    tenant: context.arguments[0] ?? '',
    ...input,
  });

const changeKey = (context: Context, input: TenantChange, typedAs: TypedAs) =>
  callAdmin({ ...context, typedAs }, 'admin-keys-change', { key: context.arguments[0] ?? '', ...input });

export const subjects = {
  keys: { one: 'key', argument: 'id', example: 'key_0123456789ab', change: changeKey },
  tenants: { one: 'tenant', argument: 'tenant', example: 'acme', change: changeTenant },
} as const;

export type Noun = keyof typeof subjects;
