/** Operations on keys and tenants. */
import { listKeys, retrieveKey } from '../../lib/admin/keys/read-key.ts';
import { changeKey, createKey, disableKey, enableKey, rotateKey } from '../../lib/admin/keys/write-key.ts';
import type { SubjectParts } from '../../lib/admin/subject-endpoint.ts';
import { giveCredit } from '../../lib/admin/tenants/add-credit.ts';
import { addAdjustment } from '../../lib/admin/tenants/adjustments.ts';
import { changePricing } from '../../lib/admin/tenants/change-pricing.ts';
import { closeInvoice } from '../../lib/admin/tenants/close-month.ts';
import { retrieveInvoice } from '../../lib/admin/tenants/invoice.ts';
import { listTenants, retrieveTenant } from '../../lib/admin/tenants/read-tenant.ts';
import { retrieveWebhook, testWebhook, type WebhookParts } from '../../lib/admin/tenants/webhook.ts';
import { changeTenant, createTenant } from '../../lib/admin/tenants/write-tenant.ts';
import type { User } from '../../lib/core/admin/user.ts';
import type { Installation } from '../command.ts';

/** What a webhook's URL may be is checked before, and its address with each alert. */
const ofSubjects =
  <Input, Answer>(work: (parts: SubjectParts, user: User, input: Input) => Promise<Answer>) =>
  (installation: Installation, user: User, input: Input): Promise<Answer> =>
    work({ ...installation, now: Date.now, webhookProblem: async () => undefined }, user, input);

/** A test is posted by this machine. */
const ofWebhooks =
  <Answer>(work: (parts: WebhookParts, user: User, input: { readonly tenant: string }) => Promise<Answer>) =>
  (installation: Installation, user: User, input: { readonly tenant: string }): Promise<Answer> => {
    const isLocal = installation.database?.isAws !== true;
    const post: WebhookParts['post'] = async (...posted) => {
      const { createWebhookPoster } = await import('../../lib/transport/webhook-poster.ts');
      return await createWebhookPoster({ isLocal })(...posted);
    };
    return work({ ...installation, deliveries: installation.deliveries(), post }, user, input);
  };

export const onSubjects = {
  'admin-keys-list': ofSubjects(listKeys),
  'admin-keys-retrieve': ofSubjects(retrieveKey),
  'admin-keys-create': ofSubjects(createKey),
  'admin-keys-change': ofSubjects(changeKey),
  'admin-keys-rotate': ofSubjects(rotateKey),
  'admin-keys-disable': ofSubjects(disableKey),
  'admin-keys-enable': ofSubjects(enableKey),
  'admin-tenants-list': ofSubjects(listTenants),
  'admin-tenants-retrieve': ofSubjects(retrieveTenant),
  'admin-tenants-create': ofSubjects(createTenant),
  'admin-tenants-change': ofSubjects(changeTenant),
  'admin-webhook-retrieve': ofWebhooks(retrieveWebhook),
  'admin-webhook-test': ofWebhooks(testWebhook),
  'admin-credit-add': ofSubjects(giveCredit),
  'admin-adjustments-add': ofSubjects(addAdjustment),
  'admin-invoice-retrieve': ofSubjects(retrieveInvoice),
  'admin-invoice-close': closeInvoice,
  'admin-pricing-change': ofSubjects(changePricing),
};
