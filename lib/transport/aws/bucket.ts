/** Objects of a bucket of S3, with signed requests. */
import { hash } from 'node:crypto';
import { isShortName } from '../../core/errors/failure-fields.ts';
import type { ByteRange } from '../../core/files.ts';
import { AwsError, type Bucket, type Sign } from '../../core/ports/aws.ts';
import type { HttpRequest, HttpResponse, Send, Timeouts } from '../../core/ports/http.ts';
import { readBody } from '../read-body.ts';
import { attemptCall } from './aws-call.ts';

interface BucketOptions {
  readonly send: Send;
  readonly sign: Sign;
  readonly region: string;
  /** Of the bucket. */
  readonly endpoint: string;
}

interface ObjectRequest {
  readonly method: 'DELETE' | 'GET' | 'PUT';
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** The first byte of the answer to a PUT comes when the whole object has arrived and is stored. */
const timeouts: Timeouts = { connectMs: 1_000, firstByteMs: 30_000, idleMs: 30_000 };
const maxAnswer = 64 * 1024;

/** Makes up to three attempts for transient errors, as other calls of AWS. */
export function createBucket({ send, sign, region, endpoint }: BucketOptions): Bucket {
  const sendOnce = async (request: HttpRequest, action: string): Promise<HttpResponse> => {
    const response = await send(await sign(request, { service: 's3', region }), { timeouts });
    if (response.status < 300) return response;
    const answer = await readBody(response, maxAnswer);
    const call = { service: 's3', action };
    throw new AwsError(nameOf(answer), element(answer, 'Message') ?? '', response.status, call);
  };
  const call = async (action: string, { method, key, headers = {}, body }: ObjectRequest) => {
    const request: HttpRequest = {
      method,
      url: new URL(`${endpoint}/${key}`).href,
      headers: {
        ...headers,
        // S3 requires it, and refuses a body that arrives damaged.
        // Source: AmazonS3/latest/API/sig-v4-header-based-auth.html
        'x-amz-content-sha256': hash('sha256', body ?? ''),
      },
      ...(body !== undefined && { body }),
    };
    return await attemptCall({ service: 's3', action }, () => sendOnce(request, action));
  };
  return {
    async put({ key, contentType, body }) {
      const headers = { 'content-type': contentType };
      await readBody(await call('PutObject', { method: 'PUT', key, headers, body }), maxAnswer);
    },
    async *get(key, range) {
      const headers = range ? { range: rangeOf(range) } : {};
      yield* (await call('GetObject', { method: 'GET', key, headers })).body;
    },
    async delete(key) {
      await readBody(await call('DeleteObject', { method: 'DELETE', key }), maxAnswer);
    },
  };
}

/** Its end is included. */
const rangeOf = ({ start, end }: ByteRange) => `bytes=${start}-${Number.isFinite(end) ? end - 1 : ''}`;

function nameOf(answer: string): string {
  const code = element(answer, 'Code');
  return isShortName(code) ? code : 'UnknownError';
}

/** The text of an element of an error, which is XML. */
const element = (xml: string, name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
