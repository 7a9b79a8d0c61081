/** What roles may do that no function asks for in the tests, each with its reason. */
import { expect } from 'vitest';
import { functionNameOf, operations } from '../../lib/core/operations.ts';
import type { Deployment } from '../harness/aws/deployment.ts';
import { like } from '../harness/aws/iam/evaluate.ts';
import { type Grant, unusedGrants } from '../harness/aws/iam/grants.ts';
import type { DeployedFunction } from '../harness/aws/iam/roles.ts';
import type { AccessRequest } from '../harness/aws/service.ts';

/** Of some functions or of all; action and resource have `*` for any text. */
type ReviewedGrant = readonly [
  functions: readonly string[] | 'all',
  action: string,
  resource: string,
  reason: string,
];

/** The functions that call models, and so have what is noted and asked for with each call. */
const callers = operations.filter(({ endpoint }) => endpoint !== undefined).map(functionNameOf);

export const reviewedGrants: readonly ReviewedGrant[] = [
  ['all', 'logs:*', '*', 'Lambda writes the log of a function with the role of the function.'],
  [
    callers,
    'ssm:GetParametersByPath',
    '*/providers/gateway',
    'They read the secret of the stack for a tenant with keys of its own (test/runtime/stack-secret.test.ts).',
  ],
  [['aggregate'], 'dynamodb:*', '*/stream/*', 'Lambda reads the stream with the role of the function.'],
  [['aggregate'], 'sqs:*', '*', 'Lambda sends batches that were given up with the role of the function.'],
  [
    ['aggregate'],
    'dynamodb:UpdateItem',
    '*/access',
    'It allocates the use of credit that expires, some minutes later (test/metering/credit).',
  ],
  [
    ['background'],
    '*',
    '*',
    'It does what the function of responses does, for no client, and has the same role, with what it tells tenants (test/infra/background.test.ts).',
  ],
  [
    ['batches'],
    's3:*',
    '*',
    'It reads results, and deletes what it has stored of a batch that is not created (test/contract/batches).',
  ],
  [
    ['batches'],
    'dynamodb:DeleteItem',
    '*/files',
    'It deletes message batches that have ended (test/contract/batches).',
  ],
  [
    ['batches'],
    'dynamodb:GetItem',
    '*/state',
    'It finds the answer that is kept for a request that is sent again (test/contract/batches).',
  ],
  [
    ['responses-retrieve', 'responses-cancel', 'responses-delete'],
    'lambda:InvokeFunction',
    '*',
    'It starts the worker of a response in the background that was lost, or one that ends it at its provider (test/contract/background).',
  ],
  [
    ['responses-retrieve'],
    'dynamodb:UpdateItem',
    '*/state',
    'It fails a response in the background whose worker is gone, and counts a further start (test/contract/background).',
  ],
  [
    ['audio-speech', 'audio-transcriptions'],
    'bedrock:InvokeModel',
    '*:foundation-model/*',
    'Granted to all that call models; those of Bedrock do not speak and transcribe today.',
  ],
  [
    ['audio-speech'],
    'dynamodb:GetItem',
    '*/state',
    'A repeated request reads the answer of the first where it was kept: audio is not.',
  ],
  [
    ['responses-retrieve'],
    'dynamodb:PutItem',
    '*/usage',
    'It ends the record of a response in the background that no worker began (test/operations/responses).',
  ],
  [
    ['responses'],
    'dynamodb:UpdateItem',
    '*/state',
    'A later response that shares parts of a large conversation keeps them for longer (lib/stores/responses).',
  ],
  [
    ['completions', 'messages-count-tokens'],
    'dynamodb:*',
    '*/state',
    'The names of caches at Google, with the operations that can mark what is cached.',
  ],
  [
    ['usage-request'],
    'dynamodb:Scan',
    '*/catalog',
    'Readers of the catalog look for names, too: GatewayTable has one list of actions for all of them.',
  ],
  [
    [
      'responses-input-tokens',
      'messages-count-tokens',
      'embeddings',
      'rerank',
      'audio-speech',
      'audio-transcriptions',
    ],
    'bedrock:*',
    '*:inference-profile/*',
    'Tokens are counted, and texts embedded and ranked, by models themselves today; a row of the catalog may name a profile.',
  ],
  [
    callers,
    'bedrock:*',
    '*:application-inference-profile/*',
    'Operators make these, to see the costs of a team, and name them in rows of their own.',
  ],
  [
    callers,
    'dynamodb:UpdateItem',
    '*/access',
    'It notes when a key of a tenant for a provider was used or refused (test/contract/own-keys.test.ts).',
  ],
  [callers, 'bedrock:ApplyGuardrail', '*', 'Policies of tenants name guardrails (test/pipeline/guard).'],
  [
    callers,
    'bedrock:InvokeGuardrailChecks',
    '*',
    'Policies of tenants name its checks (test/pipeline/guard).',
  ],
  [
    [
      'responses-compact',
      'embeddings',
      'images-generations',
      'moderations',
      'rerank',
      'audio-speech',
      'audio-transcriptions',
    ],
    'bedrock:InvokeModelWithResponseStream',
    '*',
    'Granted together with InvokeModel, which reaches the same models; these operations do not stream.',
  ],
  [
    ['images-generations', 'moderations'],
    'bedrock:InvokeModel',
    '*',
    'No model of Bedrock in the catalog generates images or moderates yet; a row may be added without a deployment.',
  ],
];

export const reviewedAdminGrants: readonly ReviewedGrant[] = [
  ['all', 'logs:*', '*', 'Lambda writes the log of a function with the role of the function.'],
  [
    ['admin-keys-create', 'admin-keys-rotate'],
    'dynamodb:DeleteItem',
    '*/access',
    'A key above the number that its tenant or owner may have is taken back (test/admin/keys).',
  ],
  [
    ['admin-keys-create', 'admin-keys-change', 'admin-tenants-create', 'admin-tenants-change'],
    'dynamodb:*',
    '*/catalog',
    'Whoever reads the catalog may list it. A provider that a data policy names may be a host of the operator (test/admin/data-policy).',
  ],
  [
    ['admin-keys-create'],
    'dynamodb:Scan',
    '*/access',
    'The keys of a tenant are counted for people other than operators (test/admin/keys).',
  ],
  [
    ['admin-members-invite'],
    'cognito-idp:AdminDeleteUser',
    '*',
    'It undoes an invitation whose role could not be given (test/stores).',
  ],
  [
    ['admin-requests-list'],
    'dynamodb:GetItem',
    '*/usage',
    'It looks up what several processes have worked on, one after the other, for more than 21 minutes.',
  ],
  [['admin-session-open'], 'dynamodb:GetItem', '*', 'A session that goes on: the tests have none.'],
  [
    ['admin-members-invite'],
    'cognito-idp:AdminListGroupsForUser',
    '*',
    'It looks whether someone who signed in at the provider of a company has a role.',
  ],
  [
    ['admin-members-invite'],
    'cognito-idp:AdminUpdateUserAttributes',
    '*',
    'It gives a tenant to someone who signed in at the provider of a company before being invited.',
  ],
  [
    ['admin-keys-change', 'admin-tenants-change'],
    'dynamodb:*',
    '*/usage',
    'A change of a budget takes over what its counters have; the tests change a rate.',
  ],
  [
    ['admin-playground'],
    'bedrock:*',
    '*:application-inference-profile/*',
    'Operators make these, to see the costs of a team, and name them in rows of their own.',
  ],
  [
    ['admin-playground', 'admin-guardrails-list'],
    'bedrock:*Guardrail*',
    '*',
    'Policies of tenants name guardrails and checks (test/pipeline/guard).',
  ],
  [
    ['admin-guardrails-list'],
    'bedrock:ListFoundationModels',
    '*',
    'A test of the role of the gateway at Bedrock; the tests name a provider with a key.',
  ],
  [
    ['admin-guardrails-list'],
    'ssm:GetParametersByPath',
    '*/gateway',
    'What reads the keys of providers may read all below their path (readsProviderKeys).',
  ],
  [
    ['admin-credentials-list', 'admin-guardrails-list'],
    'dynamodb:*',
    '*/catalog',
    'It looks for a host that the operator added; the tests name one that ships with the gateway.',
  ],
  [
    ['admin-providers-list', 'admin-providers-set', 'admin-requests-retrieve'],
    'dynamodb:*',
    '*/catalog',
    'Readers of the catalog may look up one row and all of them: UsedTable has one list of actions.',
  ],
  [
    ['admin-usage'],
    'dynamodb:BatchGetItem',
    '*/usage',
    'Sums of a user are read for days that have them: in the tests, records are read instead.',
  ],
];

/** Calls that a role did not allow. */
export const deniedCalls = ({ aws }: Deployment) =>
  aws.calls
    .filter(({ error }) => /Denied|Authorization/.test(error ?? ''))
    .map(({ action, access }) => [action, access]);

/** What each function had to be allowed to do. */
export function accessByFunction(
  functions: readonly DeployedFunction[],
  { aws }: Deployment,
): ReadonlyMap<string, readonly AccessRequest[]> {
  const nameOf = (principal: object) => functions.find((one) => one.principal === principal)?.name ?? '';
  const byName = Map.groupBy(aws.calls, ({ principal }) => nameOf(principal));
  return new Map([...byName].map(([name, calls]) => [name, calls.flatMap(({ access }) => access)]));
}

/** What the roles may do beyond what was called is known, and what is known is still so. */
export function expectReviewed(
  functions: readonly DeployedFunction[],
  deployment: Deployment,
  reviewed: readonly ReviewedGrant[],
): void {
  const covers = ([names, action, resource]: ReviewedGrant, grant: Grant) =>
    (names === 'all' || names.includes(grant.function)) &&
    like(action, grant.action) &&
    like(resource, grant.resource);
  const unused = unusedGrants(functions, accessByFunction(functions, deployment));
  const others = unused.filter((grant) => !reviewed.some((one) => covers(one, grant)));
  expect(others.map((grant) => `${grant.function} ${grant.action} ${grant.resource}`)).toEqual([]);
  const idle = reviewed.filter((one) => !unused.some((grant) => covers(one, grant)));
  expect(idle, 'entries that nothing needs any more').toEqual([]);
}
