/** What is known of a file: `GET /v1/files/{file_id}`. */
import * as z from 'zod/mini';
import type { Endpoint } from '../../core/endpoint.ts';
import { fileIdField, findFile, showFile } from './file-object.ts';
import type { FilesParts } from './files-parts.ts';

export const schema = z.object({ file_id: fileIdField });

export function retrieveFileEndpoint(parts: FilesParts): Endpoint<typeof schema, z.infer<typeof schema>> {
  return {
    schema,
    read: (query) => query,
    async answer({ input, key }) {
      return { type: 'json', body: showFile(await findFile(parts, key?.tenant ?? '', input.file_id)) };
    },
  };
}
