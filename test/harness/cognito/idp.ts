/**
 * The JSON API with which administrators manage the fake user pool, as a service of the fake AWS, which checks signatures. Sources: API
 * reference of cognito-idp (limits of lengths, errors of each action; at most 60 rows for a page); the service authorization reference
 * (all these actions are allowed on a user pool).
 */
import {
  type AccessRequest,
  AwsRefusal,
  type CallContext,
  type FakeAction,
  type FakeService,
  type Input,
} from '../aws/service.ts';
import type { FakeUser, Pool } from './pool.ts';

const maxPage = 60;

export function cognitoIdp(pool: Pool): FakeService {
  const actions: Readonly<Record<string, FakeAction>> = {
    AdminCreateUser: (input) => createUser(pool, input),
    AdminGetUser({ Username }) {
      const { username, ...user } = userNamed(pool, Username);
      return { Username: username, UserAttributes: attributesOf(user.attributes), ...stateOf(user) };
    },
    AdminUpdateUserAttributes({ Username, UserAttributes }) {
      const user = userNamed(pool, Username);
      for (const [name, value] of readAttributes(pool, UserAttributes)) user.attributes.set(name, value);
    },
    AdminDisableUser({ Username }) {
      userNamed(pool, Username).enabled = false;
    },
    AdminEnableUser({ Username }) {
      userNamed(pool, Username).enabled = true;
    },
    AdminDeleteUser({ Username }) {
      pool.users.delete(userNamed(pool, Username).username);
    },
    AdminUserGlobalSignOut({ Username }) {
      // What was issued up to now does not count any more.
      userNamed(pool, Username).signedOutAt = pool.now() + 1;
    },
    AdminAddUserToGroup({ Username, GroupName }) {
      const user = userNamed(pool, Username);
      user.groups.add(groupNamed(pool, GroupName));
    },
    AdminRemoveUserFromGroup({ Username, GroupName }) {
      const user = userNamed(pool, Username);
      user.groups.delete(groupNamed(pool, GroupName));
    },
    AdminListGroupsForUser({ Username, Limit, NextToken }) {
      const { rows, next } = pageOf([...userNamed(pool, Username).groups].sort(), Limit, NextToken);
      return { Groups: rows.map((GroupName) => ({ GroupName, UserPoolId: pool.id })), ...next };
    },
    CreateGroup({ GroupName, Description = '' }) {
      const name = text(GroupName, 'groupName', 128);
      if (pool.groups.has(name)) {
        throw new AwsRefusal('GroupExistsException', 'A group with the name already exists.');
      }
      pool.groups.set(name, { description: String(Description) });
      return { Group: { GroupName: name, UserPoolId: pool.id } };
    },
    ListUsersInGroup({ GroupName, Limit, NextToken }) {
      const group = groupNamed(pool, GroupName);
      const members = [...pool.users.values()].filter(({ groups }) => groups.has(group));
      const { rows, next } = pageOf(members, Limit, NextToken);
      return { Users: rows.map(describe), ...next };
    },
    ListUsers({ Filter, Limit, PaginationToken }) {
      const { rows, next } = pageOf(
        [...pool.users.values()].filter(filterOf(Filter)),
        Limit,
        PaginationToken,
      );
      return { Users: rows.map(describe), ...(next.NextToken && { PaginationToken: next.NextToken }) };
    },
  };
  return {
    name: 'cognito-idp',
    protocol: 'json',
    needs: (action, _input, context) => [{ action: `cognito-idp:${action}`, resource: arnOf(pool, context) }],
    actions: Object.fromEntries(
      Object.entries(actions).map(([name, act]) => [
        name,
        (input, context) => {
          checkPool(pool, input.UserPoolId);
          return act(input, context);
        },
      ]),
    ),
  };
}

const arnOf = ({ id }: Pool, { region, account }: CallContext): AccessRequest['resource'] =>
  `arn:aws:cognito-idp:${region}:${account}:userpool/${id}`;

function checkPool({ id }: Pool, given: unknown): void {
  if (given === id) return;
  throw new AwsRefusal('ResourceNotFoundException', `User pool ${given} does not exist.`);
}

/** Without a password, which is allowed where codes by e-mail are. The address is an alias that only one user may have. */
function createUser(pool: Pool, input: Input): unknown {
  const email = text(input.Username, 'username', 128);
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) {
    throw new AwsRefusal('InvalidParameterException', 'Username should be an email.');
  }
  const known = pool.find(email);
  if (input.MessageAction === 'RESEND') {
    if (!known) throw noUser();
    invite(pool, email);
    return { User: describe(known) };
  }
  if (known) throw new AwsRefusal('UsernameExistsException', 'User account already exists');
  const attributes = readAttributes(pool, input.UserAttributes);
  const user = pool.add(email);
  for (const [name, value] of attributes) user.attributes.set(name, value);
  if (input.MessageAction !== 'SUPPRESS') invite(pool, email);
  return { User: describe(user) };
}

const invite = (pool: Pool, email: string) =>
  pool.outbox.push({ to: email, kind: 'invitation', text: 'You are invited.' });

function readAttributes(pool: Pool, given: unknown): readonly (readonly [string, string])[] {
  const list = (given ?? []) as readonly { readonly Name: string; readonly Value: string }[];
  return list.map(({ Name, Value }) => {
    if (Name === 'sub') {
      throw new AwsRefusal('InvalidParameterException', 'Cannot modify the non-mutable attribute sub');
    }
    if (pool.attributes.has(Name)) return [Name, String(Value)] as const;
    const message = `Attributes did not conform to the schema: Type for attribute {${Name}} could not be determined`;
    throw new AwsRefusal('InvalidParameterException', message);
  });
}

function userNamed(pool: Pool, name: unknown): FakeUser {
  const user = pool.find(text(name, 'username', 128));
  if (!user) throw noUser();
  return user;
}

const noUser = () => new AwsRefusal('UserNotFoundException', 'User does not exist.');

function groupNamed(pool: Pool, given: unknown): string {
  const name = text(given, 'groupName', 128);
  if (pool.groups.has(name)) return name;
  throw new AwsRefusal('ResourceNotFoundException', 'Group not found.');
}

function text(value: unknown, name: string, longest: number): string {
  if (typeof value === 'string' && value !== '' && value.length <= longest) return value;
  const message = `1 validation error detected: Value at '${name}' failed to satisfy constraint`;
  throw new AwsRefusal('InvalidParameterException', message);
}

/** `attribute = "value"`; source: API_ListUsers, Filter. */
function filterOf(given: unknown): (user: FakeUser) => boolean {
  if (given === undefined) return () => true;
  const [, name = '', value = ''] = /^(\w+)\s*=\s*"((?:[^"\\]|\\["\\])*)"$/.exec(String(given)) ?? [];
  if (!['sub', 'email', 'name', 'username'].includes(name)) {
    throw new AwsRefusal('InvalidParameterException', 'Error while parsing filter.');
  }
  return ({ attributes }) => attributes.get(name) === value.replaceAll(/\\(.)/g, '$1');
}

function pageOf<Row>(all: readonly Row[], limit: unknown, token: unknown) {
  if (limit !== undefined && !(Number(limit) >= 0 && Number(limit) <= maxPage)) {
    const message = `1 validation error detected: Value '${limit}' at 'limit' failed to satisfy constraint: Member must have value less than or equal to ${maxPage}`;
    throw new AwsRefusal('InvalidParameterException', message);
  }
  const start = Number(token ?? 0);
  const end = start + Number(limit ?? maxPage);
  return { rows: all.slice(start, end), next: end < all.length ? { NextToken: String(end) } : {} };
}

const attributesOf = (attributes: ReadonlyMap<string, string>) =>
  [...attributes].map(([Name, Value]) => ({ Name, Value }));

const stateOf = ({ enabled, status, createdAt }: Omit<FakeUser, 'username'>) => ({
  Enabled: enabled,
  UserStatus: status,
  UserCreateDate: createdAt / 1000,
});

const describe = ({ username, ...user }: FakeUser) => ({
  Username: username,
  Attributes: attributesOf(user.attributes),
  ...stateOf(user),
});
