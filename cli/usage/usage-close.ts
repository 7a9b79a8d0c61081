/** `usage close`: closes a month, so that what it comes to changes by adjustments only. */

import { formatDollars } from '../../lib/core/accounting/money.ts';
import { closeMonth } from '../../lib/metering/month/close-month.ts';
import { operatorName } from '../../local/operator-name.ts';
import { byOption } from '../call-admin.ts';
import { type Command, withInstallation } from '../command.ts';
import { readMonth, tenantOption, tenantsOf } from './usage-options.ts';

export const usageClose: Command = {
  name: 'usage close',
  summary: 'Close a month of one tenant or all',
  description:
    'Keeps its totals, a hash of its daily sums, and the prices they were made of. Afterwards, usage recompute --write makes adjustments instead of changing the ledger. Refused for a month that is not over, has requests that have not ended, or differs from the ledger. It cannot be undone.',
  arguments: ['month'],
  options: { ...tenantOption, ...byOption },
  examples: ['usage close 2026-10', 'usage close 2026-10 --tenant acme'],
  async run({ arguments: [text = ''], options, terminal, ...context }) {
    const month = readMonth('<month>', text);
    const by = operatorName(options);
    const failed = await withInstallation(context, async (installation) => {
      const { usage, journal, running } = installation;
      let problems = 0;
      for (const tenant of await tenantsOf(installation, options)) {
        if (options.tenant === undefined && (await journal.closed(tenant, month))) continue;
        try {
          const parts = { usage, journal, running, now: Date.now };
          const { models } = await closeMonth(parts, tenant, month, by);
          const charges = models.reduce((sum, { counts }) => sum + counts.charge, 0);
          terminal.write(`Closed ${month} of tenant ${tenant}: ${formatDollars(charges)} USD.`);
        } catch (error) {
          problems += 1;
          terminal.writeError(`${tenant}: ${error instanceof Error ? error.message : error}`);
        }
      }
      return problems;
    });
    if (failed > 0) throw new Error(`${failed} months were not closed.`);
  },
};
