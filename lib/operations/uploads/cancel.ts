/** Ends an upload without a file, and deletes its parts: `POST /v1/uploads/{upload_id}/cancel`. */
import * as z from 'zod/mini';
import type { Endpoint } from '../../core/endpoint.ts';
import type { FilesParts } from '../files/files-parts.ts';
import { checkPending, findUpload, showUpload, uploadIdField } from './upload-object.ts';

export const schema = z.object({ upload_id: uploadIdField });

export function cancelUploadEndpoint(parts: FilesParts): Endpoint<typeof schema, z.infer<typeof schema>> {
  return {
    schema,
    hasNoBody: true,
    read: (query) => query,
    async answer({ input, key }) {
      const upload = await findUpload(parts, key?.tenant ?? '', input.upload_id);
      const isEnded = await parts.uploads.end(upload, 'cancelled');
      if (!isEnded) checkPending(await findUpload(parts, upload.tenant, upload.id));
      const received = await parts.uploads.parts(upload);
      await parts.bytes.delete(received.flatMap((part) => part.parts.map(({ name }) => name)));
      return { type: 'json', body: showUpload({ ...upload, status: 'cancelled' }) };
    },
  };
}
