/** AWS signatures, against a second implementation. */
import { AwsV4Signer } from 'aws4fetch';
import { describe, expect, test } from 'vitest';
import type { AwsCredentials } from '../../lib/core/ports/aws.ts';
import type { HttpRequest } from '../../lib/core/ports/http.ts';
import { createSigner } from '../../lib/transport/aws/sign-action.ts';

const credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
};
const session: AwsCredentials = { ...credentials, sessionToken: 'token/with+signs==' };
const scope = { service: 'bedrock', region: 'us-east-1' };

/** What another implementation puts into `authorization` for the same request at the same second. */
async function signIndependently(
  { method, url, headers: signed, body }: HttpRequest,
  scope: { service: string; region: string },
  identity: AwsCredentials,
): Promise<string | null> {
  const { authorization, 'x-amz-date': datetime = '', 'x-amz-security-token': _token, ...headers } = signed;
  const signer = new AwsV4Signer({
    ...identity,
    ...scope,
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
  ])('agrees with another implementation for %s', async (_name, path) => {
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

  test('covers a body of bytes as the same text', async () => {
    const text = '{"text":"grüße 🙂"}';
    const request = { method: 'POST', url: `${base}/model/a/converse`, headers: {} } as const;
    const signed = await createSigner(async () => session)({ ...request, body: Buffer.from(text) }, scope);
    const same = { ...signed, body: text };
    expect(signed.headers.authorization).toBe(await signIndependently(same, scope, session));
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

  test('changes nothing else of the request, and covers every header that it was given', async () => {
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
          'SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target,',
        ),
      },
    });
  });

  test('is made with the current credentials', async () => {
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
