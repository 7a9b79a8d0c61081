/** The token of a service account at the sandbox of Vertex: what the gateway sends is taken, and nothing else. */
import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { createFindToken } from '../../lib/providers/google-vertex/token.ts';
import { answerWith, type SandboxRequest } from '../../sandbox/exchange.ts';
import { vertexHandler } from '../../sandbox/vertex/handler.ts';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const client_email = 'gateway@theirs.iam.example';

const answer = (text: string) => {
  const request: SandboxRequest = {
    provider: 'google-vertex',
    method: 'POST',
    path: '/token',
    query: new URLSearchParams(),
    headers: {},
    body: undefined,
    bytes: Buffer.from(text),
  };
  return answerWith(vertexHandler, request);
};

test('a claim that is whole gets a token', async () => {
  const find = createFindToken({
    url: 'http://sandbox/token',
    now: Date.now,
    async send({ url, body }) {
      expect(url).toBe('http://sandbox/token');
      const { status, headers, chunks } = answer(String(body));
      return {
        status,
        headers,
        body: (async function* () {
          yield* chunks.map((chunk) => Buffer.from(chunk));
        })(),
      };
    },
  });
  expect(await find(JSON.stringify({ client_email, private_key: privateKey }))).toBe(
    `sandbox ${client_email}`,
  );
});

test.each([
  '',
  'grant_type=password',
  'grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer&assertion=a.b.c',
])('anything else is refused: %s', (text) => {
  expect(answer(text).status).toBe(400);
});
