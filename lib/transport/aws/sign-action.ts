/**
 * The signature (Version 4) of one form of request: an action of an AWS service with a JSON protocol, posted to `/` with a
 * content type and a target. The database gets nearly all of the gateway's calls in this form. All that changes from call to call
 * is the time, the target and the body, so this takes a small part of what the library's general algorithm does. Source: AWS,
 * IAM user guide, "Create a signed AWS API request".
 */

import { createHmac, hash } from 'node:crypto';
import { lazy } from '../../async/lazy.ts';
import type { AwsCredentials, Sign } from '../../core/ports/aws.ts';
import type { HttpRequest } from '../../core/ports/http.ts';

interface Scope {
  readonly service: string;
  readonly region: string;
}

/** A request of the form. */
type Action = HttpRequest & { readonly body: string };

export function isAction(request: HttpRequest): request is Action {
  const { method, url, headers, body } = request;
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

/** Signs requests of the form. What is the same for a day is kept. `now`: Unix milliseconds. */
export function createActionSigner(now: () => number = Date.now) {
  const dayOf = createDays();
  const timestamp = createTimestamp();
  return (request: Action, scope: Scope, credentials: AwsCredentials): HttpRequest => {
    const { method, url, headers, body } = request;
    const { accessKeyId, sessionToken } = credentials;
    const { 'content-type': type = '', 'x-amz-target': target = '' } = headers;
    const time = timestamp(now());
    const { place, signatureOf } = dayOf(credentials, scope, time.slice(0, 8));
    const token = sessionToken === undefined ? '' : `x-amz-security-token:${sessionToken}\n`;
    const signed = sessionToken === undefined ? plainHeaders : headersWithToken;
    const canonical = `POST\n/\n\ncontent-type:${type}\nhost:${hostOf(url)}\nx-amz-date:${time}\n${token}x-amz-target:${target}\n\n${signed}\n${hash('sha256', body)}`;
    const signature = signatureOf(time, hash('sha256', canonical));
    const sent: Record<string, string> = {
      'content-type': type,
      'x-amz-target': target,
      'x-amz-date': time,
      authorization: `${algorithm} Credential=${accessKeyId}/${place}, SignedHeaders=${signed}, Signature=${signature}`,
    };
    if (sessionToken !== undefined) sent['x-amz-security-token'] = sessionToken;
    return { method, url, headers: sent, body };
  };
}

const algorithm = 'AWS4-HMAC-SHA256';
const plainHeaders = 'content-type;host;x-amz-date;x-amz-target';
const headersWithToken = 'content-type;host;x-amz-date;x-amz-security-token;x-amz-target';

const hostOf = (url: string): string => url.slice(url.indexOf('//') + 2, -1);

/** Writes the time as `20260131T235959Z`. That of the last second is kept. */
function createTimestamp(): (ms: number) => string {
  let second = Number.NaN;
  let text = '';
  return (ms) => {
    const current = Math.floor(ms / 1000);
    if (current !== second) {
      second = current;
      text = `${new Date(current * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
    }
    return text;
  };
}

/** What signatures of one day, service and secret have in common. */
interface Day {
  readonly day: string;
  readonly secret: string;
  /** The scope, as it is signed. */
  readonly place: string;
  /** In hex; `hashed`: of the canonical request, in hex. */
  readonly signatureOf: (time: string, hashed: string) => string;
}

/** The day of each service that is called. Another secret, or another day, takes the place of the one before. */
function createDays() {
  const known = new Map<string, Day>();
  return ({ secretAccessKey: secret }: AwsCredentials, { service, region }: Scope, day: string): Day => {
    const name = `${region}/${service}`;
    const found = known.get(name);
    if (found?.day === day && found.secret === secret) return found;
    const place = `${day}/${name}/aws4_request`;
    const key = [day, region, service, 'aws4_request'].reduce(
      (last, part) => createHmac('sha256', last).update(part).digest(),
      Buffer.from(`AWS4${secret}`),
    );
    const created = { day, secret, place, signatureOf: createSignatureOf(key, place) };
    known.set(name, created);
    return created;
  };
}

/**
 * The HMAC (RFC 2104) of a text of which only the time and a hash change from call to call, so the rest is written once. Node's own
 * makes an object for each, and takes more than twice the time.
 */
function createSignatureOf(key: Buffer, place: string): Day['signatureOf'] {
  const text = Buffer.from(`${algorithm}\n${'t'.repeat(16)}\n${place}\n${'h'.repeat(64)}`);
  const inner = Buffer.concat([padded(key, 0x36), text]);
  const outer = Buffer.concat([padded(key, 0x5c), Buffer.alloc(32)]);
  const timeAt = blockBytes + algorithm.length + 1;
  const hashAt = inner.length - 64;
  return (time, hashed) => {
    inner.write(time, timeAt, 'latin1');
    inner.write(hashed, hashAt, 'latin1');
    outer.write(hash('sha256', inner), blockBytes, 'hex');
    return hash('sha256', outer);
  };
}

/** Of SHA-256. A key of a day is shorter. */
const blockBytes = 64;

function padded(key: Buffer, pad: number): Buffer {
  const block = Buffer.alloc(blockBytes, pad);
  for (const [index, byte] of key.entries()) block[index] = byte ^ pad;
  return block;
}

/**
 * Signs with the current credentials. Rejects with the error of `credentials`. Calls of the database have a short way of their
 * own; few functions sign anything else, and what does is loaded with the first such request.
 */
export function createSigner(credentials: () => Promise<AwsCredentials>): Sign {
  const signAction = createActionSigner();
  const requestSigner = lazy(async () => {
    const { createRequestSigner } = await import('./sign-request.ts');
    return createRequestSigner(credentials);
  });
  return async (request, scope) => {
    if (isAction(request)) return signAction(request, scope, await credentials());
    return (await requestSigner())(request, scope);
  };
}
