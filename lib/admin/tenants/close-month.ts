/** `POST /admin/v1/tenants/{tenant}/invoice/close`: closes a month of a tenant, for good. Later corrections are adjustments. */
import type { User } from '../../core/admin/user.ts';
import { closeMonth } from '../../metering/month/close-month.ts';
import { recordChange } from '../audit/record-change.ts';
import { tenantNotFound } from '../reach.ts';
import { endpointOf, type SubjectParts } from '../subject-endpoint.ts';
import { retrieveInvoice } from './invoice.ts';
import { type InvoiceAnswer, type InvoiceCloseInput, invoiceCloseInput } from './invoice-schema.ts';
import { tenantPath } from './schema.ts';

/** Requests of a month that is closed by the API: all their records are read within the time of one call. */
export const maxClosedRequests = 200_000;

type CloseParts = Pick<SubjectParts, 'tenantEdits' | 'audit' | 'now'> & Parameters<typeof closeMonth>[0];

export const closeMonthEndpoint = (parts: CloseParts) =>
  endpointOf({ ...parts, maxRequests: maxClosedRequests }, tenantPath, invoiceCloseInput, closeInvoice);

export async function closeInvoice(
  parts: CloseParts,
  user: User,
  { tenant, month }: InvoiceCloseInput & { readonly tenant: string },
): Promise<InvoiceAnswer> {
  if (!(await parts.tenantEdits.find(tenant))) throw tenantNotFound(tenant);
  const { hash } = await closeMonth(parts, tenant, month, user.name);
  const invoice = await retrieveInvoice(parts, user, { tenant, month });
  const { charges_usd } = invoice;
  await recordChange(parts, user, 'tenants.close_month', {
    tenant,
    target: tenant,
    after: { month, charges_usd, hash },
  });
  return invoice;
}
