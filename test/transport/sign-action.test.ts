/** The signature of actions of AWS services, against two other implementations. */
import { SignatureV4 } from '@smithy/signature-v4';
import { AwsV4Signer } from 'aws4fetch';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AwsCredentials } from '../../lib/core/ports/aws.ts';
import type { HttpRequest } from '../../lib/core/ports/http.ts';
import { createActionSigner, isAction } from '../../lib/transport/aws/sign-action.ts';
import { Sha256 } from '../../lib/transport/aws/sign-request.ts';

const printable = fc.string({ minLength: 1, maxLength: 60, unit: fc.constantFrom(...visible()) });
/** The other client signs requests to S3 in another way. */
const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,30}$/).filter((name) => name !== 's3');
const credentials = fc.record(
  {
    accessKeyId: fc.stringMatching(/^[A-Z0-9]{4,20}$/),
    secretAccessKey: printable,
    sessionToken: fc.stringMatching(/^[A-Za-z0-9+/=]{1,400}$/),
  },
  { requiredKeys: ['accessKeyId', 'secretAccessKey'] },
);
const host = fc.oneof(
  fc.tuple(word, word).map(([service, region]) => `https://${service}.${region}.amazonaws.com`),
  fc.integer({ min: 1024, max: 65_535 }).map((port) => `http://127.0.0.1:${port}`),
);
const request = fc.record({
  url: host.map((base) => `${base}/`),
  version: fc.constantFrom('1.0', '1.1'),
  target: fc.stringMatching(/^[A-Za-z0-9_.]{1,60}$/),
  body: fc.string({ unit: 'grapheme', maxLength: 400 }),
});
const scope = fc.record({ service: word, region: word });
/** Until the year 9999, in Unix milliseconds. */
const time = fc.integer({ min: 0, max: 253_402_300_799_000 });

function visible(): string[] {
  return Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));
}

function requestOf({
  url,
  version,
  target,
  body,
}: {
  url: string;
  version: string;
  target: string;
  body: string;
}) {
  const headers = { 'content-type': `application/x-amz-json-${version}`, 'x-amz-target': target };
  return { method: 'POST', url, headers, body } satisfies HttpRequest;
}

async function byLibrary(
  { headers, url, body }: ReturnType<typeof requestOf>,
  identity: AwsCredentials,
  { service, region }: { service: string; region: string },
  at: number,
) {
  const { host: name, hostname, protocol } = new URL(url);
  const signer = new SignatureV4({
    credentials: identity,
    service,
    region,
    sha256: Sha256,
    applyChecksum: false,
  });
  const { headers: signed } = await signer.sign(
    { method: 'POST', protocol, hostname, path: '/', headers: { ...headers, host: name }, body },
    { signingDate: new Date(at) },
  );
  return signed.authorization;
}

describe('the signature of an action', () => {
  test('is that of the library, whatever the request', async () => {
    await fc.assert(
      fc.asyncProperty(request, credentials, scope, time, async (given, identity, place, at) => {
        const plain = requestOf(given);
        expect(isAction(plain)).toBe(true);
        const { headers } = createActionSigner(() => at)(plain, place, identity);
        expect(headers.authorization).toBe(await byLibrary(plain, identity, place, at));
      }),
      { numRuns: 300 },
    );
  });

  test('is that of a client of its own', async () => {
    await fc.assert(
      fc.asyncProperty(request, credentials, scope, time, async (given, identity, place, at) => {
        const plain = requestOf(given);
        const { headers } = createActionSigner(() => at)(plain, place, identity);
        const { sessionToken, ...keys } = identity;
        const signer = new AwsV4Signer({
          ...plain,
          ...keys,
          ...place,
          ...(sessionToken !== undefined && { sessionToken }),
          datetime: headers['x-amz-date'] ?? '',
          allHeaders: true,
        });
        const { headers: expected } = await signer.sign();
        expect(headers.authorization).toBe(expected.get('authorization'));
      }),
      { numRuns: 100 },
    );
  });

  test('follows the day, the credentials and the service', async () => {
    let at = Date.UTC(2026, 0, 31, 23, 59, 59);
    const sign = createActionSigner(() => at);
    const plain = requestOf({ url: 'https://a.example/', version: '1.0', target: 'A.B', body: '{}' });
    const first = { accessKeyId: 'FIRST', secretAccessKey: 'one' };
    const second = { accessKeyId: 'SECOND', secretAccessKey: 'two', sessionToken: 'token' };
    for (const identity of [first, second, first]) {
      for (const place of [
        { service: 'dynamodb', region: 'eu-west-1' },
        { service: 'ssm', region: 'eu-west-1' },
      ]) {
        const { headers } = sign(plain, place, identity);
        expect(headers.authorization).toBe(await byLibrary(plain, identity, place, at));
      }
      at += 1_000;
    }
  });
});

describe('what is no action', () => {
  const base = requestOf({ url: 'https://a.example/', version: '1.0', target: 'A.B', body: '{}' });

  test.each<[string, Partial<HttpRequest>]>([
    ['another method', { method: 'GET' }],
    ['a path', { url: 'https://a.example/b/' }],
    ['a port that needs no mention', { url: 'https://a.example:443/' }],
    ['a query', { url: 'https://a.example/?b=/' }],
    ['a body of bytes', { body: Buffer.from('{}') }],
    ['no target', { headers: { 'content-type': 'application/json' } }],
    ['another header', { headers: { ...base.headers, 'x-other': '1' } }],
    ['a header with spaces', { headers: { ...base.headers, 'x-amz-target': 'A  B' } }],
  ])('%s is left to the library', (_name, change) => {
    expect(isAction({ ...base, ...change })).toBe(false);
  });
});
