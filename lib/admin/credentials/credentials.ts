/** Credentials of a tenant's own for providers: listed, added, changed, moved and removed. Each change is in the audit log, no secret is. */
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import { maxCredentials, maxOwnProviders, type SealedFor } from '../../core/credential.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { withoutUndefined } from '../../core/formats/json-object.ts';
import { newId } from '../../core/names/new-id.ts';
import { settingsOf } from '../../providers/provider.ts';
import type { CredentialStore, StoredCredential } from '../../stores/access/credentials.ts';
import type { HostStore } from '../../stores/catalog/hosts.ts';
import { recordChange } from '../audit/record-change.ts';
import { findProvider } from '../providers/provider-states.ts';
import { refusalOf, requireTenant, tenantNotFound } from '../reach.ts';
import { endpointOf, type SubjectParts } from '../subject-endpoint.ts';
import { tenantPath } from '../tenants/schema.ts';
import { auditedOf, rowOf } from './credential-row.ts';
import { readOwnSettings, shownOf } from './read-settings.ts';
import {
  type CredentialRow,
  type CredentialsChangeInput,
  type CredentialsCreateInput,
  type CredentialsDeleteAnswer,
  type CredentialsListAnswer,
  credentialPath,
  credentialsChangeInput,
  credentialsCreateInput,
} from './schema.ts';

export interface CredentialParts extends Pick<SubjectParts, 'tenantEdits' | 'audit' | 'now'> {
  readonly credentials: CredentialStore;
  readonly seal: (what: SealedFor, settings: Readonly<Record<string, string>>) => Promise<string>;
  readonly hosts: Pick<HostStore, 'get'>;
}

interface OfTenant {
  readonly tenant: string;
}
export interface OfCredential extends OfTenant {
  readonly credential: string;
}

/** What is kept at the provider decides where requests may go: those who are bound by that do not say it. */
function requireMaySay({ role }: User, { collects_data, retains_data }: Changeable): void {
  if (role === 'operator' || (collects_data === undefined && retains_data === undefined)) return;
  const field = collects_data === undefined ? 'retains_data' : 'collects_data';
  throw refusalOf(field, `Only an operator sets '${field}'.`);
}

/** `GET /admin/v1/tenants/{tenant}/credentials` */
export const listCredentialsEndpoint = (parts: CredentialParts) =>
  endpointOf(parts, tenantPath, nothing, listCredentials);

export async function listCredentials(
  parts: CredentialParts,
  user: User,
  { tenant }: OfTenant,
): Promise<CredentialsListAnswer> {
  const all = await allOf(parts, user, tenant);
  const uses = await parts.credentials.uses(all.map(({ stored }) => stored.id));
  const data = all.map(({ stored, position }, index) => rowOf(stored, position, uses[index]));
  return { object: 'list', data, has_more: false, next_after: null };
}

/** `POST /admin/v1/tenants/{tenant}/credentials` */
export const createCredentialEndpoint = (parts: CredentialParts) =>
  endpointOf(parts, tenantPath, credentialsCreateInput, createCredential);

export async function createCredential(
  parts: CredentialParts,
  user: User,
  { tenant, provider: name, settings: given, ...input }: CredentialsCreateInput & OfTenant,
): Promise<CredentialRow> {
  await accountsOf(parts, user, tenant);
  requireMaySay(user, input);
  const provider = await findProvider(parts.hosts, name);
  if (!provider) throw refusalOf('provider', `Unknown provider: ${name}.`);
  const { account } = settingsOf(provider);
  const settings = readOwnSettings(provider, given);
  const what = { id: newId('cred_'), tenant, account };
  const added: StoredCredential = changed(
    {
      ...what,
      fallback: 'none',
      sealed: await parts.seal(what, settings),
      createdAt: secondsOf(parts),
      ...shownOf(tenant, settings),
    },
    input,
    secondsOf(parts),
  );
  // First: what is not named there is not looked for.
  await nameAccount(parts, tenant, account);
  let position = 0;
  await parts.credentials.edit(tenant, account, (before) => {
    if (before.length >= maxCredentials)
      throw refusalOf('provider', `A tenant has at most ${maxCredentials} credentials for a provider.`);
    const same = before.find(({ fingerprint }) => fingerprint === added.fingerprint);
    if (same) throw refusalOf('settings', `It is there already, as ${same.id}.`);
    position = before.length;
    return [...before, added];
  });
  // The last one may have been removed meanwhile, and the account with it.
  await nameAccount(parts, tenant, account);
  await parts.credentials.startUse(added.id);
  const row = rowOf(added, position);
  await recordChange(parts, user, 'credentials.create', { tenant, target: added.id, after: auditedOf(row) });
  return row;
}

/** `PATCH /admin/v1/tenants/{tenant}/credentials/{credential}` */
export const changeCredentialEndpoint = (parts: CredentialParts) =>
  endpointOf(parts, credentialPath, credentialsChangeInput, changeCredential);

export async function changeCredential(
  parts: CredentialParts,
  user: User,
  { tenant, credential: id, position: to, ...input }: CredentialsChangeInput & OfCredential,
): Promise<CredentialRow> {
  requireMaySay(user, input);
  const { account } = (await findCredential(parts, user, { tenant, credential: id })).stored;
  let rows: readonly [CredentialRow, CredentialRow] | undefined;
  await parts.credentials.edit(tenant, account, (all) => {
    const from = all.findIndex((one) => one.id === id);
    const before = all[from];
    if (!before) throw credentialNotFound(id);
    const after = changed(before, input, secondsOf(parts));
    const position = Math.min(to ?? from, all.length - 1);
    rows = [rowOf(before, from), rowOf(after, position)];
    return all.toSpliced(from, 1).toSpliced(position, 0, after);
  });
  if (!rows) throw credentialNotFound(id);
  const [before, after] = rows.map(auditedOf);
  await recordChange(parts, user, 'credentials.change', { tenant, target: id, before, after });
  const [use] = await parts.credentials.uses([id]);
  return { ...rows[1], ...use };
}

/** `DELETE /admin/v1/tenants/{tenant}/credentials/{credential}` */
export const deleteCredentialEndpoint = (parts: CredentialParts) =>
  endpointOf(parts, credentialPath, nothing, deleteCredential);

export async function deleteCredential(
  parts: CredentialParts,
  user: User,
  of: OfCredential,
): Promise<CredentialsDeleteAnswer> {
  const { tenant, credential: id } = of;
  const { stored, position } = await findCredential(parts, user, of);
  const { account } = stored;
  await parts.credentials.edit(tenant, account, (all) => all.filter((one) => one.id !== id));
  await parts.credentials.forgetUse(id);
  const hasOthers = async () => (await parts.credentials.list(tenant, account)).length > 0;
  if (!(await hasOthers())) {
    await nameAccount(parts, tenant, account, { isLeft: false });
    // Another one may have been added meanwhile.
    if (await hasOthers()) await nameAccount(parts, tenant, account);
  }
  const before = auditedOf(rowOf(stored, position));
  await recordChange(parts, user, 'credentials.delete', { tenant, target: id, before });
  return { object: 'credential', id, deleted: true };
}

const secondsOf = ({ now }: Pick<CredentialParts, 'now'>) => Math.floor(now() / 1_000);

export const credentialNotFound = (id: string) =>
  new GatewayError('not_found', `Credential not found: ${id}.`, { param: 'credential' });

/** Of the tenant. Throws GatewayError `not_found` for one that is not the user's. */
async function accountsOf(
  { tenantEdits }: Pick<CredentialParts, 'tenantEdits'>,
  user: User,
  name: string,
): Promise<readonly string[]> {
  requireTenant(user, name);
  const tenant = await tenantEdits.find(name);
  if (!tenant) throw tenantNotFound(name);
  return tenant.ownProviders ?? [];
}

interface Placed {
  readonly stored: StoredCredential;
  readonly position: number;
}

async function allOf(
  parts: Pick<CredentialParts, 'tenantEdits' | 'credentials'>,
  user: User,
  tenant: string,
): Promise<readonly Placed[]> {
  const accounts = await accountsOf(parts, user, tenant);
  const lists = await Promise.all(accounts.map((account) => parts.credentials.list(tenant, account)));
  return lists.flatMap((list) => list.map((stored, position) => ({ stored, position })));
}

export async function findCredential(
  parts: Pick<CredentialParts, 'tenantEdits' | 'credentials'>,
  user: User,
  { tenant, credential: id }: OfCredential,
): Promise<Placed> {
  const found = (await allOf(parts, user, tenant)).find(({ stored }) => stored.id === id);
  if (!found) throw credentialNotFound(id);
  return found;
}

/** Says of a tenant that it has credentials for an account, or none any more. */
async function nameAccount(
  { tenantEdits }: Pick<CredentialParts, 'tenantEdits'>,
  tenant: string,
  account: string,
  { isLeft } = { isLeft: true },
): Promise<void> {
  await tenantEdits.edit(tenant, ({ ownProviders = [] }) => {
    const others = ownProviders.filter((one) => one !== account);
    const own = isLeft ? [...others, account].toSorted() : others;
    if (own.length > maxOwnProviders)
      throw refusalOf('provider', `A tenant has credentials for at most ${maxOwnProviders} providers.`);
    return { ownProviders: own.length > 0 ? own : null };
  });
}

type Changeable = Omit<CredentialsChangeInput, 'position'>;

/** Null removes it, and what is absent stays. */
function changed(
  before: StoredCredential,
  { disabled, collects_data: collectsData, retains_data: retainsData, ...given }: Changeable,
  now: number,
): StoredCredential {
  const disabledAt = disabled ? (before.disabledAt ?? now) : disabled === false ? null : undefined;
  const change = withoutUndefined({ ...given, disabledAt, collectsData, retainsData });
  const kept = Object.entries({ ...before, ...change }).filter(([, value]) => value !== null);
  return Object.fromEntries(kept) as unknown as StoredCredential;
}
