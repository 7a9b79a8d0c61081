/** Deletes a file and its bytes: `DELETE /v1/files/{file_id}`. */
import * as z from 'zod/mini';
import { plainEndpoint } from '../plain-endpoint.ts';
import { fileIdField, fileNotFound } from './file-object.ts';
import type { FilesParts } from './files-parts.ts';

export const schema = z.object({ file_id: fileIdField });

export const deleteFileEndpoint = ({ files }: FilesParts) =>
  plainEndpoint({ schema }, async ({ input: { file_id: id }, key }) => {
    if (!(await files.remove(key?.tenant ?? '', id))) throw fileNotFound();
    return { type: 'json', body: { id, object: 'file', deleted: true } };
  });
