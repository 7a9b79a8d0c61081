/** The objects of the bucket that Bedrock reads requests from and writes answers to. */
import { hash } from 'node:crypto';
import type { GatewayError } from '../../../core/errors/errors.ts';
import type { UpstreamFailure } from '../../../core/generation/original/protocol.ts';
import type { BodyStream } from '../../../core/ports/http.ts';
import { kindOfStatus, upstreamError } from '../../../protocols/failure.ts';
import { bucketEndpoint } from '../../../transport/aws/aws-endpoints.ts';
import { readBody } from '../../../transport/read-body.ts';
import { expectSuccess, finish, missing } from '../answers.ts';
import type { BatchAccount, BatchRequestOptions } from '../batch-form.ts';

/** S3 requires the hash of the body; that of one that is streamed is the signer's. Source: AmazonS3, sig-v4-header-based-auth. */
const noBody = { 'x-amz-content-sha256': hash('sha256', '') };

/** The keys that begin with a prefix of one job: few. */
const maxListBytes = 1024 * 1024;

/** Keys are of letters, digits and `-_./`. */
export function objectsIn(account: BatchAccount, bucket: string) {
  const endpoint = bucketEndpoint((service) => account.endpointOf(service, account.region), bucket);
  const call = (method: 'DELETE' | 'GET' | 'PUT', path: string, options: BatchRequestOptions) =>
    account.request(method, `${endpoint}/${path}`, { ...options, service: 's3' });
  return {
    uri: (key: string) => `s3://${bucket}/${key}`,
    async put(key: string, body: BodyStream): Promise<void> {
      const headers = { 'content-type': 'application/jsonl' };
      await finish(await call('PUT', key, { headers, body }), readFailure, []);
    },
    async get(key: string): Promise<AsyncIterable<Uint8Array>> {
      return (await expectSuccess(await call('GET', key, { headers: noBody }), readFailure)).body;
    },
    async list(prefix: string): Promise<readonly string[]> {
      const query = `?list-type=2&prefix=${encodeURIComponent(prefix)}`;
      const response = await expectSuccess(await call('GET', query, { headers: noBody }), readFailure);
      const answer = await readBody(response, maxListBytes);
      return Array.from(answer.matchAll(/<Key>([^<]*)<\/Key>/g), ([, key = '']) => key);
    },
    async delete(key: string): Promise<void> {
      await finish(await call('DELETE', key, { headers: noBody }), readFailure, [missing]);
    },
  };
}

/** A bucket that is elsewhere, or not there, is a matter of the settings. */
function readFailure({ status }: UpstreamFailure): GatewayError {
  const isMissing = status === missing || (status >= 300 && status <= 399);
  const kind = isMissing ? 'upstream_credentials' : kindOfStatus(status);
  return upstreamError(kind, { upstreamStatus: status });
}
