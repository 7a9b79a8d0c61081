/** Deletes a file and its bytes: `DELETE /v1/files/{file_id}`. */
import * as z from 'zod/mini';
import type { Endpoint } from '../../core/endpoint.ts';
import { fileIdField, fileNotFound } from './file-object.ts';
import type { FilesParts } from './files-parts.ts';

export const schema = z.object({ file_id: fileIdField });

export function deleteFileEndpoint({ files }: FilesParts): Endpoint<typeof schema, z.infer<typeof schema>> {
  return {
    schema,
    read: (query) => query,
    async answer({ input: { file_id: id }, key }) {
      if (!(await files.remove(key?.tenant ?? '', id))) throw fileNotFound();
      return { type: 'json', body: { id, object: 'file', deleted: true } };
    },
  };
}
