/** The OpenAI-compatible hosts that an operator added: listed, set and removed. */

import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { readHostRow } from '../../providers/hosts/operator-hosts.ts';
import type { StoredRow } from '../../stores/catalog/catalog.ts';
import type { StoredHost } from '../../stores/catalog/hosts.ts';
import { readModelRow } from '../../stores/catalog/model-row.ts';
import { recordChange } from '../audit/record-change.ts';
import { requireMatch } from '../etag.ts';
import { refusalOf } from '../reach.ts';
import { endpointOf } from '../subject-endpoint.ts';
import { type CatalogParts, changedMeanwhile, refuseRow, rowOf, tagOf } from './parts.ts';
import {
  type HostAnswer,
  type HostsDeleteAnswer,
  type HostsListAnswer,
  type HostsPutAnswer,
  hostPath,
  type RowInput,
  rowInput,
} from './schema.ts';

interface OfHost {
  readonly host: string;
}

/** `GET /admin/v1/hosts` */
export const listHostsEndpoint = (parts: CatalogParts) => endpointOf(parts, nothing, nothing, listHosts);

export async function listHosts({ hosts }: CatalogParts, _: User, __: object): Promise<HostsListAnswer> {
  const data = (await hosts.list()).map(show);
  return { object: 'list', data, has_more: false, next_after: null };
}

/** `PUT /admin/v1/hosts/{host}` */
export const putHostEndpoint = (parts: CatalogParts) => endpointOf(parts, hostPath, rowInput, putHost);

/** Rejects with GatewayError `invalid_request` that names every faulty field, and for a host of the hosts file. */
export async function putHost(
  parts: CatalogParts,
  user: User,
  { host: name, row: given }: RowInput & OfHost,
  ifMatch?: string,
): Promise<HostsPutAnswer> {
  const row = { ...given, name: given.name ?? name };
  if (row.name !== name) throw refusalOf('row.name', `name: must be ${name}, as in the path, or absent`);
  checkRow(row);
  const before = await findHost(parts, name, 'Change');
  requireMatch(ifMatch, tagOf(before), `The host ${name}`);
  const after: StoredHost = { name, source: 'command', row };
  if (!(await parts.hosts.replace(before, after))) throw changedMeanwhile(`The host ${name}`);
  await recordChange(parts, user, 'hosts.set', {
    target: name,
    before: audited(before),
    after: audited(after),
  });
  return { ...show(after), created: before === undefined };
}

/** `DELETE /admin/v1/hosts/{host}` */
export const deleteHostEndpoint = (parts: CatalogParts) => endpointOf(parts, hostPath, nothing, deleteHost);

/** Its models stay in the catalog, and its stored API key is not removed. */
export async function deleteHost(
  parts: CatalogParts,
  user: User,
  { host: name }: OfHost,
  ifMatch?: string,
): Promise<HostsDeleteAnswer> {
  const before = await findHost(parts, name, 'Remove');
  if (!before) throw new GatewayError('not_found', `No host named ${name} was added.`, { param: 'host' });
  requireMatch(ifMatch, tagOf(before), `The host ${name}`);
  if (!(await parts.hosts.remove(name, before))) throw changedMeanwhile(`The host ${name}`);
  await recordChange(parts, user, 'hosts.delete', { target: name, before: audited(before) });
  const rows = await parts.models.list();
  const models = rows.filter((row) => isServedBy(row, name)).map(({ id }) => id);
  return { object: 'host', id: name, deleted: true, models };
}

function checkRow(row: object): void {
  try {
    readHostRow(row);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw refuseRow(message.replace(/^Malformed host row: /, '').split('; '));
  }
}

async function findHost(
  { hosts }: CatalogParts,
  name: string,
  verb: string,
): Promise<StoredHost | undefined> {
  const found = await hosts.get(name);
  if (found?.source !== 'file') return found;
  throw refusalOf('host', `The host ${name} is defined in the hosts file of this gateway. ${verb} it there.`);
}

const audited = (host: StoredHost | undefined) => rowOf(host?.row) ?? undefined;

function show(host: StoredHost): HostAnswer {
  const row = rowOf(host.row);
  const { baseUrl } = row ?? {};
  return {
    object: 'host',
    id: host.name,
    base_url: typeof baseUrl === 'string' ? baseUrl : null,
    written_by: host.source === 'file' ? 'file' : 'operator',
    etag: tagOf(host),
    row,
  };
}

function isServedBy({ row }: StoredRow, name: string): boolean {
  try {
    return readModelRow(row, 'ignore').deployments.some(({ provider }) => provider === name);
  } catch {
    return false;
  }
}
