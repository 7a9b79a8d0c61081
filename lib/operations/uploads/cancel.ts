/** Ends an upload without a file, and deletes its parts: `POST /v1/uploads/{upload_id}/cancel`. */
import * as z from 'zod/mini';
import type { FilesParts } from '../files/files-parts.ts';
import { plainEndpoint } from '../plain-endpoint.ts';
import { checkPending, findUpload, showUpload, uploadIdField } from './upload-object.ts';

export const schema = z.object({ upload_id: uploadIdField });

export const cancelUploadEndpoint = (parts: FilesParts) =>
  plainEndpoint({ schema, hasNoBody: true }, async ({ input, key }) => {
    const upload = await findUpload(parts, key?.tenant ?? '', input.upload_id);
    const isEnded = await parts.uploads.end(upload, 'cancelled');
    if (!isEnded) checkPending(await findUpload(parts, upload.tenant, upload.id));
    const received = await parts.uploads.parts(upload);
    await parts.bytes.delete(received.flatMap((part) => part.parts.map(({ name }) => name)));
    return { type: 'json', body: showUpload({ ...upload, status: 'cancelled' }) };
  });
