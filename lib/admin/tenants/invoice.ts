/** `GET /admin/v1/tenants/{tenant}/invoice`: what a tenant owes for a month, exact; of a month that is not closed, a draft. */
import { formatDollars } from '../../core/accounting/money.ts';
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import { estimatesIn, type Invoice, invoiceOf, unchargedIn } from '../../metering/month/invoice.ts';
import { tenantNotFound } from '../reach.ts';
import { endpointOf, type SubjectParts } from '../subject-endpoint.ts';
import { adjustmentRow, monthOf } from './adjustments.ts';
import { type InvoiceAnswer, type InvoiceQuery, invoiceQuery } from './invoice-schema.ts';

type InvoiceParts = Pick<SubjectParts, 'tenantEdits' | 'journal' | 'usage' | 'now'>;

export const invoiceEndpoint = (parts: InvoiceParts) =>
  endpointOf(parts, invoiceQuery, nothing, retrieveInvoice);

export async function retrieveInvoice(
  parts: InvoiceParts,
  _user: User,
  { tenant, month = monthOf(parts.now()) }: InvoiceQuery,
): Promise<InvoiceAnswer> {
  if (!(await parts.tenantEdits.find(tenant))) throw tenantNotFound(tenant);
  return invoiceRow(await invoiceOf(parts, tenant, month));
}

function invoiceRow(invoice: Invoice): InvoiceAnswer {
  const { tenant, month, closed, models, adjustments, charges, adjusted, total } = invoice;
  const estimates = estimatesIn(invoice);
  return {
    object: 'invoice',
    tenant,
    month,
    status: closed ? 'closed' : 'draft',
    closed_at: closed ? Math.floor(closed.at / 1000) : null,
    closed_by: closed?.by ?? null,
    hash: closed?.hash ?? null,
    is_unchanged: invoice.isUnchanged,
    lines: models.map(lineOf),
    adjustments: adjustments.map(adjustmentRow),
    uncharged_requests: unchargedIn(invoice),
    estimated_requests: estimates.requests,
    estimated_usd: formatDollars(estimates.amount),
    charges_usd: formatDollars(charges),
    adjusted_usd: formatDollars(adjusted),
    total_usd: formatDollars(total),
  };
}

/** What was used of a model. */
export const lineOf = ({ model, counts }: Invoice['models'][number]) => ({
  model,
  requests: counts.requests,
  prompt_tokens: counts.promptTokens,
  completion_tokens: counts.completionTokens,
  charge_usd: formatDollars(counts.charge),
});
