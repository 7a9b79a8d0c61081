/**
 * The Lambda functions of the dashboard: one program for all of them, in which each loads the operation that `GATEWAY_OPERATION`
 * names. A server asks for each by its name.
 */
import { join } from 'node:path';
import type * as z from 'zod/mini';
import { lazy } from '../lib/async/lazy.ts';
import type { PageFiles } from '../lib/core/admin/admin-endpoint.ts';
import { type AdminEndpoint, nothing, type OpenEndpoint } from '../lib/core/admin/admin-endpoint.ts';
import {
  type AdminOperationName,
  adminOperationNamed,
  adminOperations,
} from '../lib/core/admin/admin-operations.ts';
import { operationNamed } from '../lib/core/operations.ts';
import { routesOf } from '../lib/core/routes.ts';
import { serveAdmin, serveOpen } from '../lib/http/admin/serve-admin.ts';
import type { Handler } from '../lib/http/request/http-request.ts';
import { type AdminRuntime, adminRuntime } from '../lib/runtime/admin/admin-runtime.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { readDocument } from '../lib/runtime/read-document.ts';

/** What the build puts beside the program. */
export interface AdminFiles {
  readonly openapi: () => Promise<object>;
  readonly page: () => Promise<PageFiles>;
}

const builtFiles: AdminFiles = {
  openapi: async () => readDocument('admin-openapi'),
  page: lazy(async () => {
    const { readPageFiles } = await import('../lib/runtime/admin/page-files.ts');
    return await readPageFiles(join(import.meta.dirname, 'page'));
  }),
};

interface Asked {
  readonly name: AdminOperationName;
  readonly variables: Variables;
  readonly files: AdminFiles;
}

type Schema = z.core.$ZodType;
type Load<Endpoint> = (runtime: AdminRuntime, asked: Asked) => Promise<Endpoint>;

/** For people whose role may call the operation. */
const forRoles =
  <P extends Schema, B extends Schema>(load: Load<AdminEndpoint<P, B>>) =>
  async (asked: Asked): Promise<Handler> => {
    const runtime = adminRuntime(asked.variables);
    return serveAdmin(adminOperationNamed(asked.name), await load(runtime, asked), runtime);
  };

/** For everybody. */
const open =
  <P extends Schema, B extends Schema>(load: Load<OpenEndpoint<P, B>>) =>
  async (asked: Asked): Promise<Handler> => {
    const runtime = adminRuntime(asked.variables);
    return serveOpen(adminOperationNamed(asked.name), await load(runtime, asked), runtime);
  };

const sessions = () => import('../lib/admin/sessions/endpoints.ts');
const signIn = () => import('../lib/admin/sign-in/endpoints.ts');
const keys = {
  read: () => import('../lib/admin/keys/read-key.ts'),
  write: () => import('../lib/admin/keys/write-key.ts'),
};
const tenants = {
  read: () => import('../lib/admin/tenants/read-tenant.ts'),
  write: () => import('../lib/admin/tenants/write-tenant.ts'),
  adjustments: () => import('../lib/admin/tenants/adjustments.ts'),
};

const catalog = {
  hosts: () => import('../lib/admin/catalog/hosts.ts'),
  models: () => import('../lib/admin/catalog/models.ts'),
  aliases: () => import('../lib/admin/catalog/aliases.ts'),
};

async function members({ foundation, ...runtime }: AdminRuntime) {
  const [endpoints, { membersIn }] = await Promise.all([
    import('../lib/admin/members/members.ts'),
    import('../lib/runtime/admin/members.ts'),
  ]);
  return { ...endpoints, parts: { ...runtime, members: membersIn(foundation) } };
}

const ofMembers = <P extends Schema, B extends Schema>(
  choose: (found: Awaited<ReturnType<typeof members>>) => AdminEndpoint<P, B>,
) => forRoles(async (runtime) => choose(await members(runtime)));

const managementKeys = () => import('../lib/admin/management-keys/management-keys.ts');

async function webhooks(runtime: AdminRuntime, { variables }: Asked) {
  const [endpoints, { webhookParts }] = await Promise.all([
    import('../lib/admin/tenants/webhook.ts'),
    import('../lib/runtime/webhook-runtime.ts'),
  ]);
  const { deliveries, post } = webhookParts(variables);
  return { ...endpoints, parts: { ...runtime, deliveries, post } };
}

async function providers(runtime: AdminRuntime) {
  const [{ modelParts, providerDataOf }, { createProviderSettings }] = await Promise.all([
    import('../lib/runtime/admin/admin-services.ts'),
    import('../lib/runtime/provider-settings/provider-settings.ts'),
  ]);
  return {
    ...modelParts(runtime),
    hosts: runtime.hosts,
    providerData: providerDataOf(runtime),
    settings: createProviderSettings(runtime.foundation),
  };
}

async function credentials(runtime: AdminRuntime) {
  const [endpoints, { credentialParts }] = await Promise.all([
    import('../lib/admin/credentials/credentials.ts'),
    import('../lib/runtime/admin/credential-parts.ts'),
  ]);
  return { ...endpoints, parts: credentialParts(runtime) };
}

const ofCredentials = <P extends Schema, B extends Schema>(
  choose: (found: Awaited<ReturnType<typeof credentials>>) => AdminEndpoint<P, B>,
) => forRoles(async (runtime) => choose(await credentials(runtime)));

async function guardrails(runtime: AdminRuntime) {
  const [endpoints, { guardrailParts }] = await Promise.all([
    import('../lib/admin/guardrails/guardrails.ts'),
    import('../lib/runtime/admin/guardrail-parts.ts'),
  ]);
  return { ...endpoints, parts: guardrailParts(runtime) };
}

const ofGuardrails = <P extends Schema, B extends Schema>(
  choose: (found: Awaited<ReturnType<typeof guardrails>>) => AdminEndpoint<P, B>,
) => forRoles(async (runtime) => choose(await guardrails(runtime)));

async function usage({ variables }: Asked) {
  const { usageParts } = await import('../lib/runtime/admin/admin-usage-runtime.ts');
  return usageParts(variables);
}

async function batches(asked: Asked) {
  const [parts, { batchOperationsRuntime }] = await Promise.all([
    usage(asked),
    import('../lib/runtime/batch-operations-runtime.ts'),
  ]);
  const { batches, files } = batchOperationsRuntime(asked.variables);
  return { ...parts, batches, files };
}

const functions: Readonly<Record<AdminOperationName, (asked: Asked) => Promise<Handler>>> = {
  'admin-session-start': open(async (r) => (await sessions()).startEndpoint(r)),
  'admin-session-show': open(async (r) => (await sessions()).showEndpoint(r)),
  'admin-session-open': open(async (r) => (await sessions()).openEndpoint(r)),
  'admin-session-end': open(async (r) => (await sessions()).endEndpoint(r)),
  'admin-sign-in': open(async (r) => (await signIn()).beginEndpoint(r)),
  'admin-sign-in-callback': open(async (r) => (await signIn()).finishEndpoint(r)),
  'admin-keys-list': forRoles(async (r) => (await keys.read()).listEndpoint(r)),
  'admin-keys-retrieve': forRoles(async (r) => (await keys.read()).retrieveEndpoint(r)),
  'admin-keys-create': forRoles(async (r) => (await keys.write()).createEndpoint(r)),
  'admin-keys-change': forRoles(async (r) => (await keys.write()).changeEndpoint(r)),
  'admin-keys-rotate': forRoles(async (r) => (await keys.write()).rotateEndpoint(r)),
  'admin-keys-disable': forRoles(async (r) => (await keys.write()).disableEndpoint(r)),
  'admin-tenants-list': forRoles(async (r) => (await tenants.read()).listEndpoint(r)),
  'admin-tenants-retrieve': forRoles(async (r) => (await tenants.read()).retrieveEndpoint(r)),
  'admin-tenants-create': forRoles(async (r) => (await tenants.write()).createEndpoint(r)),
  'admin-tenants-change': forRoles(async (r) => (await tenants.write()).changeEndpoint(r)),
  'admin-webhook-retrieve': forRoles(async (r, asked) => {
    const { retrieveWebhookEndpoint, parts } = await webhooks(r, asked);
    return retrieveWebhookEndpoint(parts);
  }),
  'admin-webhook-test': forRoles(async (r, asked) => {
    const { testWebhookEndpoint, parts } = await webhooks(r, asked);
    return testWebhookEndpoint(parts);
  }),
  'admin-adjustments-list': forRoles(async (r) => (await tenants.adjustments()).listAdjustmentsEndpoint(r)),
  'admin-invoice-retrieve': forRoles(async (r) =>
    (await import('../lib/admin/tenants/invoice.ts')).invoiceEndpoint(r),
  ),
  'admin-adjustments-add': forRoles(async (r) => (await tenants.adjustments()).addAdjustmentEndpoint(r)),
  'admin-credit-add': forRoles(async (r) =>
    (await import('../lib/admin/tenants/add-credit.ts')).addCreditEndpoint(r),
  ),
  'admin-pricing-change': forRoles(async (r) =>
    (await import('../lib/admin/tenants/change-pricing.ts')).changePricingEndpoint(r),
  ),
  'admin-audit-list': forRoles(async (r) =>
    (await import('../lib/admin/audit/list-audit.ts')).listAuditEndpoint(r),
  ),
  'admin-guardrails-list': ofGuardrails((found) => found.listGuardrailsEndpoint(found.parts)),
  'admin-guardrails-retrieve': ofGuardrails((found) => found.retrieveGuardrailEndpoint(found.parts)),
  'admin-guardrails-put': ofGuardrails((found) => found.putGuardrailEndpoint(found.parts)),
  'admin-guardrails-test': forRoles(async (r) =>
    (await import('../lib/admin/guardrails/test-guardrail.ts')).testGuardrailEndpoint(
      (await guardrails(r)).parts,
    ),
  ),
  'admin-guardrails-delete': ofGuardrails((found) => found.deleteGuardrailEndpoint(found.parts)),
  'admin-credentials-list': ofCredentials((found) => found.listCredentialsEndpoint(found.parts)),
  'admin-credentials-create': ofCredentials((found) => found.createCredentialEndpoint(found.parts)),
  'admin-credentials-change': ofCredentials((found) => found.changeCredentialEndpoint(found.parts)),
  'admin-credentials-delete': ofCredentials((found) => found.deleteCredentialEndpoint(found.parts)),
  'admin-credentials-test': forRoles(async (r) =>
    (await import('../lib/admin/credentials/test-credential.ts')).testCredentialEndpoint(
      (await credentials(r)).parts,
    ),
  ),
  'admin-members-list': ofMembers(({ listEndpoint, parts }) => listEndpoint(parts)),
  'admin-members-invite': ofMembers(({ inviteEndpoint, parts }) => inviteEndpoint(parts)),
  'admin-members-remove': ofMembers(({ removeEndpoint, parts }) => removeEndpoint(parts)),
  'admin-management-keys-list': forRoles(async (r) => (await managementKeys()).listEndpoint(r)),
  'admin-management-keys-create': forRoles(async (r) => (await managementKeys()).createEndpoint(r)),
  'admin-management-keys-retrieve': forRoles(async (r) => (await managementKeys()).retrieveEndpoint(r)),
  'admin-management-keys-revoke': forRoles(async (r) => (await managementKeys()).revokeEndpoint(r)),
  'admin-models-list': forRoles(async (r) => {
    const { modelParts } = await import('../lib/runtime/admin/admin-services.ts');
    return (await import('../lib/admin/models/list.ts')).modelsListEndpoint(modelParts(r));
  }),
  'admin-providers-list': forRoles(async (r) =>
    (await import('../lib/admin/providers/list.ts')).providersListEndpoint(await providers(r)),
  ),
  'admin-providers-set': forRoles(async (r) => {
    const { settings } = await providers(r);
    return (await import('../lib/admin/providers/store-setting.ts')).providersSetEndpoint({ ...r, settings });
  }),
  'admin-providers-remove': forRoles(async (r) => {
    const { settings } = await providers(r);
    return (await import('../lib/admin/providers/remove-setting.ts')).providersRemoveEndpoint({
      ...r,
      settings,
    });
  }),
  'admin-providers-test': forRoles(async (r) => {
    const [{ testProviderEndpoint }, { providerTestParts }] = await Promise.all([
      import('../lib/admin/providers/test-provider.ts'),
      import('../lib/runtime/admin/provider-test-parts.ts'),
    ]);
    return testProviderEndpoint(providerTestParts(r));
  }),
  'admin-providers-data': forRoles(async (r) =>
    (await import('../lib/admin/providers/data.ts')).providersDataEndpoint({
      ...r,
      providerData: (await providers(r)).providerData,
    }),
  ),
  'admin-hosts-list': forRoles(async (r) => (await catalog.hosts()).listHostsEndpoint(r)),
  'admin-hosts-put': forRoles(async (r) => (await catalog.hosts()).putHostEndpoint(r)),
  'admin-hosts-delete': forRoles(async (r) => (await catalog.hosts()).deleteHostEndpoint(r)),
  'admin-models-retrieve': forRoles(async (r) => (await catalog.models()).retrieveModelEndpoint(r)),
  'admin-models-put': forRoles(async (r) => (await catalog.models()).putModelEndpoint(r)),
  'admin-models-delete': forRoles(async (r) => (await catalog.models()).deleteModelEndpoint(r)),
  'admin-aliases-list': forRoles(async (r) => (await catalog.aliases()).listAliasesEndpoint(r)),
  'admin-aliases-put': forRoles(async (r) => (await catalog.aliases()).putAliasEndpoint(r)),
  'admin-aliases-delete': forRoles(async (r) => (await catalog.aliases()).deleteAliasEndpoint(r)),
  'admin-usage': forRoles(async (_, asked) =>
    (await import('../lib/admin/usage/usage.ts')).usageEndpoint(await usage(asked)),
  ),
  'admin-overview': forRoles(async (_, asked) =>
    (await import('../lib/admin/usage/overview.ts')).overviewEndpoint(await usage(asked)),
  ),
  'admin-requests-list': forRoles(async (_, asked) =>
    (await import('../lib/admin/requests/list.ts')).listEndpoint(await usage(asked)),
  ),
  'admin-requests-retrieve': forRoles(async (_, asked) =>
    (await import('../lib/admin/requests/retrieve.ts')).retrieveEndpoint(await usage(asked)),
  ),
  'admin-requests-cancel': forRoles(async (_, asked) =>
    (await import('../lib/admin/requests/cancel.ts')).cancelEndpoint(await usage(asked)),
  ),
  'admin-batches-list': forRoles(async (_, asked) =>
    (await import('../lib/admin/batches/list.ts')).listEndpoint(await batches(asked)),
  ),
  'admin-batches-retrieve': forRoles(async (_, asked) =>
    (await import('../lib/admin/batches/retrieve.ts')).retrieveEndpoint(await batches(asked)),
  ),
  'admin-batches-cancel': forRoles(async (_, asked) =>
    (await import('../lib/admin/batches/cancel.ts')).cancelEndpoint(await batches(asked)),
  ),
  'admin-files-list': forRoles(async (_, asked) =>
    (await import('../lib/admin/batches/files.ts')).filesEndpoint(await batches(asked)),
  ),
  'admin-openapi': open(async (_, { files }) => ({
    parameters: nothing,
    body: nothing,
    answer: async () => ({ type: 'json', body: await files.openapi() }),
  })),
  'admin-playground': playground,
  'dashboard-files': async ({ files }) =>
    (await import('../lib/http/page/serve-page.ts')).servePage(files.page),
};

/** Chat completions, at an address of the dashboard. */
async function playground({ name, variables }: Asked): Promise<Handler> {
  const [{ serve }, { chatEndpoint }, { generationRuntime }] = await Promise.all([
    import('../lib/http/serve.ts'),
    import('../lib/operations/chat/endpoint.ts'),
    import('../lib/runtime/generation-runtime.ts'),
  ]);
  const runtime = generationRuntime(variables);
  const { path } = adminOperationNamed(name);
  return serve({ ...operationNamed('chat-completions'), path }, chatEndpoint(runtime), runtime);
}

export const isAdminFunction = (name: string): name is AdminOperationName => Object.hasOwn(functions, name);

/** The function of an operation in an environment, with those that it serves, too. Rejects if there is none of this name. */
export async function create(
  variables: Variables,
  name = variables.GATEWAY_OPERATION ?? '',
  files = builtFiles,
): Promise<Handler> {
  if (!isAdminFunction(name)) throw new RangeError(`GATEWAY_OPERATION names no operation: '${name}'.`);
  const own = await functions[name]({ name, variables, files });
  const others = adminOperations.filter(({ servedBy }) => servedBy === name);
  if (others.length === 0) return own;
  return async (request, host) => {
    // Of a path that has several methods, each is an operation of its own.
    const other = others.find(
      (operation) => operation.method === request.method && routesOf(operation).includes(request.template),
    );
    const handler = other ? await functions[other.name]({ name: other.name, variables, files }) : own;
    return await handler(request, host);
  };
}
