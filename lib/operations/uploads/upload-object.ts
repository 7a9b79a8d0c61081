/** An upload as callers see it, and as they name it. */
import * as z from 'zod/mini';
import { GatewayError } from '../../core/errors/errors.ts';
import type { StoredFile } from '../../core/files.ts';
import { isIdOf } from '../../core/names/new-id.ts';
import type { Upload } from '../../core/uploads.ts';
import { showFile } from '../files/file-object.ts';
import type { FilesParts } from '../files/files-parts.ts';

/** The beginnings of the ids of uploads, and of their parts. */
export const uploadPrefix = 'upload_';
export const partPrefix = 'part_';

export const uploadIdField = z.string();

export const showUpload = (upload: Upload, file?: StoredFile) => ({
  id: upload.id,
  object: 'upload',
  bytes: upload.bytes,
  created_at: upload.createdAt,
  expires_at: upload.expiresAt,
  filename: upload.filename,
  purpose: upload.purpose,
  status: upload.status,
  file: file ? showFile(file) : null,
});

/** @throws GatewayError `not_found`, with the same message whatever the reason. */
export async function findUpload({ uploads }: FilesParts, tenant: string, id: string): Promise<Upload> {
  const upload = isIdOf(uploadPrefix, id) ? await uploads.find(tenant, id) : undefined;
  if (upload) return upload;
  const message = 'No upload with this id exists, or it has expired: an upload lasts one hour.';
  throw new GatewayError('not_found', message, { param: 'upload_id' });
}

/** @throws GatewayError for an upload that has ended. */
export function checkPending({ status }: Upload): void {
  if (status !== 'pending') throw ended(status);
}

export const ended = (status: string) =>
  new GatewayError('invalid_request', `The upload is ${status}.`, { param: 'upload_id' });
