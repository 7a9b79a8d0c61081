/** The files of a tenant, newest first: `GET /admin/v1/files`. */
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { FileStore, StoredFile } from '../../core/files.ts';
import { endpointOf } from '../subject-endpoint.ts';
import { type ScopeParts, scopeOf } from '../usage/scope.ts';
import { defaultBatchPage, type FilesListAnswer, type FilesListQuery, filesListQuery } from './schema.ts';

interface FilesParts extends ScopeParts {
  readonly files: Pick<FileStore, 'list'>;
}

export const filesEndpoint = (parts: FilesParts) => endpointOf(parts, filesListQuery, nothing, listFiles);

export async function listFiles(
  parts: FilesParts,
  user: User,
  { tenant: asked, after, limit = defaultBatchPage }: FilesListQuery,
): Promise<FilesListAnswer> {
  const { tenant, keys } = await scopeOf(parts, user, asked);
  if (tenant === undefined)
    throw new GatewayError('invalid_request', 'Name the tenant whose files to list.', { param: 'tenant' });
  const { items, hasMore } = await parts.files.list(tenant, { after, limit, order: 'desc' });
  return {
    object: 'list',
    data: items.filter(({ key }) => !keys || keys.has(key)).map(fileRow),
    has_more: hasMore,
    next_after: hasMore ? (items.at(-1)?.id ?? null) : null,
  };
}

const fileRow = ({
  id,
  key,
  filename,
  purpose,
  bytes,
  createdAt,
  expiresAt,
}: StoredFile): FilesListAnswer['data'][number] => ({
  object: 'file',
  ...{ id, key, filename, purpose, bytes },
  created_at: createdAt,
  expires_at: expiresAt,
});
