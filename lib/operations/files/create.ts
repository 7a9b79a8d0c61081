/** Stores a file: `POST /v1/files`, a form with the file and what it is for. */
import * as z from 'zod/mini';
import { GatewayError } from '../../core/errors/errors.ts';
import { filePrefix, type StoredFile } from '../../core/files.ts';
import { requireMayStore } from '../../core/may-store.ts';
import { timedId } from '../../core/names/new-id.ts';
import { plainEndpoint } from '../plain-endpoint.ts';
import { expiresAfterField, secondsOf } from './expiry.ts';
import { maxFilename, showFile } from './file-object.ts';
import {
  checkRoom,
  discardFrom,
  type FilesParts,
  givenPurposes,
  maxBytesOf,
  maxFileBytes,
  storeFor,
  storeWithinRoom,
} from './files-parts.ts';

export const schema = z.strictObject({
  purpose: z.enum(givenPurposes),
  expires_after: expiresAfterField,
});

export const createFileEndpoint = (parts: FilesParts) =>
  plainEndpoint(
    {
      schema,
      form: {
        field: 'file',
        maxBytes: maxFileBytes,
        // The purpose may come after the file.
        async store({ filename, bytes }, key) {
          requireMayStore(key, 'file');
          const { tenant } = key;
          await checkRoom(parts, tenant, { bytes: 0, param: 'file' });
          return {
            filename: filename.slice(0, maxFilename).toWellFormed(),
            ...(await storeFor(parts, tenant, bytes)),
          };
        },
        discard: discardFrom(parts),
      },
    },
    async ({ input, key, file }) => {
      if (!key || !file) throw new GatewayError('invalid_api_key', 'An API key is required.');
      const { purpose, expires_after: expiresAfter } = input;
      const { tenant } = key;
      const max = maxBytesOf(purpose);
      if (file.bytes > max) {
        const message = `A file with the purpose '${purpose}' must have at most ${max} bytes.`;
        throw new GatewayError('payload_too_large', message, { param: 'file' });
      }
      const created = Math.floor(parts.now() / 1_000);
      const stored: StoredFile = {
        tenant,
        id: timedId(filePrefix, parts.now()),
        key: key.id,
        purpose,
        createdAt: created,
        expiresAt: created + secondsOf(expiresAfter, parts),
        ...file,
      };
      await storeWithinRoom(parts, tenant, {
        bytes: file.bytes,
        param: 'file',
        put: () => parts.files.put(stored),
        remove: () => parts.files.remove(tenant, stored.id),
      });
      return { type: 'json', body: showFile(stored) };
    },
  );
