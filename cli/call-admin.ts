/**
 * Calls operations of the dashboard's API: over HTTP for a gateway that is given by its address, and otherwise the same functions here, on
 * the tables, for the user of the command line. What was typed is checked by the schemas of the API first, in both ways.
 */

import type * as z from 'zod/mini';
import { cancelBatch } from '../lib/admin/batches/cancel.ts';
import { listFiles } from '../lib/admin/batches/files.ts';
import { listBatches } from '../lib/admin/batches/list.ts';
import { retrieveBatch } from '../lib/admin/batches/retrieve.ts';
import { deleteAlias, listAliases, putAlias } from '../lib/admin/catalog/aliases.ts';
import { deleteHost, listHosts, putHost } from '../lib/admin/catalog/hosts.ts';
import { deleteModel, putModel, retrieveModel } from '../lib/admin/catalog/models.ts';
import type { CatalogParts } from '../lib/admin/catalog/parts.ts';
import {
  changeCredential,
  createCredential,
  deleteCredential,
  listCredentials,
} from '../lib/admin/credentials/credentials.ts';
import { type CredentialTestParts, testCredential } from '../lib/admin/credentials/test-credential.ts';
import {
  deleteGuardrail,
  listGuardrails,
  putGuardrail,
  retrieveGuardrail,
} from '../lib/admin/guardrails/guardrails.ts';
import type { GuardrailsTestAnswer } from '../lib/admin/guardrails/schema.ts';
import { testGuardrail } from '../lib/admin/guardrails/test-guardrail.ts';
import { listKeys, retrieveKey } from '../lib/admin/keys/read-key.ts';
import { keysCreateInput, keysRotateInput } from '../lib/admin/keys/schema.ts';
import { changeKey, createKey, disableKey, rotateKey } from '../lib/admin/keys/write-key.ts';
import {
  createManagementKey,
  listManagementKeys,
  revokeManagementKey,
} from '../lib/admin/management-keys/management-keys.ts';
import { managementKeysCreateInput } from '../lib/admin/management-keys/schema.ts';
import { inviteMember, listMembers, removeMember } from '../lib/admin/members/members.ts';
import { membersInviteInput } from '../lib/admin/members/schema.ts';
import { listModels } from '../lib/admin/models/list.ts';
import type { ModelsListQuery } from '../lib/admin/models/schema.ts';
import { type GivenData, storeData } from '../lib/admin/providers/data.ts';
import { listEveryProvider } from '../lib/admin/providers/list.ts';
import { type NamedSetting, removeSetting } from '../lib/admin/providers/remove-setting.ts';
import type { ProviderTestAnswer } from '../lib/admin/providers/schema.ts';
import { type GivenSetting, storeSetting } from '../lib/admin/providers/store-setting.ts';
import { cancelRequest } from '../lib/admin/requests/cancel.ts';
import { listRunning } from '../lib/admin/requests/list.ts';
import type { RequestsListQuery } from '../lib/admin/requests/schema.ts';
import type { SubjectParts } from '../lib/admin/subject-endpoint.ts';
import { giveCredit } from '../lib/admin/tenants/add-credit.ts';
import { addAdjustment } from '../lib/admin/tenants/adjustments.ts';
import { changePricing } from '../lib/admin/tenants/change-pricing.ts';
import { pricingChangeInput } from '../lib/admin/tenants/pricing-schema.ts';
import { listTenants, retrieveTenant } from '../lib/admin/tenants/read-tenant.ts';
import {
  adjustmentsAddInput,
  creditAddInput,
  maxTenantPage,
  tenantsChangeInput,
  tenantsCreateInput,
} from '../lib/admin/tenants/schema.ts';
import { retrieveWebhook, testWebhook, type WebhookParts } from '../lib/admin/tenants/webhook.ts';
import { changeTenant, createTenant } from '../lib/admin/tenants/write-tenant.ts';
import { unbegunOf } from '../lib/core/accounting/interrupted.ts';
import { adminOperationNamed } from '../lib/core/admin/admin-operations.ts';
import type { User } from '../lib/core/admin/user.ts';
import { GatewayError } from '../lib/core/errors/errors.ts';
import type { LocalRule } from '../lib/core/guardrails/local-rules.ts';
import type { Rule } from '../lib/core/guardrails/policy.ts';
import { newId } from '../lib/core/names/new-id.ts';
import { validate } from '../lib/http/request/validate.ts';
import { ownAccess } from '../lib/providers/own-settings.ts';
import { createNodeClient } from '../lib/transport/http-client/node-client.ts';
import { operatorName } from '../local/operator-name.ts';
import {
  type CommandContext,
  type CommandOption,
  type Installation,
  UsageError,
  withInstallation,
} from './command.ts';

export const byOption: Readonly<Record<'by', CommandOption>> = {
  by: { value: '<name>', description: 'Who does this (default: the user of this machine)' },
};

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
      const { createWebhookPoster } = await import('../lib/transport/webhook-poster.ts');
      return await createWebhookPoster({ isLocal })(...posted);
    };
    return work({ ...installation, deliveries: installation.deliveries(), post }, user, input);
  };

/** A key is sealed, and tested, by this machine. */
const ofCredentials =
  <Input, Answer>(work: (parts: CredentialTestParts, user: User, input: Input) => Promise<Answer>) =>
  (installation: Installation, user: User, input: Input): Promise<Answer> => {
    const { sealer } = installation;
    const { send } = createNodeClient();
    if (!sealer) throw new Error('This gateway has no secret to seal keys with.');
    const parts: CredentialTestParts = {
      ...installation,
      seal: sealer.seal,
      async open(_, credential) {
        const { createFindToken } = await import('../lib/providers/google-vertex/token.ts');
        const settings = await sealer.open(credential, credential.sealed);
        const findToken = createFindToken({ send, now: Date.now });
        return { ...ownAccess(credential.account, settings, undefined), findToken };
      },
      send,
      region: process.env.AWS_REGION || 'us-east-1',
    };
    return work(parts, user, input);
  };

/** By this machine, which has no account of the gateway with a detector. */
async function testLocally(
  installation: Installation,
  user: User,
  input: Parameters<typeof testGuardrail>[2],
): Promise<GuardrailsTestAnswer> {
  if (input.remote)
    throw new UsageError('Detectors elsewhere are asked by the gateway itself: give its address with --url.');
  const [{ createTryPolicy }, { localDetector }] = await Promise.all([
    import('../lib/pipeline/guard/try-policy.ts'),
    import('../lib/pipeline/guard/local/detect.ts'),
  ]);
  const guardrails = {
    findDetector: async (rule: Rule) => localDetector(rule as LocalRule),
    highestCost: () => 0,
  };
  const tryPolicy = createTryPolicy({ guardrails, now: installation.now });
  return await testGuardrail({ ...installation, tryPolicy }, user, input);
}

type MemberParts = Parameters<typeof inviteMember>[0];

const ofMembers =
  <Input, Answer>(work: (parts: MemberParts, user: User, input: Input) => Promise<Answer>) =>
  async (installation: Installation, user: User, input: Input): Promise<Answer> =>
    work({ ...installation, members: await installation.members() }, user, input);

/** The worker of a batch that is cancelled finds it when it is due. */
const ofBatches =
  <Input, Answer>(work: (parts: BatchParts, user: User, input: Input) => Promise<Answer>) =>
  ({ keyEdits, batches, files, audit, now }: Installation, user: User, input: Input): Promise<Answer> =>
    work({ keys: keyEdits, batches: batches(), files: files(), audit, now }, user, input);

type BatchParts = Parameters<typeof cancelBatch>[0] &
  Parameters<typeof listBatches>[0] &
  Parameters<typeof listFiles>[0];

const ofCatalog =
  <Input, Answer>(
    work: (parts: CatalogParts, user: User, input: Input, ifMatch?: string) => Promise<Answer>,
  ) =>
  (installation: Installation, user: User, input: Input, ifMatch?: string): Promise<Answer> =>
    work({ ...installation, models: installation.catalog }, user, input, ifMatch);

/** On the tables, by the name over HTTP. */
const onTables = {
  'admin-keys-list': ofSubjects(listKeys),
  'admin-keys-retrieve': ofSubjects(retrieveKey),
  'admin-keys-create': ofSubjects(createKey),
  'admin-keys-change': ofSubjects(changeKey),
  'admin-keys-rotate': ofSubjects(rotateKey),
  'admin-keys-disable': ofSubjects(disableKey),
  'admin-tenants-list': ofSubjects(listTenants),
  'admin-tenants-retrieve': ofSubjects(retrieveTenant),
  'admin-tenants-create': ofSubjects(createTenant),
  'admin-tenants-change': ofSubjects(changeTenant),
  'admin-credentials-list': ofCredentials(listCredentials),
  'admin-credentials-create': ofCredentials(createCredential),
  'admin-credentials-change': ofCredentials(changeCredential),
  'admin-credentials-test': ofCredentials(testCredential),
  'admin-credentials-delete': ofCredentials(deleteCredential),
  'admin-guardrails-list': listGuardrails,
  'admin-guardrails-retrieve': retrieveGuardrail,
  'admin-guardrails-put': putGuardrail,
  'admin-guardrails-test': testLocally,
  'admin-guardrails-delete': deleteGuardrail,
  'admin-webhook-retrieve': ofWebhooks(retrieveWebhook),
  'admin-webhook-test': ofWebhooks(testWebhook),
  'admin-credit-add': ofSubjects(giveCredit),
  'admin-adjustments-add': ofSubjects(addAdjustment),
  'admin-pricing-change': ofSubjects(changePricing),
  // Of those that have ended, the ledger is exported.
  'admin-requests-list': (
    { keyEdits, running, runs, now }: Installation,
    user: User,
    input: RequestsListQuery,
  ) => listRunning({ keys: keyEdits, running, runs: runs(), now }, user, input),
  'admin-requests-cancel': (
    { keyEdits, usage, runs, audit, now }: Installation,
    user: User,
    input: { readonly request_id: string; readonly tenant: string },
  ) =>
    cancelRequest(
      {
        ...{ keys: keyEdits, usage, runs: runs(), audit, now, sums: { tenantCharges: async () => [] } },
        async release({ record, partitions }) {
          await usage.record(unbegunOf(record), newId('write_'), partitions);
        },
      },
      user,
      input,
    ),
  'admin-batches-list': ofBatches(listBatches),
  'admin-batches-retrieve': ofBatches(retrieveBatch),
  'admin-batches-cancel': ofBatches(cancelBatch),
  'admin-files-list': ofBatches(listFiles),
  'admin-members-invite': ofMembers(inviteMember),
  'admin-members-list': ofMembers(listMembers),
  'admin-members-remove': ofMembers(removeMember),
  'admin-management-keys-list': listManagementKeys,
  'admin-management-keys-create': createManagementKey,
  'admin-management-keys-revoke': revokeManagementKey,
  'admin-models-list': ({ catalog, tenants, now }: Installation, user: User, input: ModelsListQuery) =>
    listModels(
      { models: { list: catalog.list, aliases: async () => new Map() }, tenants, now, warn: () => {} },
      user,
      input,
    ),
  'admin-hosts-list': ofCatalog(listHosts),
  'admin-hosts-put': ofCatalog(putHost),
  'admin-hosts-delete': ofCatalog(deleteHost),
  'admin-models-retrieve': ofCatalog(retrieveModel),
  'admin-models-put': ofCatalog(putModel),
  'admin-models-delete': ofCatalog(deleteModel),
  'admin-aliases-list': ofCatalog(listAliases),
  'admin-aliases-put': ofCatalog(putAlias),
  'admin-aliases-delete': ofCatalog(deleteAlias),
  // How many models a provider serves is not shown.
  'admin-providers-list': ({ settings, hosts, providerData, now }: Installation, _: User, __: object) =>
    listEveryProvider({
      settings,
      hosts,
      providerData,
      now,
      models: { list: async () => [] },
      warn: () => {},
    }),
  'admin-providers-set': (installation: Installation, user: User, input: GivenSetting) =>
    storeSetting(installation, user, input),
  'admin-providers-remove': (installation: Installation, user: User, input: NamedSetting) =>
    removeSetting(installation, user, input),
  'admin-providers-test': async (
    _: Installation,
    __: User,
    ___: { readonly provider: string },
  ): Promise<ProviderTestAnswer> => {
    throw new UsageError('The gateway itself asks the provider: give its address with --url.');
  },
  'admin-providers-data': (installation: Installation, user: User, input: GivenData) =>
    storeData(installation, user, input),
};

type Operations = typeof onTables;
type OperationName = keyof Operations;

/** Of what is in the body, where an operator types it. */
const inputs: Readonly<Partial<Record<OperationName, z.core.$ZodType>>> = {
  'admin-keys-create': keysCreateInput,
  'admin-keys-rotate': keysRotateInput,
  'admin-tenants-create': tenantsCreateInput,
  'admin-tenants-change': tenantsChangeInput,
  'admin-credit-add': creditAddInput,
  'admin-adjustments-add': adjustmentsAddInput,
  'admin-pricing-change': pricingChangeInput,
  'admin-members-invite': membersInviteInput,
  'admin-management-keys-create': managementKeysCreateInput,
};

/** The input of an operation: path, query and body together. */
export type AdminInput<Name extends OperationName> = Parameters<Operations[Name]>[2];

type Answer<Name extends OperationName> = Awaited<ReturnType<Operations[Name]>>;

/** `ifMatch`: the tag of what is changed. Rejects with GatewayError for what is refused. */
export type CallAdmin = <Name extends OperationName>(
  name: Name,
  input: AdminInput<Name>,
  ifMatch?: string,
) => Promise<Answer<Name>>;

type Context = Pick<CommandContext, 'open'> & { readonly options?: CommandContext['options'] };

/** How the fields of an input are typed, where it is not as an option of the same name. */
type TypedAs = Readonly<Record<string, string>>;

type Work = (installation: Installation, user: User, input: never, ifMatch?: string) => Promise<unknown>;

/** Opens the installation for the calls, and closes it. */
export const withAdmin = <Result>(
  context: Context,
  use: (call: CallAdmin, installation: Installation) => Promise<Result>,
): Promise<Result> =>
  withInstallation(context, (installation) => {
    const by = operatorName(context.options ?? {});
    const user: User = { id: by, name: by, role: 'operator', via: 'command' };
    const call = async (name: OperationName, input: object, ifMatch?: string) => {
      if (installation.remote) return await installation.remote(name, input, ifMatch).catch(explain);
      const work: Work = onTables[name];
      return await work(installation, user, input as never, ifMatch).catch(explain);
    };
    return use(call as CallAdmin, installation);
  });

/** Calls one operation. Rejects with UsageError for what its schema does not take. */
export async function callAdmin<Name extends OperationName>(
  { typedAs = {}, ...context }: Context & { readonly typedAs?: TypedAs },
  name: Name,
  input: AdminInput<Name>,
): Promise<Answer<Name>> {
  checkInput(name, input, typedAs);
  return await withAdmin(context, (call) => call(name, input));
}

/** Throws UsageError for what the schema of the operation does not take. The path has the other fields. */
export function checkInput(name: OperationName, input: object, typedAs: TypedAs): void {
  const schema = inputs[name];
  if (!schema) return;
  const { path } = adminOperationNamed(name);
  const body = Object.entries(input).filter(([field]) => !path.includes(`{${field}`));
  try {
    validate(schema, Object.fromEntries(body));
  } catch (error) {
    if (!(error instanceof GatewayError) || !error.param) throw error;
    const steps = error.param.split(/[.[\]]/).filter((step) => step !== '');
    const field = steps.findLast((step) => !/^\d+$/.test(step)) ?? '';
    const typed = typedAs[field] ?? `--${field.replaceAll('_', '-')}`;
    // Of a list, the entry that is wrong.
    const list = Object.fromEntries(body)[field];
    const entry = Array.isArray(list) ? ` ${list[Number(steps.at(-1))] ?? ''}`.trimEnd() : '';
    throw new UsageError(error.message.replace(`'${error.param}'`, typed + entry));
  }
}

const nouns: Readonly<Record<string, string>> = {
  key: 'keys',
  tenant: 'tenants',
  management_key: 'management-keys',
};

/** Of the catalog: what lists all. */
const lists: Readonly<Record<string, string>> = {
  model: 'List all models with: catalog list',
  alias: 'List all with: catalog list-aliases',
};

function explain(error: unknown): never {
  if (!(error instanceof GatewayError) || error.kind !== 'not_found') throw error;
  const noun = nouns[error.param ?? ''];
  const list = lists[error.param ?? ''];
  if (list) throw new Error(`${error.message} ${list}`);
  throw noun === undefined
    ? error
    : new Error(`${error.message} List all ${noun.replace('-', ' ')} with: ${noun} list`);
}

/** What an operation rejects as invalid was typed by the user. */
export function asUsageError(error: unknown): never {
  if (error instanceof GatewayError && error.kind === 'invalid_request') throw new UsageError(error.message);
  throw error;
}

/** Every row of a list, page by page. */
export async function listAll<Row>(
  read: (page: {
    readonly after?: string;
  }) => Promise<{ readonly data: readonly Row[]; readonly next_after: string | null }>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let page: { readonly after?: string } | undefined = {};
  while (page) {
    const { data, next_after: after } = await read(page);
    rows.push(...data);
    page = after === null ? undefined : { after };
  }
  return rows;
}

export const allTenants = (call: CallAdmin, include?: 'spend') =>
  listAll((page) => call('admin-tenants-list', { limit: maxTenantPage, include, ...page }));
