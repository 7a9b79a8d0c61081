/** `tenants suspend` and `tenants activate`: turn all keys of a tenant off and on. */
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
  examples: [`tenants ${verb} acme`],
  async run({ arguments: [name = ''], terminal, ...context }) {
    const isKnown = await withInstallation(context, ({ tenants }) => apply(tenants, name));
    found(isKnown || undefined, 'tenant', name, 'tenants');
    terminal.write(`Tenant ${name} is ${state}. ${soon}`);
  },
});

export const tenantsSuspend = change(
  'suspend',
  'suspended',
  'Refuse all keys of a tenant until it is activated again',
  (tenants, name) => tenants.suspend(name),
);

export const tenantsActivate = change(
  'activate',
  'active',
  'Accept the keys of a suspended tenant again',
  (tenants, name) => tenants.activate(name),
);
