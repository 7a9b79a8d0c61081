/** `tenants add-credit`: gives a tenant a grant of prepaid credit. */
import { randomUUID } from 'node:crypto';
import { giveCredit } from '../../lib/admin/tenants/add-credit.ts';
import { defaultPriority, longestNote, maxPriority } from '../../lib/admin/tenants/schema.ts';
import { formatDollars, parseDollars } from '../../lib/core/accounting/money.ts';
import { byOption } from '../by-option.ts';
import { type Command, type CommandContext, UsageError } from '../command.ts';
import { callSubject } from '../subjects.ts';

export const tenantsAddCredit: Command = {
  name: 'tenants add-credit',
  summary: 'Add prepaid credit to a tenant',
  description:
    'The amount is in USD. A tenant with credit can spend no more than its credit, so the first payment also sets this limit. Grants with a lower priority are used first, then those that expire first. What is left of a grant when it expires is lost.',
  arguments: ['tenant', 'usd'],
  options: {
    expires: { value: '<date>', description: 'The first day (UTC) on which it can no longer be used' },
    priority: {
      value: '<number>',
      description: `0 to 1000; lower is used first (default: ${defaultPriority})`,
    },
    note: { value: '<text>', description: 'What it is for' },
    ...byOption,
  },
  examples: [
    'tenants add-credit acme 100',
    'tenants add-credit acme 20 --expires 2027-01-31 --priority 1 --note promotion',
  ],
  async run({ arguments: [name = '', text = ''], options, terminal, ...context }) {
    const amount = parseDollars(text);
    if (!amount)
      throw new UsageError(`<usd> must be an amount such as 50 or 0.25, more than 0, not ${text}.`);
    const id = randomUUID().slice(0, 8);
    const grant = { tenant: name, id, amount_usd: formatDollars(amount), ...readGrant(options) };
    const { credit_usd: all } = await callSubject({ ...context, options }, giveCredit, grant);
    terminal.write(
      `Added ${formatDollars(amount)} USD as grant ${id}. Tenant ${name} has prepaid ${all} USD in total.`,
    );
  },
};

function readGrant(options: CommandContext['options']) {
  const { expires, priority = `${defaultPriority}`, note } = options;
  const at = Math.floor(Date.now() / 1000);
  if (!/^\d{1,4}$/.test(priority) || Number(priority) > maxPriority) {
    throw new UsageError(`--priority must be a whole number from 0 to 1000, not ${priority}.`);
  }
  if (note && note.length > longestNote) throw new UsageError(`--note may have ${longestNote} characters.`);
  return {
    priority: Number(priority),
    ...(note && { note }),
    ...(expires !== undefined && { expires_at: readExpiry(expires, at) }),
  };
}

/** The beginning of the day, in Unix seconds. */
function readExpiry(text: string, now: number): number {
  const seconds = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) / 1000 : Number.NaN;
  if (Number.isNaN(seconds) || new Date(seconds * 1000).toISOString().slice(0, 10) !== text) {
    throw new UsageError(`--expires must be a date such as 2027-01-31, not ${text}.`);
  }
  if (seconds <= now) throw new UsageError(`--expires must be after today: ${text}`);
  return seconds;
}
