/** Begins an upload, a file in parts: `POST /v1/uploads`. */
import * as z from 'zod/mini';
import type { Endpoint } from '../../core/endpoint.ts';
import { invalid } from '../../core/errors/invalid.ts';
import { requireMayStore } from '../../core/may-store.ts';
import { timedId } from '../../core/names/new-id.ts';
import { type Upload, uploadSeconds } from '../../core/uploads.ts';
import { expiresAfterField, secondsOf } from '../files/expiry.ts';
import { maxFilename } from '../files/file-object.ts';
import { type FilesParts, givenPurposes, maxBytesOf, storeWithinRoom } from '../files/files-parts.ts';
import { showUpload, uploadPrefix } from './upload-object.ts';

export const schema = z.strictObject({
  filename: z.string().check(z.minLength(1), z.maxLength(maxFilename)),
  purpose: z.enum(givenPurposes),
  bytes: z.number().check(z.int(), z.gte(1)),
  mime_type: z.string(),
  expires_after: expiresAfterField,
});

export function createUploadEndpoint(parts: FilesParts): Endpoint<typeof schema, z.infer<typeof schema>> {
  return {
    schema,
    read(body) {
      const max = maxBytesOf(body.purpose);
      if (body.bytes > max)
        throw invalid('bytes', `must be at most ${max} for the purpose '${body.purpose}'`);
      return body;
    },
    async answer({ input, key }) {
      const { filename, purpose, bytes, expires_after: expiresAfter } = input;
      requireMayStore(key, 'filename');
      const tenant = key?.tenant ?? '';
      const created = Math.floor(parts.now() / 1_000);
      const upload: Upload = {
        tenant,
        id: timedId(uploadPrefix, parts.now()),
        key: key?.id ?? '',
        filename: filename.toWellFormed(),
        purpose,
        bytes,
        createdAt: created,
        expiresAt: created + uploadSeconds,
        fileSeconds: secondsOf(expiresAfter, parts),
        status: 'pending',
      };
      await storeWithinRoom(parts, tenant, {
        bytes,
        param: 'bytes',
        put: () => parts.uploads.create(upload),
        remove: () => parts.uploads.end(upload, 'cancelled'),
      });
      return { type: 'json', body: showUpload(upload) };
    },
  };
}
