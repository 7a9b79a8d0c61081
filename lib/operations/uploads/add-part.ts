/** Stores a part of an upload: `POST /v1/uploads/{upload_id}/parts`, a form with its bytes. */
import * as z from 'zod/mini';
import { GatewayError } from '../../core/errors/errors.ts';
import { requireMayStore } from '../../core/may-store.ts';
import { timedId } from '../../core/names/new-id.ts';
import { maxUploadParts } from '../../core/uploads.ts';
import { discardFrom, type FilesParts, storeFor } from '../files/files-parts.ts';
import { plainEndpoint } from '../plain-endpoint.ts';
import { checkPending, findUpload, partPrefix, uploadIdField } from './upload-object.ts';

export const schema = z.strictObject({ upload_id: uploadIdField });

/** The largest part, in bytes. */
const maxPartBytes = 64 * 1024 * 1024;

export const addPartEndpoint = (parts: FilesParts) =>
  plainEndpoint(
    {
      schema,
      form: {
        field: 'data',
        maxBytes: maxPartBytes,
        async store({ filename, bytes }, key, path) {
          requireMayStore(key, 'data');
          const { tenant } = key;
          checkPending(await findUpload(parts, tenant, path.upload_id ?? ''));
          return { filename, ...(await storeFor(parts, tenant, bytes)) };
        },
        discard: discardFrom(parts),
      },
    },
    async ({ input, key, file }) => {
      if (!key || !file) throw new GatewayError('invalid_api_key', 'An API key is required.');
      const upload = await findUpload(parts, key.tenant, input.upload_id);
      const id = timedId(partPrefix, parts.now());
      if (!(await parts.uploads.addPart(upload, { id, bytes: file.bytes, parts: file.parts }))) {
        checkPending(await findUpload(parts, key.tenant, input.upload_id));
        const message = `The parts of the upload would have more than the ${upload.bytes} bytes that it was created with, or be more than ${maxUploadParts}.`;
        throw new GatewayError('invalid_request', message, { param: 'data' });
      }
      const createdAt = Math.floor(parts.now() / 1_000);
      return {
        type: 'json',
        body: { id, object: 'upload.part', created_at: createdAt, upload_id: upload.id },
      };
    },
  );
