/**
 * Members in a Cognito user pool. The group of a user is its role, the attribute `custom:tenant` its tenant, which only
 * administrators may write. A group `tenant.<name>` lets the members of a tenant be listed. Source: API reference of cognito-idp.
 */
import { mapConcurrently } from '../../async/map-concurrently.ts';
import { groupsOfRoles, roles } from '../../core/admin/user.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { asArray, asObject, type JsonObject, objectsIn } from '../../core/formats/json-object.ts';
import { type AwsCall, AwsError } from '../../core/ports/aws.ts';
import type { Invitation, Member, Members, MembersPage, MembersQuestion } from '../../core/ports/members.ts';

interface CognitoOptions {
  readonly call: AwsCall;
  readonly userPoolId: string;
}

const service = 'AWSCognitoIdentityProviderService';

const tenantAttribute = 'custom:tenant';
/** The groups of members are asked for one by one: so many at once. */
const groupCalls = 5;
/** Further groups of a user are not looked at. Cognito has at most 60 in a page. */
const maxGroups = 60;

const groupOfTenant = (tenant: string): string => `tenant.${tenant}`;

/** A user of the pool. */
interface User {
  readonly username: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly isDisabled: boolean;
  readonly isExternal: boolean;
  readonly createdAt: number;
}

export function createCognitoMembers({ call, userPoolId }: CognitoOptions): Members {
  const act: Act = async (action, input, options) =>
    await call(`${service}.${action}`, { UserPoolId: userPoolId, ...input }, options).catch(
      (error: unknown) => {
        throw asFailure(error);
      },
    );

  async function memberOf(user: User): Promise<Member> {
    const { Groups } = await act('AdminListGroupsForUser', { Username: user.username, Limit: maxGroups });
    const groups = objectsIn(Groups).map(({ GroupName }) => GroupName);
    const role = roles.find((one) => groups.includes(groupsOfRoles[one]));
    const { sub = user.username, email = '', [tenantAttribute]: tenant } = user.attributes;
    return {
      id: sub,
      email,
      ...(role && { role }),
      ...(tenant && role !== 'operator' && { tenant }),
      isDisabled: user.isDisabled,
      createdAt: user.createdAt,
    };
  }

  /** The value in a filter is quoted; source: API_ListUsers, Filter. */
  async function findBy(attribute: 'sub' | 'email', value: string): Promise<readonly User[]> {
    const quoted = value.replaceAll(/["\\]/g, String.raw`\$&`);
    const { Users } = await act('ListUsers', { Filter: `${attribute} = "${quoted}"`, Limit: 10 });
    return asArray(Users).map(readUser);
  }

  async function usersNamed(name: string): Promise<readonly User[]> {
    if (name.includes('@')) return await findBy('email', name.toLowerCase());
    return isId(name) ? await findBy('sub', name) : [];
  }

  const groupsOf = ({ role, tenant }: Pick<Invitation, 'role' | 'tenant'>): readonly string[] => [
    groupsOfRoles[role],
    ...(tenant === undefined ? [] : [groupOfTenant(tenant)]),
  ];

  async function addToGroups(username: string, invitation: Invitation): Promise<void> {
    for (const GroupName of groupsOf(invitation)) {
      await act('AdminAddUserToGroup', { Username: username, GroupName });
    }
  }

  /** A user who came over another provider before it had a role. */
  async function adopt(user: User, invitation: Invitation): Promise<Member> {
    const known = await memberOf(user);
    const isFree = user.isExternal && known.role === undefined && known.tenant === undefined;
    if (!(invitation.mayAdopt && isFree)) throw taken();
    if (invitation.tenant !== undefined) {
      const UserAttributes = [{ Name: tenantAttribute, Value: invitation.tenant }];
      await act('AdminUpdateUserAttributes', { Username: user.username, UserAttributes });
    }
    await addToGroups(user.username, invitation);
    const { role, tenant } = invitation;
    return { ...known, role, ...(tenant !== undefined && { tenant }) };
  }

  async function create(invitation: Invitation): Promise<Member> {
    const { email, role, tenant } = invitation;
    const attributes = {
      email,
      email_verified: 'true',
      ...(tenant !== undefined && { [tenantAttribute]: tenant }),
    };
    const UserAttributes = Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));
    const user = readUser(
      // Repeated after a lost answer, it would find the user that it made.
      (
        await act(
          'AdminCreateUser',
          { Username: email, UserAttributes, DesiredDeliveryMediums: ['EMAIL'] },
          { once: true },
        )
      ).User,
    );
    try {
      await addToGroups(user.username, invitation);
    } catch (error) {
      // Without its role the user could sign in and do nothing, and could not be invited again.
      await act('AdminDeleteUser', { Username: user.username });
      throw error;
    }
    const { sub = user.username } = user.attributes;
    return {
      id: sub,
      email,
      role,
      ...(tenant !== undefined && { tenant }),
      isDisabled: false,
      createdAt: user.createdAt,
    };
  }

  return {
    list: async (question) => await listMembers(act, memberOf, question),
    async find(name) {
      const [user] = await usersNamed(name);
      return user && (await memberOf(user));
    },
    async invite(invitation) {
      const email = invitation.email.toLowerCase();
      const [known] = await findBy('email', email);
      if (invitation.tenant !== undefined) await makeGroup(act, groupOfTenant(invitation.tenant));
      return known ? await adopt(known, invitation) : await create({ ...invitation, email });
    },
    async remove(id) {
      const [user] = await usersNamed(id);
      if (!user) return false;
      const Username = user.username;
      // In this order, so that the user cannot sign in any more whatever step fails, and the removal can be repeated.
      await act('AdminDisableUser', { Username });
      await act('AdminUserGlobalSignOut', { Username });
      await act('AdminDeleteUser', { Username });
      return true;
    },
  };
}

type Act = (action: string, input: object, options?: { readonly once?: boolean }) => Promise<JsonObject>;

async function listMembers(
  act: Act,
  memberOf: (user: User) => Promise<Member>,
  { tenant, limit, after }: MembersQuestion,
): Promise<MembersPage> {
  const page =
    tenant === undefined
      ? act('ListUsers', { Limit: limit, ...(after !== undefined && { PaginationToken: after }) })
      : act('ListUsersInGroup', {
          GroupName: groupOfTenant(tenant),
          Limit: limit,
          ...(after !== undefined && { NextToken: after }),
        });
  const { Users, NextToken, PaginationToken } = await page.catch((error: unknown) => {
    // The group is made with the first invitation.
    if (tenant !== undefined && isAwsError(error, 'ResourceNotFoundException')) return {} as JsonObject;
    throw error;
  });
  const users = asArray(Users)
    .map(readUser)
    // The attribute decides: a group alone gives nothing.
    .filter(({ attributes }) => tenant === undefined || attributes[tenantAttribute] === tenant);
  const members = await mapConcurrently(users, groupCalls, memberOf);
  const next = NextToken ?? PaginationToken;
  return { members, ...(typeof next === 'string' && { next }) };
}

async function makeGroup(act: Act, GroupName: string): Promise<void> {
  await act('CreateGroup', { GroupName }).catch((error: unknown) => {
    if (!isAwsError(error, 'GroupExistsException')) throw error;
  });
}

function readUser(given: unknown): User {
  const { Username, Attributes, Enabled, UserStatus, UserCreateDate } = asObject(given);
  const pairs = objectsIn(Attributes).map(({ Name, Value }) => [String(Name), String(Value)]);
  return {
    username: String(Username),
    attributes: Object.fromEntries(pairs),
    isDisabled: Enabled === false,
    isExternal: UserStatus === 'EXTERNAL_PROVIDER',
    createdAt: typeof UserCreateDate === 'number' ? Math.floor(UserCreateDate) : 0,
  };
}

/** An id has the form of a UUID. */
const isId = (id: string): boolean => /^[\da-f-]{1,64}$/i.test(id);

/** Whether an answer to the caller was made of this error of AWS. */
const isAwsError = (error: unknown, type: string): boolean =>
  error instanceof GatewayError && error.cause instanceof AwsError && error.cause.type === type;

const taken = (cause?: unknown): GatewayError =>
  new GatewayError('conflict', 'Someone with this email address is a member already.', {
    param: 'email',
    cause,
  });

/** Texts of Cognito may repeat what was sent, so that only the kind of an error is used. */
function asFailure(error: unknown): unknown {
  if (!(error instanceof AwsError)) return error;
  if (error.type === 'UsernameExistsException') return taken(error);
  if (error.type === 'InvalidParameterException') {
    const message =
      'The user pool does not accept this: the email address is invalid, or the page to go on with has expired.';
    return new GatewayError('invalid_request', message, { cause: error });
  }
  const message = `The user pool of the dashboard (GATEWAY_ADMIN_USER_POOL) refused ${error.call.action ?? 'a call'} with ${error.type}.`;
  return new GatewayError('internal', message, { cause: error });
}
