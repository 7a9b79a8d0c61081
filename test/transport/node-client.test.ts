/** The client over Node's own HTTP where it differs from the other one: how it comes by a TLS connection. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { expect, onTestFinished, test } from 'vitest';
import { createNodeClient } from '../../lib/transport/http-client/node-client.ts';
import { readBody } from '../../lib/transport/read-body.ts';
import { calm, failureOf, listen } from './upstream.ts';

const certificate = readFileSync(new URL('test-only-certificate.pem', import.meta.url));

/** An https server on loopback that gives back what it is sent. */
function startEcho() {
  const server = createServer({ key: certificate, cert: certificate }, (request, response) => {
    request.pipe(response);
  });
  return listen(server);
}

function createClient(...options: Parameters<typeof createNodeClient>) {
  const client = createNodeClient(...options);
  onTestFinished(() => client.close());
  return client;
}

const post = (port: number) =>
  ({ method: 'POST', url: `https://127.0.0.1:${port}/`, headers: {}, body: 'grüße' }) as const;

test('requests over TLS are answered, and use the connection of the one before', async () => {
  const { port, sockets } = await startEcho();
  const { send } = createClient({ ca: certificate });
  for (let count = 0; count < 3; count += 1) {
    const response = await send(post(port), { timeouts: calm });
    expect([response.status, await readBody(response, 100)]).toEqual([200, 'grüße']);
  }
  expect(sockets).toHaveLength(1);
});

test('a server with an untrusted certificate gets no request', async () => {
  const { port } = await startEcho();
  const error = await failureOf(createClient().send(post(port), { timeouts: calm }));
  expect(error).toMatchObject({ kind: 'upstream_unreachable' });
});
