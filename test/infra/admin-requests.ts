/** Requests of people that lead each admin operation to every service that it uses, by the name of the operation. */
import type { CallerRequest } from '../harness/aws/caller.ts';
import { textRow } from '../harness/text-model.ts';
import { callerRequests } from './caller-requests.ts';

/** What earlier requests have made, by its kind. */
export interface Known {
  readonly key: string;
  readonly apiKey: string;
  readonly member: string;
  readonly request: string;
  /** The id of a request whose response is created in the background, for each one that is cancelled. */
  readonly running: string;
  readonly batch: string;
  /** The id of a key of the tenant for a provider. */
  readonly credential: string;
  /** The id of a management key. */
  readonly managementKey: string;
}

const ownModel = { owner: 'acme', model: 'chat' };

/** A row of a model at a host that the operator added before. */
const ownRow = textRow({ provider: 'vllm-a', upstreamId: 'chat' });

const tenant = { tenant: 'acme' };

/** Those that end something come last in the table of operations, or make it first. */
export const adminRequests = ({
  key,
  apiKey,
  member,
  request,
  running,
  batch,
  credential,
  managementKey,
}: Known): Readonly<Record<string, readonly CallerRequest[]>> => ({
  'admin-session-show': [{}],
  'admin-session-open': [{ body: { api_key: apiKey } }],
  'admin-session-end': [{}],
  'admin-sign-in': [{ query: { return: '/dashboard/overview' }, status: 303 }],
  'admin-sign-in-callback': [{ query: { code: 'none', state: 'none' }, status: 303 }],
  'admin-members-list': [{}, { query: tenant }],
  'admin-members-invite': [{ body: { email: 'new@example.com', role: 'viewer', ...tenant } }],
  'admin-members-remove': [{ path: { member } }],
  'admin-management-keys-list': [{}],
  'admin-management-keys-create': [{ body: { name: 'new', role: 'viewer', ...tenant } }],
  'admin-management-keys-retrieve': [{ path: { management_key: managementKey } }],
  'admin-management-keys-revoke': [{ path: { management_key: managementKey } }],
  'admin-models-list': [{}, { query: tenant }],
  'admin-providers-list': [{}],
  'admin-providers-set': [{ path: { provider: 'openai', setting: 'api-key' }, body: { value: 'sk-two' } }],
  'admin-providers-remove': [{ path: { provider: 'azure', setting: 'base-url' }, status: 404 }],
  'admin-providers-test': [{ path: { provider: 'openai' } }],
  'admin-providers-data': [{ path: { provider: 'openai' }, body: { retention_days: 0, flagged_days: 0 } }],
  'admin-hosts-list': [{}],
  'admin-hosts-put': [{ path: { host: 'vllm-a' }, body: { row: { baseUrl: 'https://a.example/v1' } } }],
  'admin-models-put': [{ path: ownModel, body: { row: ownRow } }],
  'admin-models-retrieve': [{ path: ownModel }],
  'admin-aliases-put': [{ path: { alias: 'fast' }, body: { targets: [{ model: 'acme/chat' }] } }],
  'admin-aliases-list': [{}],
  'admin-aliases-delete': [{ path: { alias: 'fast' } }],
  'admin-models-delete': [{ path: ownModel }],
  'admin-hosts-delete': [{ path: { host: 'vllm-a' } }],
  'admin-playground': callerRequests['chat-completions'],
  'admin-keys-list': [{ query: { ...tenant, include: 'spend' } }],
  'admin-keys-create': [{ body: { ...tenant, name: 'new' } }],
  'admin-keys-retrieve': [{ path: { key } }],
  'admin-keys-change': [{ path: { key }, body: { limits: { requests_per_minute: 100 } } }],
  'admin-keys-rotate': [{ path: { key }, body: {} }],
  'admin-keys-disable': [{ path: { key }, body: {} }],
  'admin-keys-enable': [{ path: { key } }],
  'admin-tenants-list': [{ query: { include: 'spend' } }],
  'admin-tenants-create': [{ body: { tenant: 'new' } }],
  'admin-tenants-retrieve': [{ path: tenant }],
  'admin-tenants-change': [
    {
      path: tenant,
      body: { limits: { requests_per_minute: 100 }, alerts: { webhook_url: 'https://hooks.invalid/' } },
    },
  ],
  'admin-webhook-retrieve': [{ path: tenant }],
  'admin-webhook-test': [{ path: tenant }],
  'admin-guardrails-list': [{ path: tenant }],
  'admin-guardrails-put': [
    {
      path: { ...tenant, guardrail: 'house' },
      body: { rules: [{ id: 'keys', kind: 'secrets', on: ['input'], action: 'block' }] },
    },
  ],
  'admin-guardrails-retrieve': [{ path: { ...tenant, guardrail: 'house' } }],
  'admin-guardrails-test': [
    {
      path: { ...tenant, guardrail: 'house' },
      body: {
        text: 'Hello',
        remote: true,
        draft: { rules: [{ id: 'one', kind: 'openai', on: ['input'], action: 'block' }] },
      },
    },
  ],
  'admin-guardrails-delete': [{ path: { ...tenant, guardrail: 'house' } }],
  'admin-credentials-create': [
    { path: tenant, body: { provider: 'openai', settings: { 'api-key': 'sk-of-the-tenant' } } },
  ],
  'admin-credentials-list': [{ path: tenant }],
  'admin-credentials-test': [{ path: { ...tenant, credential } }],
  'admin-credentials-change': [{ path: { ...tenant, credential }, body: { position: 0 } }],
  'admin-credentials-delete': [{ path: { ...tenant, credential } }],
  'admin-credit-add': [{ path: tenant, body: { id: 'grant-1', amount_usd: '5' } }],
  'admin-adjustments-list': [{ path: tenant }],
  'admin-invoice-retrieve': [{ path: tenant }],
  'admin-invoice-close': [{ path: tenant, body: { month: '2026-01' } }],
  'admin-adjustments-add': [
    { path: tenant, body: { id: 'adjustment-1', amount_usd: '-1', reason: 'a test' } },
  ],
  'admin-pricing-change': [{ path: tenant, body: { markup_percent: '10' } }],
  'admin-audit-list': [{}],
  'admin-alerts-list': [{}, { query: tenant }],
  'admin-usage': [
    { query: tenant },
    { query: { ...tenant, user: 'ann' } },
    ...['tenant', 'key', 'session'].map((group_by) => ({ query: { group_by } })),
  ],
  'admin-overview': [{}, { query: tenant }, { query: { ...tenant, user: 'ann' } }],
  'admin-requests-list': [
    {},
    { query: tenant },
    { query: { status: 'running' } },
    { query: { ...tenant, status: 'open' } },
  ],
  // Without its tenant, it is looked for in the sums, where nothing is.
  'admin-requests-retrieve': [
    { path: { request_id: request }, query: tenant },
    { path: { request_id: request }, status: 404 },
  ],
  'admin-requests-cancel': [{ path: { request_id: running }, body: tenant }],
  'admin-batches-list': [{}, { query: tenant }],
  'admin-batches-retrieve': [{ path: { batch_id: batch }, query: tenant }],
  'admin-batches-cancel': [{ path: { batch_id: batch }, body: tenant }],
  'admin-files-list': [{ query: tenant }],
  'admin-openapi': [{}],
});
