/** Of tenants, their webhooks, and what they owe. */
import type { AdminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';
import { type AdminFunctions, type Asked, forRoles, ofParts } from './admin-function.ts';

const tenants = {
  read: () => import('../../lib/admin/tenants/read-tenant.ts'),
  write: () => import('../../lib/admin/tenants/write-tenant.ts'),
  adjustments: () => import('../../lib/admin/tenants/adjustments.ts'),
};

async function webhooks(runtime: AdminRuntime, { variables }: Asked) {
  const [endpoints, { webhookParts }] = await Promise.all([
    import('../../lib/admin/tenants/webhook.ts'),
    import('../../lib/runtime/webhook-runtime.ts'),
  ]);
  const { deliveries, post } = webhookParts(variables);
  return { ...endpoints, parts: { ...runtime, deliveries, post } };
}

const ofWebhooks = ofParts(webhooks);

export const tenantFunctions = {
  'admin-tenants-list': forRoles(async (r) => (await tenants.read()).listEndpoint(r)),
  'admin-tenants-retrieve': forRoles(async (r) => (await tenants.read()).retrieveEndpoint(r)),
  'admin-tenants-create': forRoles(async (r) => (await tenants.write()).createEndpoint(r)),
  'admin-tenants-change': forRoles(async (r) => (await tenants.write()).changeEndpoint(r)),
  'admin-webhook-retrieve': ofWebhooks((found) => found.retrieveWebhookEndpoint(found.parts)),
  'admin-webhook-test': ofWebhooks((found) => found.testWebhookEndpoint(found.parts)),
  'admin-adjustments-list': forRoles(async (r) => (await tenants.adjustments()).listAdjustmentsEndpoint(r)),
  'admin-invoice-retrieve': forRoles(async (r) =>
    (await import('../../lib/admin/tenants/invoice.ts')).invoiceEndpoint(r),
  ),
  'admin-invoice-close': forRoles(async (r, { variables }) => {
    const [{ closeMonthEndpoint }, { usageParts }] = await Promise.all([
      import('../../lib/admin/tenants/close-month.ts'),
      import('../../lib/runtime/admin/admin-usage-runtime.ts'),
    ]);
    return closeMonthEndpoint({ ...r, running: usageParts(variables).running });
  }),
  'admin-adjustments-add': forRoles(async (r) => (await tenants.adjustments()).addAdjustmentEndpoint(r)),
  'admin-credit-add': forRoles(async (r) =>
    (await import('../../lib/admin/tenants/add-credit.ts')).addCreditEndpoint(r),
  ),
  'admin-pricing-change': forRoles(async (r) =>
    (await import('../../lib/admin/tenants/change-pricing.ts')).changePricingEndpoint(r),
  ),
} satisfies AdminFunctions;
