/** Makes a file of the parts of an upload: `POST /v1/uploads/{upload_id}/complete`. Nothing is copied. */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { invalid } from '../../core/errors/invalid.ts';
import { readParts } from '../../core/file-bytes.ts';
import { type FilePart, filePrefix, type StoredFile } from '../../core/files.ts';
import type { Upload, UploadPart } from '../../core/uploads.ts';
import type { FilesParts } from '../files/files-parts.ts';
import { plainEndpoint } from '../plain-endpoint.ts';
import { ended, findUpload, showUpload, uploadIdField, uploadPrefix } from './upload-object.ts';

/** An item of the table has room for as many names. */
const maxParts = 1_000;

export const schema = z.strictObject({
  upload_id: uploadIdField,
  part_ids: z.array(z.string()).check(z.minLength(1), z.maxLength(maxParts)),
  md5: z.nullish(z.string()),
});

export const completeUploadEndpoint = (parts: FilesParts) =>
  plainEndpoint({ schema }, async ({ input, key }) => {
    const tenant = key?.tenant ?? '';
    const upload = await findUpload(parts, tenant, input.upload_id);
    const fileId = filePrefix + upload.id.slice(uploadPrefix.length);
    // A client whose answer was lost asks again.
    const made = upload.status === 'completed' ? await parts.files.find(tenant, fileId) : undefined;
    if (made) return { type: 'json', body: showUpload(upload, made) };
    if (upload.status !== 'pending') throw ended(upload.status);
    const received = await parts.uploads.parts(upload);
    const chosen = chooseParts(received, input.part_ids);
    const bytes = chosen.reduce((sum, part) => sum + part.bytes, 0);
    if (bytes !== upload.bytes)
      throw invalid('part_ids', `have ${bytes} bytes, and the upload was created with ${upload.bytes}`);
    const all = chosen.flatMap((part) => part.parts);
    if (input.md5) await checkHash(parts, all, input.md5);
    const file = await putOnce(parts, fileOf(upload, { id: fileId, parts: all, now: parts.now() }));
    if (!(await parts.uploads.end(upload, 'completed')) && (await statusOf(parts, upload)) === 'cancelled') {
      await parts.files.remove(tenant, fileId);
      throw ended('cancelled');
    }
    const unused = received.filter((part) => !chosen.includes(part)).flatMap((part) => part.parts);
    await parts.bytes.delete(unused.map(({ name }) => name));
    return { type: 'json', body: showUpload({ ...upload, status: 'completed' }, file) };
  });

/** In the order of the ids. */
function chooseParts(received: readonly UploadPart[], ids: readonly string[]): readonly UploadPart[] {
  const known = new Map(received.map((part) => [part.id, part]));
  if (new Set(ids).size < ids.length) throw invalid('part_ids', 'must name each part once');
  return ids.map((id, index) => {
    const part = known.get(id);
    if (!part) throw invalid(`part_ids.${index}`, 'is no part of this upload');
    return part;
  });
}

/** A request that is sent twice at once, or again after it broke off, finds the file that the first one has made. */
async function putOnce({ files }: FilesParts, file: StoredFile): Promise<StoredFile> {
  if (await files.put(file)) return file;
  const made = await files.find(file.tenant, file.id);
  if (made && isDeepStrictEqual(made.parts, file.parts)) return made;
  throw invalid('part_ids', 'are not those of an earlier request to complete this upload');
}

const statusOf = async ({ uploads }: FilesParts, { tenant, id }: Upload) =>
  (await uploads.find(tenant, id))?.status;

async function checkHash({ bytes }: FilesParts, parts: readonly FilePart[], expected: string): Promise<void> {
  const hash = createHash('md5');
  for await (const chunk of readParts(parts, bytes)) hash.update(chunk);
  if (hash.digest('hex') !== expected.toLowerCase()) throw invalid('md5', 'is not that of the parts');
}

function fileOf(
  upload: Upload,
  { id, parts, now }: { readonly id: string; readonly parts: readonly FilePart[]; readonly now: number },
): StoredFile {
  const { tenant, key, filename, purpose, bytes, fileSeconds } = upload;
  const createdAt = Math.floor(now / 1_000);
  return { tenant, id, key, filename, purpose, bytes, createdAt, expiresAt: createdAt + fileSeconds, parts };
}
