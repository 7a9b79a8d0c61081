/** The calls by which members of a user pool are listed, found, invited and removed. */
import { beforeEach, describe, expect, test } from 'vitest';
import { AwsError } from '../../lib/core/ports/aws.ts';
import type { Invitation } from '../../lib/core/ports/members.ts';
import { createCognitoMembers } from '../../lib/stores/members/cognito-members.ts';

type Answer = object | ((input: object) => object);

let answers: Record<string, Answer>;
let asked: [string, object][];
beforeEach(() => {
  answers = { AdminListGroupsForUser: { Groups: [] } };
  asked = [];
});

const members = createCognitoMembers({
  call: async (target, input) => {
    const [, action = ''] = target.split('.');
    const { UserPoolId: _, ...rest } = input as { readonly UserPoolId?: string };
    asked.push([action, rest]);
    const answer = answers[action] ?? {};
    return (typeof answer === 'function' ? answer(input) : answer) as Record<string, unknown>;
  },
  userPoolId: 'pool',
});

const fail = (type: string) => () => {
  throw new AwsError(type, 'A text that may repeat what was sent.', 400, { action: 'ListUsers' });
};

const actions = () => asked.map(([action]) => action);

const user = (sub: string, given: object = {}, attributes: Record<string, string> = {}) => ({
  Username: `name-${sub}`,
  Attributes: Object.entries({ sub, email: `${sub}@acme.example`, ...attributes }).map(([Name, Value]) => ({
    Name,
    Value,
  })),
  Enabled: true,
  UserCreateDate: 1_700_000_000.5,
  ...given,
});

const inGroups = (...names: string[]) => ({ Groups: names.map((GroupName) => ({ GroupName })) });
const ofAcme = { 'custom:tenant': 'acme' };
const ids = (page: { readonly members: readonly { readonly id: string }[] }) =>
  page.members.map(({ id }) => id);

describe('a list', () => {
  test('of all has a page of the pool, and where to go on', async () => {
    answers.ListUsers = {
      Users: [user('ada', {}, ofAcme), user('bob', { Enabled: false })],
      PaginationToken: 't',
    };
    answers.AdminListGroupsForUser = inGroups('tenant.acme', 'member', 'tenant-admin');
    expect(await members.list({ limit: 2, after: 's' })).toEqual({
      members: [
        {
          id: 'ada',
          email: 'ada@acme.example',
          role: 'tenant_admin',
          tenant: 'acme',
          isDisabled: false,
          createdAt: 1_700_000_000,
        },
        {
          id: 'bob',
          email: 'bob@acme.example',
          role: 'tenant_admin',
          isDisabled: true,
          createdAt: 1_700_000_000,
        },
      ],
      next: 't',
    });
    expect(asked).toEqual([
      ['ListUsers', { Limit: 2, PaginationToken: 's' }],
      ['AdminListGroupsForUser', { Username: 'name-ada', Limit: 60 }],
      ['AdminListGroupsForUser', { Username: 'name-bob', Limit: 60 }],
    ]);
    answers.ListUsers = {};
    expect(await members.list({ limit: 2 })).toStrictEqual({ members: [] });
  });

  test('of a tenant has the users of its group whose tenant it is', async () => {
    answers.ListUsersInGroup = { Users: [user('ada', {}, ofAcme), user('eve', {}, {})], NextToken: 't' };
    const page = await members.list({ tenant: 'acme', limit: 2, after: 's' });
    expect([ids(page), page.next]).toEqual([['ada'], 't']);
    expect(asked[0]).toEqual(['ListUsersInGroup', { GroupName: 'tenant.acme', Limit: 2, NextToken: 's' }]);
  });

  test('of a tenant without a group is empty', async () => {
    answers.ListUsersInGroup = fail('ResourceNotFoundException');
    answers.ListUsers = fail('ResourceNotFoundException');
    expect(await members.list({ tenant: 'acme', limit: 2 })).toStrictEqual({ members: [] });
    await expect(members.list({ limit: 2 })).rejects.toMatchObject({ kind: 'internal' });
    answers.ListUsersInGroup = fail('InternalErrorException');
    await expect(members.list({ tenant: 'acme', limit: 2 })).rejects.toMatchObject({ kind: 'internal' });
  });

  test('shows no tenant of an operator, and no role of who has none', async () => {
    answers.ListUsers = { Users: [user('ada', {}, ofAcme)] };
    answers.AdminListGroupsForUser = inGroups('operator', 'member');
    expect((await members.list({ limit: 1 })).members).toMatchObject([{ role: 'operator' }]);
    expect((await members.list({ limit: 1 })).members[0]).not.toHaveProperty('tenant');
    answers.AdminListGroupsForUser = inGroups('tenant.acme');
    expect((await members.list({ limit: 1 })).members[0]).not.toHaveProperty('role');
  });

  test('has what is known of a user without attributes', async () => {
    answers.ListUsers = { Users: [{ Username: 'plain' }] };
    expect((await members.list({ limit: 1 })).members).toEqual([
      { id: 'plain', email: '', isDisabled: false, createdAt: 0 },
    ]);
  });
});

describe('a member', () => {
  test('is found by id or by the email address in lower case, and by nothing else', async () => {
    answers.ListUsers = { Users: [user('0-a')] };
    expect(await members.find('0-a')).toMatchObject({ id: '0-a' });
    await members.find(String.raw`A"\b@Acme.example`);
    expect(await members.find('not an id')).toBeUndefined();
    expect(asked.filter(([action]) => action === 'ListUsers')).toEqual([
      ['ListUsers', { Filter: 'sub = "0-a"', Limit: 10 }],
      ['ListUsers', { Filter: String.raw`email = "a\"\\b@acme.example"`, Limit: 10 }],
    ]);
    answers.ListUsers = { Users: [] };
    expect(await members.find('0-b')).toBeUndefined();
  });
});

describe('an invitation', () => {
  const invitation = (given: Partial<Invitation> = {}): Invitation => ({
    email: 'Ada@acme.example',
    role: 'member',
    tenant: 'acme',
    mayAdopt: false,
    ...given,
  });
  const made = user('ada', {}, ofAcme);

  test('makes the group of the tenant, and the user with its attributes and groups', async () => {
    answers.CreateGroup = fail('GroupExistsException');
    answers.AdminCreateUser = { User: made };
    expect(await members.invite(invitation())).toEqual({
      id: 'ada',
      email: 'ada@acme.example',
      role: 'member',
      tenant: 'acme',
      isDisabled: false,
      createdAt: 1_700_000_000,
    });
    expect(asked.slice(1)).toEqual([
      ['CreateGroup', { GroupName: 'tenant.acme' }],
      [
        'AdminCreateUser',
        {
          Username: 'ada@acme.example',
          UserAttributes: [
            { Name: 'email', Value: 'ada@acme.example' },
            { Name: 'email_verified', Value: 'true' },
            { Name: 'custom:tenant', Value: 'acme' },
          ],
          DesiredDeliveryMediums: ['EMAIL'],
        },
      ],
      ['AdminAddUserToGroup', { Username: 'name-ada', GroupName: 'member' }],
      ['AdminAddUserToGroup', { Username: 'name-ada', GroupName: 'tenant.acme' }],
    ]);
  });

  test('of an operator makes no group of a tenant', async () => {
    answers.AdminCreateUser = { User: user('ada') };
    const { tenant: _, ...operator } = invitation({ role: 'operator' });
    expect(await members.invite(operator)).not.toHaveProperty('tenant');
    expect(actions()).toEqual(['ListUsers', 'AdminCreateUser', 'AdminAddUserToGroup']);
  });

  test('whose group cannot be made creates no user', async () => {
    answers.CreateGroup = fail('LimitExceededException');
    await expect(members.invite(invitation())).rejects.toMatchObject({ kind: 'internal' });
    expect(actions()).toEqual(['ListUsers', 'CreateGroup']);
  });

  const external = { UserStatus: 'EXTERNAL_PROVIDER' };

  test.each<[string, object, Record<string, string>, string[], boolean]>([
    ['is a user of the pool', {}, {}, [], true],
    ['has a tenant', external, ofAcme, [], true],
    ['has a role', external, {}, ['viewer'], true],
    ['may not be taken in', external, {}, [], false],
  ])('of who %s already is refused', async (_, given, attributes, groups, mayAdopt) => {
    answers.ListUsers = { Users: [user('ada', given, attributes)] };
    answers.AdminListGroupsForUser = inGroups(...groups);
    await expect(members.invite(invitation({ mayAdopt }))).rejects.toMatchObject({
      kind: 'conflict',
      param: 'email',
    });
    expect(actions()).not.toContain('AdminAddUserToGroup');
  });
});

test.each([
  ['UsernameExistsException', 'conflict', 'a member already'],
  ['InvalidParameterException', 'invalid_request', 'does not accept this'],
  ['TooManyRequestsException', 'internal', 'refused ListUsers with TooManyRequestsException'],
])('%s is an answer without the words of the pool', async (type, kind, message) => {
  answers.ListUsers = fail(type);
  const refused = members.find('ada@acme.example');
  await expect(refused).rejects.toMatchObject({ kind, message: expect.stringContaining(message) });
  await expect(refused).rejects.not.toThrow('what was sent');
});

test('another fault stays as it is', async () => {
  answers.ListUsers = () => {
    throw new TypeError('A fault.');
  };
  await expect(members.find('ada@acme.example')).rejects.toThrow(TypeError);
});
