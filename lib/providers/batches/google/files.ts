/** The Files API of the Gemini API: files of rows are uploaded in parts, read and deleted. Source: ai.google.dev, "Files API". */
import { asObject } from '../../../core/formats/json-object.ts';
import type { BodyStream } from '../../../core/ports/http.ts';
import { readFailure } from '../../../protocols/google-generate-content/failure.ts';
import { asText } from '../../../protocols/json.ts';
import { expectSuccess, finish, idIn, missing, readObject } from '../answers.ts';
import type { BatchAccount } from '../batch-form.ts';

/** Each part but the last is a multiple of 256 KB. This is what Google's own clients send. Source: @google/genai, `uploadBlob`. */
const partBytes = 8 * 1024 * 1024;

/** Resolves with the name that Google gives the file, such as `files/abc`. */
export async function upload(account: BatchAccount, displayName: string, body: BodyStream): Promise<string> {
  const url = await beginUpload(account, displayName, body.byteLength);
  let offset = 0;
  for await (const part of partsOf(body)) {
    const isLast = offset + part.length >= body.byteLength;
    const response = await account.request('POST', url, {
      headers: {
        'x-goog-upload-command': isLast ? 'upload, finalize' : 'upload',
        'x-goog-upload-offset': `${offset}`,
      },
      body: part,
    });
    offset += part.length;
    if (isLast) return named(asObject((await readObject(response, readFailure)).file).name);
    await finish(response, readFailure, []);
  }
  return idIn(undefined);
}

async function beginUpload(account: BatchAccount, displayName: string, bytes: number): Promise<string> {
  const response = await account.request('POST', uploadUrl(account, '/files'), {
    headers: {
      'content-type': 'application/json',
      'x-goog-upload-protocol': 'resumable',
      'x-goog-upload-command': 'start',
      'x-goog-upload-header-content-length': `${bytes}`,
      'x-goog-upload-header-content-type': 'application/jsonl',
    },
    body: JSON.stringify({ file: { display_name: displayName } }),
  });
  await finish(response, readFailure, []);
  const given = URL.parse(idIn(response.headers['x-goog-upload-url']));
  // Only what is behind the host counts: the key goes nowhere else, and a proxy stays in between.
  const [, path] = /\/upload\/[^/]+(\/.*)$/.exec(given?.pathname ?? '') ?? [];
  return uploadUrl(account, `${idIn(path)}${given?.search}`);
}

/** Uploads are beside the API, below the same version. */
const uploadUrl = ({ root }: BatchAccount, path: string): string =>
  `${root.replace(/\/([^/]+)$/, '/upload/$1')}${path}`;

async function* partsOf(body: BodyStream): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body.pieces()) {
    const bytes = Buffer.from(piece);
    held.push(bytes);
    length += bytes.length;
    while (length > partBytes) {
      const all = Buffer.concat(held);
      yield all.subarray(0, partBytes);
      held = [all.subarray(partBytes)];
      length -= partBytes;
    }
  }
  yield Buffer.concat(held);
}

/** The bytes of a file, as they arrive. */
export async function download(account: BatchAccount, name: string): Promise<AsyncIterable<Uint8Array>> {
  const response = await account.request('GET', `/${named(name)}:download?alt=media`);
  return (await expectSuccess(response, readFailure)).body;
}

/** A file that is gone is 403 here. One with results cannot be deleted: its name is too long for the method, which is 400. It goes by itself after 48 hours. */
// Source: googleapis/python-genai issues 1613 and 1759.
const cannotBeDeleted = [400, 403, missing];

export async function deleteFile(account: BatchAccount, name: string): Promise<void> {
  await finish(await account.request('DELETE', `/${named(name)}`), readFailure, cannotBeDeleted);
}

/** The name of a file or a batch: it becomes part of a path. */
export function named(name: unknown): string {
  return idIn(/^(?:files|batches)\/[\w-]{1,100}$/.exec(asText(name))?.[0]);
}
