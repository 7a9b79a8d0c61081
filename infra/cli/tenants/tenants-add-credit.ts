/** `tenants add-credit`: writes down what a tenant paid in advance. */
import { formatDollars, parseDollars } from '../../../lib/core/accounting/money.ts';
import { type Command, UsageError, withInstallation } from '../command.ts';
import { found } from './holder.ts';

export const tenantsAddCredit: Command = {
  name: 'tenants add-credit',
  summary:
    'Add to what a tenant has paid in advance, in USD. A tenant without credit so far may use no more than this.',
  arguments: ['tenant', 'USD'],
  options: {},
  async run({ arguments: [name = '', text = ''], terminal, ...context }) {
    const amount = parseDollars(text);
    if (!amount) throw new UsageError(`<USD> is an amount like 50 or 0.25, more than 0. It was: ${text}`);
    const tenant = await withInstallation(context, ({ tenants }) => tenants.addCredit(name, amount));
    const { limits } = found(tenant, 'tenant', name, 'tenants');
    const all = formatDollars(limits?.credit ?? 0);
    terminal.write(
      `Added ${formatDollars(amount)} USD. The tenant ${name} has paid ${all} USD in advance in all.`,
    );
  },
};
