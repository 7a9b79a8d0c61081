/** `tenants settle-credit`: finds out how much of each grant was used, so that expired ones count with that. */
import { settleCredit } from '../../lib/metering/credit/settle-credit.ts';
import { type Command, withInstallation } from '../command.ts';

export const tenantsSettleCredit: Command = {
  name: 'tenants settle-credit',
  summary: 'Allocate use to the credit of all tenants',
  description:
    'It runs by itself while tenants are active. An expired grant counts with what is known of its use. Safe to repeat.',
  arguments: [],
  options: {},
  examples: ['tenants settle-credit'],
  async run({ terminal, ...context }) {
    const settled = await withInstallation(context, async ({ tenants, usage }) => {
      let count = 0;
      for (const tenant of await tenants.list()) {
        const after = await settleCredit({ tenants, usage, now: Date.now }, tenant);
        if (after !== tenant) count += 1;
      }
      return count;
    });
    terminal.write(`Settled the credit of ${settled} tenants.`);
  },
};
