/** `usage close` and `usage invoice`: a month is closed, and what a tenant owes for it. */
import { lineOf } from '../../lib/admin/tenants/invoice.ts';
import { formatDollars } from '../../lib/core/accounting/money.ts';
import { estimatesIn, type Invoice, invoiceOf, unchargedIn } from '../../lib/metering/month/invoice.ts';
import { allTenants, byOption, withAdmin } from '../call-admin.ts';
import { type Command, type Terminal, withInstallation } from '../command.ts';
import { jsonOption, type Row, toTable } from '../listing.ts';
import { found, readMonth, tenantOption } from './usage-options.ts';

const usageClose: Command = {
  name: 'usage close',
  summary: 'Close a month of one tenant or all',
  description:
    'Keeps its totals, a hash of its daily sums, and the prices they were made of. Afterwards, usage recompute --write makes adjustments instead of changing the ledger. Refused for a month that is not over, has requests that have not ended, or differs from the ledger. It cannot be undone.',
  arguments: ['month'],
  options: { ...tenantOption, ...byOption },
  examples: ['usage close 2026-10', 'usage close 2026-10 --tenant acme'],
  async run({ arguments: [text = ''], options, terminal, ...context }) {
    const month = readMonth('<month>', text);
    const failed = await withAdmin({ options, ...context }, async (call) => {
      const given = options.tenant;
      const tenants = given === undefined ? (await allTenants(call)).map(({ id }) => id) : [given];
      let problems = 0;
      for (const tenant of tenants) {
        try {
          const isAsked = given !== undefined;
          if (!isAsked && (await call('admin-invoice-retrieve', { tenant, month })).status === 'closed')
            continue;
          const { charges_usd } = await call('admin-invoice-close', { tenant, month });
          terminal.write(`Closed ${month} of tenant ${tenant}: ${charges_usd} USD.`);
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

const usageInvoice: Command = {
  name: 'usage invoice',
  summary: 'Print what a tenant owes for a month',
  description:
    'The charges by model, the adjustments with their reasons, and the total, exact to the nano-dollar. Of a month that is not closed it is a draft.',
  arguments: ['tenant', 'month'],
  options: jsonOption,
  examples: ['usage invoice acme 2026-10', 'usage invoice acme 2026-10 --json'],
  async run({ arguments: [name = '', text = ''], terminal, format, ...context }) {
    const month = readMonth('<month>', text);
    const invoice = await withInstallation(context, async (installation) => {
      const { name: tenant } = found(await installation.tenants.find(name), 'Tenant', name);
      return await invoiceOf(installation, tenant, month);
    });
    if (format === 'json') terminal.write(JSON.stringify(toJson(invoice), null, 2));
    else writeText(terminal, invoice);
    for (const line of remarksOn(invoice)) terminal.writeError(line);
  },
};

const adjustmentRows = ({ adjustments }: Invoice): readonly Row[] =>
  adjustments.map(({ at, amount, reason, by, requestId }) => ({
    date: new Date(at).toISOString().slice(0, 10),
    reason,
    by,
    request: requestId ?? null,
    amount_usd: formatDollars(amount),
  }));

const toJson = (invoice: Invoice) => ({
  tenant: invoice.tenant,
  month: invoice.month,
  status: statusOf(invoice),
  closed_at: invoice.closed ? new Date(invoice.closed.at).toISOString() : null,
  hash: invoice.closed?.hash ?? null,
  pricing: invoice.closed?.pricing ?? null,
  currency: 'USD',
  lines: invoice.models.map((model) => ({
    ...lineOf(model),
    estimated_requests: model.counts.estimated,
    estimated_usd: formatDollars(model.counts.estimatedCharge),
  })),
  adjustments: adjustmentRows(invoice),
  charges_usd: formatDollars(invoice.charges),
  estimated_requests: estimatesIn(invoice).requests,
  estimated_usd: formatDollars(estimatesIn(invoice).amount),
  adjusted_usd: formatDollars(invoice.adjusted),
  total_usd: formatDollars(invoice.total),
});

const statusOf = ({ closed }: Invoice) => (closed ? 'closed' : 'draft');

function writeText(terminal: Terminal, invoice: Invoice): void {
  const { tenant, month, charges, adjusted, total } = invoice;
  const estimated = estimatesIn(invoice);
  const writeLines = (lines: readonly string[]) => {
    for (const line of lines) terminal.write(line);
  };
  terminal.write(`Invoice for ${tenant}, ${month} (${statusOf(invoice)}), in USD`);
  for (const rows of [invoice.models.map(lineOf), adjustmentRows(invoice)]) {
    if (rows.length === 0) continue;
    terminal.write('');
    writeLines(toTable(rows));
  }
  terminal.write('');
  const sums = [
    { what: 'Charges', usd: formatDollars(charges) },
    ...(estimated.requests > 0
      ? [
          {
            what: `Of these, estimates (${estimated.requests} requests)`,
            usd: formatDollars(estimated.amount),
          },
        ]
      : []),
    { what: 'Adjustments', usd: formatDollars(adjusted) },
    { what: 'Total', usd: formatDollars(total) },
  ];
  writeLines(toTable(sums));
}

function remarksOn(invoice: Invoice): readonly string[] {
  const { month, isUnchanged } = invoice;
  const uncharged = unchargedIn(invoice);
  return [
    ...(uncharged > 0 ? [`${uncharged} requests have no known charge and are not included.`] : []),
    ...(isUnchanged ? [] : [`The daily totals have changed since ${month} was closed; the invoice has not.`]),
  ];
}

export const monthCommands: readonly Command[] = [usageClose, usageInvoice];
