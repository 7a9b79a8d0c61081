/** The objects of the bucket that Vertex reads requests from and writes answers to. Source: Google Cloud, JSON API of Cloud Storage. */
import { GatewayError } from '../../../core/errors/errors.ts';
import { asArray, asObject } from '../../../core/formats/json-object.ts';
import type { UpstreamFailure } from '../../../core/generation/original/protocol.ts';
import type { BodyStream } from '../../../core/ports/http.ts';
import { readFailure as readGoogleFailure } from '../../../protocols/google-generate-content/failure.ts';
import { asOptionalText, asText } from '../../../protocols/json.ts';
import { expectSuccess, finish, maxListPages, missing, readObject } from '../answers.ts';
import type { BatchAccount } from '../batch-form.ts';

export function objectsIn(account: BatchAccount, bucket: string) {
  const root = account.isSandbox ? `${account.root}/storage` : 'https://storage.googleapis.com';
  const list = `/storage/v1/b/${bucket}/o`;
  const urlOf = (key: string) => `${root}${list}/${encodeURIComponent(key)}`;
  return {
    uri: (key: string) => `gs://${bucket}/${key}`,
    async put(key: string, body: BodyStream): Promise<void> {
      const url = `${root}/upload${list}?uploadType=media&name=${encodeURIComponent(key)}`;
      const headers = { 'content-type': 'application/jsonl' };
      await finish(await account.request('POST', url, { headers, body }), readFailure, []);
    },
    async get(key: string): Promise<AsyncIterable<Uint8Array>> {
      return (await expectSuccess(await account.request('GET', `${urlOf(key)}?alt=media`), readFailure)).body;
    },
    async list(prefix: string): Promise<readonly string[]> {
      const found: string[] = [];
      let token: string | undefined = '';
      for (let page = 0; token !== undefined && page < maxListPages; page += 1) {
        const next = token && `&pageToken=${encodeURIComponent(token)}`;
        const url = `${root}${list}?prefix=${encodeURIComponent(prefix)}${next}`;
        const { items, nextPageToken } = await readObject(await account.request('GET', url), readFailure);
        found.push(...asArray(items).map((item) => asText(asObject(item).name)));
        token = asOptionalText(nextPageToken);
      }
      return found;
    },
    async delete(key: string): Promise<void> {
      await finish(await account.request('DELETE', urlOf(key)), readFailure);
    },
  };
}

/** A bucket that is not there is a matter of the settings. */
function readFailure(failure: UpstreamFailure): GatewayError {
  if (failure.status !== missing) return readGoogleFailure(failure);
  const message = 'The bucket for batches of Vertex cannot be used.';
  return new GatewayError('upstream_credentials', message, { upstreamStatus: missing });
}
