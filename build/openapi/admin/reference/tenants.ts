/** The part of the reference of the dashboard's API that is about tenants, what they may do and what they owe. */
import { maxClosedRequests } from '../../../../lib/admin/tenants/close-month.ts';
import { creditAddAnswer, creditAddInput } from '../../../../lib/admin/tenants/credit-schema.ts';
import * as invoices from '../../../../lib/admin/tenants/invoice-schema.ts';
import { pricingChangeInput } from '../../../../lib/admin/tenants/pricing-schema.ts';
import * as tenants from '../../../../lib/admin/tenants/schema.ts';
import { webhookAnswer, webhookTestAnswer } from '../../../../lib/admin/tenants/webhook-schema.ts';
import { tagged } from '../admin-reference.ts';

export const tenantsReference = tagged('Tenants', {
  'admin-tenants-list': {
    title: 'List tenants',
    summary: 'Lists tenants by name.',
    parameters: tenants.tenantsListQuery,
    answer: ['TenantList', tenants.tenantsListAnswer],
  },
  'admin-tenants-create': {
    title: 'Create a tenant',
    summary: 'Creates a tenant with its limits and permissions.',
    body: tenants.tenantsCreateInput,
    answer: ['TenantDetails', tenants.tenantAnswer],
  },
  'admin-tenants-retrieve': {
    title: 'Get a tenant',
    summary: 'Returns one tenant with the use of its limits.',
    parameters: tenants.tenantPath,
    answer: ['TenantDetails', tenants.tenantAnswer],
  },
  'admin-tenants-change': {
    title: 'Change a tenant',
    summary:
      'Changes limits, permissions and terms, or suspends the tenant. What is absent stays as it is; null removes it.',
    parameters: tenants.tenantPath,
    body: tenants.tenantsChangeInput,
    answer: ['ChangedTenant', tenants.tenantsChangeAnswer],
    takesIfMatch: true,
  },
  'admin-webhook-retrieve': {
    title: 'Get the webhook of a tenant',
    summary:
      'Returns the webhook of a tenant, and its last events with their attempts. The bodies of answers are not kept.',
    parameters: tenants.tenantPath,
    answer: ['Webhook', webhookAnswer],
  },
  'admin-webhook-test': {
    title: 'Test the webhook of a tenant',
    summary: 'Posts an event `webhook.test` at once, and returns what came of it.',
    parameters: tenants.tenantPath,
    answer: ['WebhookTest', webhookTestAnswer],
  },
  'admin-credit-add': {
    title: 'Add credit',
    summary: 'Adds a prepayment. A request that is repeated with the same id counts once.',
    parameters: tenants.tenantPath,
    body: creditAddInput,
    answer: ['Credit', creditAddAnswer],
  },
  'admin-adjustments-list': {
    title: 'List adjustments',
    summary: 'Lists the adjustments of the invoice of a month.',
    parameters: invoices.adjustmentsListQuery,
    answer: ['AdjustmentList', invoices.adjustmentsListAnswer],
  },
  'admin-invoice-retrieve': {
    title: 'Get the invoice of a month',
    summary:
      'Returns what a tenant owes for a month: the charges by model, the adjustments, and the total, exact to the nano-dollar. Of a month that is not closed it is a draft.',
    parameters: invoices.invoiceQuery,
    answer: ['Invoice', invoices.invoiceAnswer],
  },
  'admin-invoice-close': {
    title: 'Close a month',
    summary: `Closes a month of a tenant, which cannot be undone: its invoice stays what it is, and later corrections are adjustments. Refused with 409 for a month that is not over for 20 minutes, has requests that have not ended, differs from the ledger, is closed already, or has more than ${maxClosedRequests} requests: the command line closes such a month.`,
    parameters: tenants.tenantPath,
    body: invoices.invoiceCloseInput,
    answer: ['Invoice', invoices.invoiceAnswer],
  },
  'admin-adjustments-add': {
    title: 'Adjust an invoice',
    summary:
      'Adds an amount to the invoice of a month, or takes one from it. A request that is repeated with the same id counts once.',
    parameters: tenants.tenantPath,
    body: invoices.adjustmentsAddInput,
    answer: ['Adjustment', invoices.adjustmentSchema],
  },
  'admin-pricing-change': {
    title: 'Change what a tenant is charged',
    summary: 'Sets the terms from a time on: a markup on the cost, and fixed prices of models.',
    parameters: tenants.tenantPath,
    body: pricingChangeInput,
    answer: ['TenantDetails', tenants.tenantAnswer],
    takesIfMatch: true,
  },
});
