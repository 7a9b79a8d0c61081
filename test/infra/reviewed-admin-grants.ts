/** What roles of admin functions may do that no function asks for in the tests, each with its reason. */
import type { ReviewedGrant } from './reviewed-grants.ts';

export const reviewedAdminGrants: readonly ReviewedGrant[] = [
  {
    functions: 'all',
    action: 'logs:*',
    resource: '*',
    reason: 'Lambda writes the log of a function with the role of the function.',
  },
  {
    functions: ['admin-keys-create', 'admin-keys-rotate'],
    action: 'dynamodb:DeleteItem',
    resource: '*/access',
    reason: 'A key above the number that its tenant or owner may have is taken back (test/admin/keys).',
  },
  {
    functions: ['admin-keys-create'],
    action: 'dynamodb:Scan',
    resource: '*/access',
    reason: 'The keys of a tenant are counted for people other than operators (test/admin/keys).',
  },
  {
    functions: ['admin-members-invite'],
    action: 'cognito-idp:AdminDeleteUser',
    resource: '*',
    reason: 'It undoes an invitation whose role could not be given (test/stores).',
  },
  {
    functions: ['admin-session-open', 'admin-keys-retrieve'],
    action: 'dynamodb:GetItem',
    resource: '*',
    reason: 'A session that goes on, and what of its limits a key has used: the tests have neither.',
  },
  {
    functions: ['admin-members-invite'],
    action: 'cognito-idp:AdminListGroupsForUser',
    resource: '*',
    reason: 'It looks whether someone who signed in at the provider of a company has a role.',
  },
  {
    functions: ['admin-members-invite'],
    action: 'cognito-idp:AdminUpdateUserAttributes',
    resource: '*',
    reason: 'It gives a tenant to someone who signed in at the provider of a company before being invited.',
  },
  {
    functions: ['admin-keys-change', 'admin-tenants-change'],
    action: 'dynamodb:*',
    resource: '*/usage',
    reason: 'A change of a budget takes over what its counters have; the tests change a rate.',
  },
  {
    functions: ['admin-playground'],
    action: 'bedrock:*',
    resource: '*:application-inference-profile/*',
    reason: 'Operators make these, to see the costs of a team, and name them in rows of their own.',
  },
  {
    functions: ['admin-providers-list', 'admin-providers-set', 'admin-requests-retrieve'],
    action: 'dynamodb:*',
    resource: '*/catalog',
    reason: 'Readers of the catalog may look up one row and all of them: UsedTable has one list of actions.',
  },
  {
    functions: ['admin-usage'],
    action: 'dynamodb:Scan',
    resource: '*/access',
    reason: 'Which keys are those of a member: the tests are an operator, and the session of a key.',
  },
  {
    functions: ['admin-usage'],
    action: 'dynamodb:BatchGetItem',
    resource: '*/usage',
    reason: 'Sums of a user are read for days that have them: in the tests, records are read instead.',
  },
];
