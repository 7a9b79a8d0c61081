/** A file as callers see it, and as they name it. */
import * as z from 'zod/mini';
import { GatewayError } from '../../core/errors/errors.ts';
import type { StoredFile } from '../../core/files.ts';
import type { FilesParts } from './files-parts.ts';

/** Characters of the name of a file. */
export const maxFilename = 255;

export const fileIdField = z.string();

/** A file can be used as soon as it is there: clients that wait for it stop at once. */
export const showFile = (file: StoredFile) => ({
  id: file.id,
  object: 'file',
  bytes: file.bytes,
  created_at: file.createdAt,
  expires_at: file.expiresAt,
  filename: file.filename,
  purpose: file.purpose,
  status: 'processed',
});

/** @throws GatewayError `not_found`, with the same message whatever the reason. */
export async function findFile({ files }: FilesParts, tenant: string, id: string): Promise<StoredFile> {
  const file = await files.find(tenant, id);
  if (file) return file;
  throw fileNotFound();
}

export const fileNotFound = () =>
  new GatewayError('not_found', 'No file with this id exists, or it has expired or was deleted.', {
    param: 'file_id',
  });
