/** `tenants adjust`: a refund, or an additional charge, on the invoice of a month. */
import { randomUUID } from 'node:crypto';
import { addAdjustment } from '../../lib/admin/tenants/adjustments.ts';
import { longestReason } from '../../lib/admin/tenants/schema.ts';
import { formatDollars, parseSignedDollars } from '../../lib/core/accounting/money.ts';
import { byOption } from '../by-option.ts';
import { type Command, UsageError } from '../command.ts';
import { callSubject } from '../subjects.ts';
import { monthOf, readMonth } from '../usage/month-option.ts';

export const tenantsAdjust: Command = {
  name: 'tenants adjust',
  summary: 'Adjust what a tenant is charged for a month',
  description:
    'A negative amount is in favour of the tenant. The adjustment is kept for ever with its reason and is part of the invoice of the month; it does not change credit or budgets (for prepaid tenants, add credit as well).',
  arguments: ['tenant', 'usd'],
  options: {
    reason: { value: '<text>', description: 'Why, for the invoice', required: true },
    month: { value: '<month>', description: 'The month whose invoice it is on (default: this month)' },
    request: { value: '<id>', description: 'The id of the request that it corrects' },
    ...byOption,
  },
  examples: [
    'tenants adjust acme -5.00 --reason outage',
    'tenants adjust acme 20 --reason support --month 2026-10',
  ],
  async run({ arguments: [tenant = '', text = ''], options, terminal, ...context }) {
    const amount = parseSignedDollars(text);
    if (!amount) throw new UsageError(`<usd> must be an amount such as -5.00 or 0.25, not ${text}.`);
    const { reason = '', request } = options;
    if (reason.length > longestReason) throw new UsageError(`--reason may have ${longestReason} characters.`);
    const month = options.month === undefined ? monthOf(Date.now()) : readMonth('--month', options.month);
    await callSubject({ ...context, options }, addAdjustment, {
      tenant,
      id: randomUUID(),
      month,
      amount_usd: formatDollars(amount),
      reason,
      ...(request !== undefined && { request }),
    });
    terminal.write(
      `Adjusted ${month} of tenant ${tenant} by ${formatDollars(amount)} USD. See it with: usage invoice ${tenant} ${month}`,
    );
  },
};
