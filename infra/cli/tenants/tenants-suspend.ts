/** `tenants suspend` and `tenants activate`: whether the keys of a tenant work at all. */
import { type Command, type Installation, withInstallation } from '../command.ts';
import { found, soon } from './holder.ts';

const change = (
  verb: 'suspend' | 'activate',
  state: string,
  summary: string,
  apply: (tenants: Installation['tenants'], name: string) => Promise<boolean>,
): Command => ({
  name: `tenants ${verb}`,
  summary,
  arguments: ['tenant'],
  options: {},
  async run({ arguments: [name = ''], terminal, ...context }) {
    const isThere = await withInstallation(context, ({ tenants }) => apply(tenants, name));
    found(isThere || undefined, 'tenant', name, 'tenants');
    terminal.write(`The tenant ${name} is ${state}. ${soon}`);
  },
});

export const tenantsSuspend = change(
  'suspend',
  'suspended',
  'Refuse all keys of a tenant until it is active again.',
  (tenants, name) => tenants.suspend(name),
);

export const tenantsActivate = change(
  'activate',
  'active',
  'Let the keys of a suspended tenant work again.',
  (tenants, name) => tenants.activate(name),
);
