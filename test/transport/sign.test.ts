/** AWS signatures, against a second implementation. */
import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { describe, expect, test } from 'vitest';
import type { AwsCredentials, HttpRequest } from '../../lib/core/ports.ts';
import { createSigner } from '../../lib/transport/sign.ts';

const credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
};
const session: AwsCredentials = { ...credentials, sessionToken: 'token/with+signs==' };
const scope = { service: 'bedrock', region: 'us-east-1' };

/** The hash that the independent implementation asks for. */
class Sha256 {
  readonly hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.hash = secret === undefined ? createHash('sha256') : createHmac('sha256', toBytes(secret));
  }

  update(chunk: string | ArrayBuffer | ArrayBufferView): void {
    this.hash.update(toBytes(chunk));
  }

  async digest(): Promise<Uint8Array> {
    return this.hash.digest();
  }

  reset(): void {}
}

function toBytes(value: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof value === 'string') return Buffer.from(value);
  return ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Uint8Array(value);
}

/** What AWS's own implementation puts into `authorization` for the same request at the same second. */
async function signIndependently(
  signed: HttpRequest,
  { service, region }: { service: string; region: string },
  identity: AwsCredentials,
): Promise<string | undefined> {
  const { hostname, host, pathname, searchParams, protocol } = new URL(signed.url);
  const { authorization, 'content-type': _type, 'x-amz-security-token': _token, ...headers } = signed.headers;
  const stamp = (headers['x-amz-date'] ?? '').replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5');
  const signer = new SignatureV4({
    service,
    region,
    credentials: identity,
    sha256: Sha256,
    applyChecksum: false,
  });
  const { headers: expected } = await signer.sign(
    {
      method: signed.method,
      protocol,
      hostname,
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: { ...headers, host },
      body: signed.body,
    },
    { signingDate: new Date(stamp) },
  );
  return expected.authorization;
}

describe('a signature', () => {
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
  ])("agrees with AWS's own implementation for %s", async (_name, path) => {
    const request: HttpRequest = {
      method: 'POST',
      url: base + path,
      headers: { 'content-type': 'application/json', 'x-extra': 'a  b' },
      body: '{"text":"grüße 🙂"}',
    };
    for (const identity of [credentials, session]) {
      const signed = await createSigner(async () => identity)(request, scope);
      expect(signed.headers.authorization).toBe(await signIndependently(signed, scope, identity));
    }
  });

  test('covers a request without a body', async () => {
    const request: HttpRequest = { method: 'GET', url: `${base}/foundation-models`, headers: {} };
    const signed = await createSigner(async () => session)(request, scope);
    expect(signed.headers.authorization).toBe(await signIndependently(signed, scope, session));
  });

  test('names the port of a local service', async () => {
    const request: HttpRequest = { method: 'POST', url: 'http://127.0.0.1:8000/', headers: {}, body: '{}' };
    const signed = await createSigner(async () => session)(request, scope);
    expect(signed.headers.authorization).toBe(await signIndependently(signed, scope, session));
  });

  test('changes nothing else of the request, and covers no header that the HTTP client may change', async () => {
    const headers = { 'content-type': 'application/json', 'x-amz-target': 'A.B' };
    const request: HttpRequest = { method: 'POST', url: `${base}/`, headers, body: '{}' };
    const signed = await createSigner(async () => session)(request, scope);
    expect(signed).toEqual({
      ...request,
      headers: {
        ...headers,
        'x-amz-date': expect.stringMatching(/^\d{8}T\d{6}Z$/),
        'x-amz-security-token': 'token/with+signs==',
        authorization: expect.stringContaining(
          'SignedHeaders=host;x-amz-date;x-amz-security-token;x-amz-target,',
        ),
      },
    });
  });

  test('is made with the credentials of the moment', async () => {
    let current: AwsCredentials = credentials;
    const sign = createSigner(async () => current);
    const request: HttpRequest = { method: 'GET', url: `${base}/`, headers: {} };
    await sign(request, scope);
    current = { accessKeyId: 'AKIDOTHER', secretAccessKey: 'another' };
    const signed = await sign(request, scope);
    expect(signed.headers.authorization).toContain('Credential=AKIDOTHER/');
    expect(signed.headers.authorization).toBe(await signIndependently(signed, scope, current));
  });
});
