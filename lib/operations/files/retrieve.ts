/** What is known of a file: `GET /v1/files/{file_id}`. */
import * as z from 'zod/mini';
import { plainEndpoint } from '../plain-endpoint.ts';
import { fileIdField, findFile, showFile } from './file-object.ts';
import type { FilesParts } from './files-parts.ts';

export const schema = z.object({ file_id: fileIdField });

export const retrieveFileEndpoint = (parts: FilesParts) =>
  plainEndpoint({ schema }, async ({ input, key }) => {
    return { type: 'json', body: showFile(await findFile(parts, key?.tenant ?? '', input.file_id)) };
  });
