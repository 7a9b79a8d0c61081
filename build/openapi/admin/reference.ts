/** What the reference of the dashboard's API has of each operation beside its row: its words, and the schemas of its input and answer. */
import { auditListAnswer, auditListQuery } from '../../../lib/admin/audit/schema.ts';
import {
  maxKeysOfOwner,
  maxKeysOfTenant,
  maxNewKeysOfOwner,
  maxNewKeysOfTenant,
} from '../../../lib/admin/keys/number-of-keys.ts';
import * as keys from '../../../lib/admin/keys/schema.ts';
import * as members from '../../../lib/admin/members/schema.ts';
import { modelsListAnswer, modelsListQuery } from '../../../lib/admin/models/schema.ts';
import * as providers from '../../../lib/admin/providers/schema.ts';
import * as requests from '../../../lib/admin/requests/schema.ts';
import { openBody, sessionSchema } from '../../../lib/admin/sessions/schema.ts';
import { pricingChangeInput } from '../../../lib/admin/tenants/pricing-schema.ts';
import * as tenants from '../../../lib/admin/tenants/schema.ts';
import { webhookAnswer, webhookTestAnswer } from '../../../lib/admin/tenants/webhook-schema.ts';
import { overviewQuery } from '../../../lib/admin/usage/overview-question.ts';
import { overviewAnswer, usageAnswer } from '../../../lib/admin/usage/schema.ts';
import { usageQuery } from '../../../lib/admin/usage/usage-question.ts';
import type { AdminReference } from './admin-reference.ts';
import { batchesReference } from './batches-reference.ts';
import { catalogReference } from './catalog-reference.ts';
import { credentialsReference } from './credentials-reference.ts';
import { guardrailsReference } from './guardrails-reference.ts';
import { managementKeysReference } from './management-keys-reference.ts';

const session: AdminReference['answer'] = ['Session', sessionSchema];

/** By the name of the operation. */
export const adminReference: Readonly<Record<string, AdminReference>> = {
  'admin-session-show': {
    tag: 'Session',
    title: 'Get the session',
    summary: 'Returns who is signed in, or the sign-in methods of this gateway.',
    answer: session,
  },
  'admin-session-open': {
    tag: 'Session',
    title: 'Open a session',
    summary:
      'With `api_key`: a session that may look at what belongs to the tenant of the key, and change nothing; the permissions of the key must include usage. Its calls go to `/account/v1`. Without: continues the session of the cookie of the issuer.',
    body: openBody,
    answer: session,
  },
  'admin-session-end': {
    tag: 'Session',
    title: 'Sign out',
    summary: 'Ends the session.',
    answer: session,
  },
  'admin-tenants-list': {
    tag: 'Tenants',
    title: 'List tenants',
    summary: 'Lists tenants by name.',
    parameters: tenants.tenantsListQuery,
    answer: ['TenantList', tenants.tenantsListAnswer],
  },
  'admin-tenants-create': {
    tag: 'Tenants',
    title: 'Create a tenant',
    summary: 'Creates a tenant with its limits and permissions.',
    body: tenants.tenantsCreateInput,
    answer: ['TenantDetails', tenants.tenantAnswer],
  },
  'admin-tenants-retrieve': {
    tag: 'Tenants',
    title: 'Get a tenant',
    summary: 'Returns one tenant with the use of its limits.',
    parameters: tenants.tenantPath,
    answer: ['TenantDetails', tenants.tenantAnswer],
  },
  'admin-tenants-change': {
    tag: 'Tenants',
    title: 'Change a tenant',
    summary:
      'Changes limits, permissions and terms, or suspends the tenant. What is absent stays as it is; null removes it.',
    parameters: tenants.tenantPath,
    body: tenants.tenantsChangeInput,
    answer: ['ChangedTenant', tenants.tenantsChangeAnswer],
    takesIfMatch: true,
  },
  'admin-webhook-retrieve': {
    tag: 'Tenants',
    title: 'Get the webhook of a tenant',
    summary:
      'Returns the webhook of a tenant, and its last events with their attempts. The bodies of answers are not kept.',
    parameters: tenants.tenantPath,
    answer: ['Webhook', webhookAnswer],
  },
  'admin-webhook-test': {
    tag: 'Tenants',
    title: 'Test the webhook of a tenant',
    summary: 'Posts an event `webhook.test` at once, and returns what came of it.',
    parameters: tenants.tenantPath,
    answer: ['WebhookTest', webhookTestAnswer],
  },
  'admin-credit-add': {
    tag: 'Tenants',
    title: 'Add credit',
    summary: 'Adds a prepayment. A request that is repeated with the same id counts once.',
    parameters: tenants.tenantPath,
    body: tenants.creditAddInput,
    answer: ['Credit', tenants.creditAddAnswer],
  },
  'admin-adjustments-list': {
    tag: 'Tenants',
    title: 'List adjustments',
    summary: 'Lists the adjustments of the invoice of a month.',
    parameters: tenants.adjustmentsListQuery,
    answer: ['AdjustmentList', tenants.adjustmentsListAnswer],
  },
  'admin-invoice-retrieve': {
    tag: 'Tenants',
    title: 'Get the invoice of a month',
    summary:
      'Returns what a tenant owes for a month: the charges by model, the adjustments, and the total, exact to the nano-dollar. Of a month that is not closed it is a draft.',
    parameters: tenants.invoiceQuery,
    answer: ['Invoice', tenants.invoiceAnswer],
  },
  'admin-adjustments-add': {
    tag: 'Tenants',
    title: 'Adjust an invoice',
    summary:
      'Adds an amount to the invoice of a month, or takes one from it. A request that is repeated with the same id counts once.',
    parameters: tenants.tenantPath,
    body: tenants.adjustmentsAddInput,
    answer: ['Adjustment', tenants.adjustmentSchema],
  },
  'admin-pricing-change': {
    tag: 'Tenants',
    title: 'Change what a tenant is charged',
    summary: 'Sets the terms from a time on: a markup on the cost, and fixed prices of models.',
    parameters: tenants.tenantPath,
    body: pricingChangeInput,
    answer: ['TenantDetails', tenants.tenantAnswer],
    takesIfMatch: true,
  },
  'admin-keys-list': {
    tag: 'Keys',
    title: 'List keys',
    summary: 'Lists keys, newest first, with their last use. A member sees its own.',
    parameters: keys.keysListQuery,
    answer: ['KeyList', keys.keysListAnswer],
  },
  'admin-keys-create': {
    tag: 'Keys',
    title: 'Create a key',
    summary: `Creates a key. The secret is in this answer and in no later one. For people other than operators, a tenant has at most ${maxKeysOfTenant} keys that work and makes at most ${maxNewKeysOfTenant} in 24 hours, and a user ${maxKeysOfOwner} and ${maxNewKeysOfOwner}: one more is refused with 409.`,
    body: keys.keysCreateInput,
    answer: ['CreatedKey', keys.createdKeyAnswer],
  },
  'admin-keys-retrieve': {
    tag: 'Keys',
    title: 'Get a key',
    summary: 'Returns one key with the use of its limits.',
    parameters: keys.keyPath,
    answer: ['KeyDetails', keys.keyAnswer],
  },
  'admin-keys-change': {
    tag: 'Keys',
    title: 'Change a key',
    summary:
      'Changes limits, permissions, name and expiry. What is absent stays as it is; null removes it. What an operator or a tenant admin has set, a member may make narrower on its own key, and neither lift nor widen.',
    parameters: keys.keyPath,
    body: keys.keysChangeInput,
    answer: ['Key', keys.keySchema],
    takesIfMatch: true,
  },
  'admin-keys-rotate': {
    tag: 'Keys',
    title: 'Rotate a key',
    summary:
      'Creates a key with the same settings; the old one works beside it for a while. A key is rotated once: a further rotation is refused with 409 and names the key that replaced it. The numbers of keys are bounded as for a new key; with `overlap_seconds` 0 the old key is left out of them.',
    parameters: keys.keyPath,
    body: keys.keysRotateInput,
    answer: ['RotatedKey', keys.rotatedKeyAnswer],
    takesIfMatch: true,
  },
  'admin-keys-disable': {
    tag: 'Keys',
    title: 'Disable a key',
    summary: 'Disables a key for good, within ten seconds.',
    parameters: keys.keyPath,
    answer: ['Key', keys.keySchema],
    takesIfMatch: true,
  },
  'admin-overview': {
    tag: 'Usage',
    title: 'Get the overview',
    summary:
      'Returns the figures of a span and of the equally long one before it, its points over time, and the greatest groups. From sums, never from a scan of requests.',
    parameters: overviewQuery,
    answer: ['Overview', overviewAnswer],
  },
  'admin-usage': {
    tag: 'Usage',
    title: 'Get usage and cost of groups',
    summary: 'Answers the questions of `GET /v1/usage` for any tenant that the user may see, page by page.',
    parameters: usageQuery,
    answer: ['UsageList', usageAnswer],
  },
  'admin-requests-list': {
    tag: 'Requests',
    title: 'List requests',
    summary:
      'Lists requests of the ledger, newest first. A page looks at a bounded number of records, so it may be empty and have more. With `status=running`, it lists those whose response is created in the background now, in one page: `status` is `queued` or `in_progress`, and `total_ms` their age. Never a prompt or an answer.',
    parameters: requests.requestsListQuery,
    answer: ['RequestList', requests.requestsListAnswer],
  },
  'admin-requests-retrieve': {
    tag: 'Requests',
    title: 'Get a request',
    summary: 'Returns one request: its attempts, and the arithmetic of its price.',
    parameters: requests.requestQuery,
    answer: ['RequestDetails', requests.requestAnswer],
  },
  'admin-requests-cancel': {
    tag: 'Requests',
    title: 'Cancel a response in the background',
    summary:
      'Cancels the response that a request creates in the background. The call of the provider ends within some seconds, and what was generated by then is billed; a response that has not begun costs nothing.',
    parameters: requests.requestPath,
    body: requests.requestsCancelInput,
    answer: ['CancelledRequest', requests.requestsCancelAnswer],
  },
  ...batchesReference,
  ...credentialsReference,
  ...guardrailsReference,
  'admin-models-list': {
    tag: 'Models',
    title: 'List models with prices and deployments',
    summary:
      'Lists the catalog by id: what models can do, what they cost, where they are served, and how these deployments did in the last hours. A tenant sees what it is charged.',
    parameters: modelsListQuery,
    answer: ['ModelList', modelsListAnswer],
  },
  'admin-providers-list': {
    tag: 'Providers',
    title: 'List providers',
    summary:
      'Lists the providers: whether each is configured, where that was read, and how to get a key. Values are never shown.',
    parameters: providers.providersListQuery,
    answer: ['ProviderList', providers.providersListAnswer],
  },
  'admin-providers-set': {
    tag: 'Providers',
    title: 'Store a setting of a provider',
    summary:
      'Stores a key or another setting, encrypted in the parameter store, or in the file of a local gateway. It cannot be read back.',
    parameters: providers.providersSetPath,
    body: providers.providersSetInput,
    answer: ['StoredSetting', providers.providersSetAnswer],
  },
  'admin-providers-remove': {
    tag: 'Providers',
    title: 'Remove a setting of a provider',
    summary:
      'Removes a key or another setting that is stored. It stays valid at the provider, and what the environment of the gateway sets is not removed.',
    parameters: providers.providersSetPath,
    answer: ['RemovedSetting', providers.providersRemoveAnswer],
  },
  'admin-providers-test': {
    tag: 'Providers',
    title: 'Test a provider',
    summary:
      'Asks the provider whether it accepts the credentials that are stored now, with a call that is free of charge.',
    parameters: providers.providerPath,
    answer: ['ProviderTest', providers.providerTestAnswer],
  },
  'admin-providers-data': {
    tag: 'Providers',
    title: 'Say what a provider keeps',
    summary:
      "Replaces what your contract with a provider says of the content that it is sent: how long it is kept, and whether it trains on it. Without a member, the provider's own document holds.",
    parameters: providers.providerPath,
    body: providers.providersDataInput,
    answer: ['ProviderData', providers.providersDataAnswer],
  },
  'admin-playground': {
    tag: 'Playground',
    title: 'Try a model',
    summary:
      'The same as `POST /v1/chat/completions`, with an API key of the gateway: fields, answers, streams and errors are in its reference.',
  },
  'admin-members-list': {
    tag: 'Members',
    title: 'List members',
    summary: 'Lists the people who may sign in.',
    parameters: members.membersListQuery,
    answer: ['MemberList', members.membersListAnswer],
  },
  'admin-members-invite': {
    tag: 'Members',
    title: 'Invite a member',
    summary: 'Sends an invitation by e-mail. The user signs in with that address.',
    body: members.membersInviteInput,
    answer: ['Member', members.memberSchema],
  },
  'admin-members-remove': {
    tag: 'Members',
    title: 'Remove a member',
    summary: 'Ends the sessions of a user, and removes the account.',
    parameters: members.memberPath,
    answer: ['RemovedMember', members.memberRemovedAnswer],
  },
  ...managementKeysReference,
  ...catalogReference,
  'admin-audit-list': {
    tag: 'Audit',
    title: 'List changes',
    summary:
      'Lists who changed what, newest first. A page looks at a bounded number of records, so it may be empty and have more.',
    parameters: auditListQuery,
    answer: ['AuditList', auditListAnswer],
  },
  'admin-openapi': {
    tag: 'Reference',
    title: 'Get this document',
    summary: 'Returns the OpenAPI 3.1 document of this API. It needs no sign-in.',
  },
};
