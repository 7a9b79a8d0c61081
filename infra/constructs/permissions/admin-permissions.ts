/** What the code of an admin operation may do, from its row in the table, and what no row has by its name. */
import type { AdminOperation } from '../../../lib/core/admin/admin-operations.ts';
import { type OperationName, operationNamed } from '../../../lib/core/operations.ts';
import type { Settings } from '../../settings/settings.ts';
import { allowDetectors } from './model-permissions.ts';
import { allowItems, allowOperation, type OperationResources } from './operation-permissions.ts';
import type { Permissions } from './permissions.ts';
import { allowProviderKeys, allowSealing, allowSecret, allowSettingProviders } from './secret-permissions.ts';

export interface AdminResources extends OperationResources, Pick<Settings, 'kmsKeyArn'> {
  /** Of the user pool. */
  readonly poolArn: string;
  /** Where the dashboard is and where its people sign in. */
  readonly variables: {
    /** Of every function that looks at who calls. */
    readonly ofPeople: Readonly<Record<string, string>>;
    /** The id of the user pool, of those that show or manage its people. */
    readonly ofPool: Readonly<Record<string, string>>;
  };
}

interface Further {
  /** Actions on the people of the user pool. */
  readonly people?: readonly string[];
  /** It reads many counters at a time. */
  readonly manyCounters?: true;
  readonly providerKeys?: 'names' | 'set';
  /** It seals credentials of tenants, and opens them for a test. */
  readonly sealsCredentials?: true;
  /** It asks detectors of guardrails, to test rules, and providers, to test their keys. */
  readonly asksDetectors?: true;
  /** It does what this operation of the gateway does. */
  readonly as?: OperationName;
  /** It knows of the user pool. */
  readonly knowsPool?: true;
}

const invite = [
  'AdminCreateUser',
  'CreateGroup',
  'AdminAddUserToGroup',
  'AdminUpdateUserAttributes',
  'AdminDeleteUser',
];
const find = ['ListUsers', 'AdminListGroupsForUser'];

/** By the name of the operation. Those of the user pool are what `lib/stores/members` calls. */
const further: Readonly<Partial<Record<string, Further>>> = {
  'admin-session-show': { knowsPool: true },
  'admin-session-open': { knowsPool: true },
  'admin-keys-list': { manyCounters: true },
  'admin-tenants-list': { manyCounters: true },
  'admin-overview': { manyCounters: true },
  'admin-usage': { manyCounters: true },
  'admin-members-list': { people: [...find, 'ListUsersInGroup'] },
  'admin-members-invite': { people: [...find, ...invite] },
  'admin-members-remove': {
    people: [...find, 'AdminDisableUser', 'AdminUserGlobalSignOut', 'AdminDeleteUser'],
  },
  'admin-requests-list': { manyCounters: true },
  'admin-providers-list': { providerKeys: 'names' },
  'admin-providers-set': { providerKeys: 'set' },
  'admin-credentials-list': { sealsCredentials: true },
  'admin-guardrails-list': { asksDetectors: true },
  'admin-playground': { as: 'chat-completions' },
};

/** Whether it calls models for a caller: its log may have the only copy of a record. */
export const callsModels = ({ name }: AdminOperation): boolean => further[name]?.as !== undefined;

export function allowAdminOperation(
  permissions: Permissions,
  operation: AdminOperation,
  resources: AdminResources,
): void {
  const { tables, poolArn, variables, ledgerDays } = resources;
  const { manyCounters, people, providerKeys, sealsCredentials, asksDetectors, as, knowsPool } =
    further[operation.name] ?? {};
  if (as) allowOperation(permissions, operationNamed(as), resources);
  const { queries = [] } = operation;
  allowItems(permissions, tables, { stateItems: ['session'], ...operation });
  if (queries.includes('usage')) permissions.keepsLedger(ledgerDays);
  if (operation.keepsAnswer) {
    const reached = { stateItems: ['answer'], reads: ['state'], writes: ['state'] } as const;
    allowItems(permissions, tables, reached);
    allowSecret(permissions, resources.providerParametersPrefix);
  }
  if (manyCounters) permissions.acts('BatchGetItem', tables.usage);
  if (people)
    permissions.allows(
      people.map((action) => `cognito-idp:${action}`),
      poolArn,
    );
  if (sealsCredentials) allowCredentials(permissions, resources);
  if (asksDetectors) {
    allowProviderKeys(permissions, resources.providerParametersPrefix);
    allowDetectors(permissions, resources.bedrock);
    const reason = 'The action has no resources.';
    permissions.allows(['bedrock:ListFoundationModels'], '*', reason);
  }
  if (providerKeys) allowSettings[providerKeys](permissions, resources);
  if (!operation.name.startsWith('admin-')) return;
  permissions.setVariables(variables.ofPeople);
  if (people || knowsPool) permissions.setVariables(variables.ofPool);
}

function allowCredentials(permissions: Permissions, { providerParametersPrefix, kmsKeyArn }: AdminResources) {
  allowSecret(permissions, providerParametersPrefix);
  allowSealing(permissions, 'kms:Encrypt', 'kms:Decrypt');
  if (kmsKeyArn) permissions.setVariables({ PROVIDER_PARAMETERS_KEY: kmsKeyArn });
}

const allowSettings = {
  /** Which there are, and no value. The action has no resources. Source: Service Authorization Reference, Systems Manager. */
  names(permissions: Permissions, { providerParametersPrefix: prefix }: AdminResources): void {
    const reason = 'Names of parameters are listed for all of them, and no value.';
    permissions.allows(['ssm:DescribeParameters'], '*', reason);
    permissions.setVariables({ PROVIDER_PARAMETERS_PREFIX: prefix });
  },
  /** They are written and removed, and none is read. */
  set: (permissions: Permissions, { providerParametersPrefix }: AdminResources): void =>
    allowSettingProviders(permissions, providerParametersPrefix),
} as const;
