/** `tenants add-credit`: adds to the prepaid amount of a tenant. */
import { formatDollars, parseDollars } from '../../../lib/core/accounting/money.ts';
import { type Command, UsageError, withInstallation } from '../command.ts';
import { found } from './holder.ts';

export const tenantsAddCredit: Command = {
  name: 'tenants add-credit',
  summary: 'Add prepaid credit to a tenant',
  description:
    'The amount is in USD. A tenant with credit can spend no more than its credit, so the first payment also sets this limit.',
  arguments: ['tenant', 'usd'],
  options: {},
  examples: ['tenants add-credit acme 100'],
  async run({ arguments: [name = '', text = ''], terminal, ...context }) {
    const amount = parseDollars(text);
    if (!amount)
      throw new UsageError(`<usd> must be an amount such as 50 or 0.25, more than 0, not ${text}.`);
    const tenant = await withInstallation(context, ({ tenants }) => tenants.addCredit(name, amount));
    const { limits } = found(tenant, 'tenant', name, 'tenants');
    const all = formatDollars(limits?.credit ?? 0);
    terminal.write(`Added ${formatDollars(amount)} USD. Tenant ${name} has prepaid ${all} USD in total.`);
  },
};
