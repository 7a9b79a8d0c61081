/** AWS signatures, against another implementation: of actions of services, and of requests of any form. */
import { hash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AwsCredentials } from '../../lib/core/ports/aws.ts';
import type { HttpRequest } from '../../lib/core/ports/http.ts';
import { createActionSigner, createSigner, isAction } from '../../lib/transport/aws/sign-action.ts';

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

function requestOf({ url, version, target, body }: Record<'url' | 'version' | 'target' | 'body', string>) {
  const headers = { 'content-type': `application/x-amz-json-${version}`, 'x-amz-target': target };
  return { method: 'POST', url, headers, body } satisfies HttpRequest;
}

/** What another implementation puts into `authorization` for the same request at the same second. */
async function signIndependently(
  { method, url, headers: signed, body }: HttpRequest,
  place: { readonly service: string; readonly region: string },
  identity: AwsCredentials,
): Promise<string | null> {
  const { authorization, 'x-amz-date': datetime = '', 'x-amz-security-token': _token, ...headers } = signed;
  const signer = new AwsV4Signer({
    ...identity,
    ...place,
    method,
    url,
    headers,
    body: typeof body === 'string' ? body : null,
    datetime,
    allHeaders: true,
  });
  const { headers: expected } = await signer.sign();
  return expected.get('authorization');
}

describe('the signature of an action', () => {
  test('is that of the other implementation, whatever the request', async () => {
    await fc.assert(
      fc.asyncProperty(request, credentials, scope, time, async (given, identity, place, at) => {
        const plain = requestOf(given);
        expect(isAction(plain)).toBe(true);
        const signed = createActionSigner(() => at)(plain, place, identity);
        expect(signed.headers.authorization).toBe(await signIndependently(signed, place, identity));
      }),
      { numRuns: 300 },
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
        const signed = sign(plain, place, identity);
        expect(signed.headers.authorization).toBe(await signIndependently(signed, place, identity));
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

describe('a signature of a request of any form', () => {
  const plain = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
  const session: AwsCredentials = { ...plain, sessionToken: 'token/with+signs==' };
  const bedrock = { service: 'bedrock', region: 'us-east-1' };
  const base = 'https://bedrock-runtime.us-east-1.amazonaws.com';

  test.each([
    [
      'a model id with an encoded colon',
      '/model/us.anthropic.claude-haiku-4-5-20251001-v1%3A0/converse-stream',
    ],
    ['a model id with a plain colon', '/model/us.anthropic.claude-haiku-4-5-20251001-v1:0/converse'],
    [
      'an encoded resource name',
      '/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ainference-profile%2Fabc/converse',
    ],
    ['odd characters', "/model/a~b!c'd(e)*f/converse"],
    ['a query', '/foundation-models?byProvider=a%20b&byOutputModality=TEXT'],
    ['no path', '/'],
  ])('agrees with another implementation for %s', async (_name, path) => {
    const request: HttpRequest = {
      method: 'POST',
      url: base + path,
      headers: { 'content-type': 'application/json', 'x-extra': 'a  b' },
      body: '{"text":"grüße 🙂"}',
    };
    for (const identity of [plain, session]) {
      const signed = await createSigner(async () => identity)(request, bedrock);
      expect(signed.headers.authorization).toBe(await signIndependently(signed, bedrock, identity));
    }
  });

  test('covers a body of bytes as the same text', async () => {
    const text = '{"text":"grüße 🙂"}';
    const request = { method: 'POST', url: `${base}/model/a/converse`, headers: {} } as const;
    const signed = await createSigner(async () => session)({ ...request, body: Buffer.from(text) }, bedrock);
    const same = { ...signed, body: text };
    expect(signed.headers.authorization).toBe(await signIndependently(same, bedrock, session));
  });

  test('covers a body that is made while it is sent as the same text', async () => {
    const text = '{"text":"grüße 🙂"}';
    const body = {
      byteLength: Buffer.byteLength(text),
      pieces: () => ['{"text":', Buffer.from(text).subarray(8)],
    };
    const request = { method: 'POST', url: `${base}/model/a/converse`, headers: {} } as const;
    const signed = await createSigner(async () => session)({ ...request, body }, bedrock);
    expect(signed.body).toBe(body);
    expect(signed.headers['x-amz-content-sha256']).toBe(hash('sha256', text));
    const same = { ...signed, body: text };
    expect(signed.headers.authorization).toBe(await signIndependently(same, bedrock, session));
  });

  test('covers a request without a body', async () => {
    const request: HttpRequest = { method: 'GET', url: `${base}/foundation-models`, headers: {} };
    const signed = await createSigner(async () => session)(request, bedrock);
    expect(signed.headers.authorization).toBe(await signIndependently(signed, bedrock, session));
  });

  test('names the port of a local service', async () => {
    const request: HttpRequest = { method: 'POST', url: 'http://127.0.0.1:8000/', headers: {}, body: '{}' };
    const signed = await createSigner(async () => session)(request, bedrock);
    expect(signed.headers.authorization).toBe(await signIndependently(signed, bedrock, session));
  });

  test('changes nothing else of the request, and covers every header that it was given', async () => {
    const headers = { 'content-type': 'application/json', 'x-amz-target': 'A.B' };
    const request: HttpRequest = { method: 'POST', url: `${base}/`, headers, body: '{}' };
    const signed = await createSigner(async () => session)(request, bedrock);
    expect(signed).toEqual({
      ...request,
      headers: {
        ...headers,
        'x-amz-date': expect.stringMatching(/^\d{8}T\d{6}Z$/),
        'x-amz-security-token': 'token/with+signs==',
        authorization: expect.stringContaining(
          'SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target,',
        ),
      },
    });
  });

  test('is made with the current credentials', async () => {
    let current: AwsCredentials = plain;
    const sign = createSigner(async () => current);
    const request: HttpRequest = { method: 'GET', url: `${base}/`, headers: {} };
    await sign(request, bedrock);
    current = { accessKeyId: 'AKIDOTHER', secretAccessKey: 'another' };
    const signed = await sign(request, bedrock);
    expect(signed.headers.authorization).toContain('Credential=AKIDOTHER/');
    expect(signed.headers.authorization).toBe(await signIndependently(signed, bedrock, current));
  });
});
