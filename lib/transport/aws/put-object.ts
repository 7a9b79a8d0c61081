/** Writes objects of a bucket of S3 with signed requests. */
import { createHash } from 'node:crypto';
import { isShortName } from '../../core/errors/failure-fields.ts';
import { AwsError, type PutObject, type Sign } from '../../core/ports/aws.ts';
import type { HttpRequest, Send, Timeouts } from '../../core/ports/http.ts';
import { readBody } from '../read-body.ts';
import { attemptCall } from './aws-call.ts';

const named = { service: 's3', action: 'PutObject' };

interface PutObjectOptions {
  readonly send: Send;
  readonly sign: Sign;
  readonly region: string;
  /** Of the bucket. */
  readonly endpoint: string;
}

/** The first byte of the answer comes when the whole object has arrived and is stored. */
const putTimeouts: Timeouts = { connectMs: 1_000, firstByteMs: 30_000, idleMs: 30_000 };
const maxPutAnswer = 64 * 1024;

/** Makes up to three attempts for transient errors, as other calls of AWS. */
export function createPutObject(options: PutObjectOptions): PutObject {
  return async ({ key, contentType, body }) => {
    const request: HttpRequest = {
      method: 'PUT',
      url: new URL(`${options.endpoint}/${key}`).href,
      headers: {
        'content-type': contentType,
        // S3 requires it, and refuses a body that arrives damaged.
        // Source: AmazonS3/latest/API/sig-v4-header-based-auth.html
        'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
      },
      body,
    };
    await attemptCall(named, () => putOnce(options, request));
  };
}

async function putOnce({ send, sign, region }: PutObjectOptions, request: HttpRequest): Promise<void> {
  const response = await send(await sign(request, { service: 's3', region }), { timeouts: putTimeouts });
  const answer = await readBody(response, maxPutAnswer);
  if (response.status !== 200) {
    throw new AwsError(nameOf(answer), element(answer, 'Message') ?? '', response.status, named);
  }
}

function nameOf(answer: string): string {
  const code = element(answer, 'Code');
  return isShortName(code) ? code : 'UnknownError';
}

/** The text of an element of an error, which is XML. */
const element = (xml: string, name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
