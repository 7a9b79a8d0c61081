/**
 * The signature (Version 4) of one form of request: an action of an AWS service with a JSON protocol, posted to `/` with a
 * content type and a target. The database gets nearly all of the gateway's calls in this form. All that changes from call to call
 * is the time, the target and the body, so this takes a small part of what the library's general algorithm does. Source: AWS,
 * IAM user guide, "Create a signed AWS API request".
 */
import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import type { AwsCredentials } from '../core/ports/aws.ts';
import type { HttpRequest } from '../core/ports/http.ts';

interface Scope {
  readonly service: string;
  readonly region: string;
}

/** Whether a request has the form. */
export function isAction({ method, url, headers, body }: HttpRequest): boolean {
  const names = Object.keys(headers);
  return (
    method === 'POST' &&
    typeof body === 'string' &&
    plainUrl.test(url) &&
    names.length === 2 &&
    names.every((name) => name === 'content-type' || name === 'x-amz-target') &&
    names.every((name) => plainValue.test(headers[name] ?? ''))
  );
}

/** A host, and no path. The port that a scheme has by itself is not part of the host that is signed. */
const plainUrl = /^https?:\/\/[a-z0-9.-]+(?::(?!(?:80|443)\/)\d+)?\/$/;

/** A value that the canonical form leaves as it is. */
const plainValue = /^[\x21-\x7e]+$/;

/** Signs requests of the form. The key of a day is kept. `now`: Unix milliseconds. */
export function createActionSigner(now: () => number = Date.now) {
  const keyOf = createDayKeys();
  return (request: HttpRequest, scope: Scope, credentials: AwsCredentials): HttpRequest => {
    const { url, headers, body = '' } = request;
    const { accessKeyId, sessionToken } = credentials;
    const time = timestamp(now());
    const day = time.slice(0, 8);
    const place = `${day}/${scope.region}/${scope.service}/aws4_request`;
    const signed = `content-type;host;x-amz-date${sessionToken === undefined ? '' : ';x-amz-security-token'};x-amz-target`;
    const token = sessionToken === undefined ? '' : `x-amz-security-token:${sessionToken}\n`;
    const canonical = `POST\n/\n\ncontent-type:${headers['content-type']}\nhost:${hostOf(url)}\nx-amz-date:${time}\n${token}x-amz-target:${headers['x-amz-target']}\n\n${signed}\n${hash('sha256', body)}`;
    const text = `AWS4-HMAC-SHA256\n${time}\n${place}\n${hash('sha256', canonical)}`;
    const signature = createHmac('sha256', keyOf(credentials, scope, day))
      .update(text)
      .digest('hex');
    return {
      ...request,
      headers: {
        ...headers,
        'x-amz-date': time,
        ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
        authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${place}, SignedHeaders=${signed}, Signature=${signature}`,
      },
    };
  };
}

const hostOf = (url: string): string => url.slice(url.indexOf('//') + 2, -1);

/** Of this second: `20260131T235959Z`. */
const timestamp = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

interface DayKey {
  readonly secret: string;
  readonly day: string;
  readonly key: KeyObject;
}

/** The key of a day for each service that is called. Another secret, or another day, takes the place of the one before. */
function createDayKeys() {
  const known = new Map<string, DayKey>();
  return (
    { secretAccessKey: secret }: AwsCredentials,
    { service, region }: Scope,
    day: string,
  ): KeyObject => {
    const name = `${region}/${service}`;
    const found = known.get(name);
    if (found?.day === day && found.secret === secret) return found.key;
    const derived = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
      (key, part) => createHmac('sha256', key).update(part).digest(),
      `AWS4${secret}`,
    );
    const key = createSecretKey(Buffer.from(derived));
    known.set(name, { secret, day, key });
    return key;
  };
}
