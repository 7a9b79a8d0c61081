/** The operations of one process share what they know of keys and models. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chatChunk } from '../harness/chat-answers.ts';
import { startServedGateway } from '../harness/gateways/served-gateway.ts';
import { postJson } from '../harness/post.ts';
import { answerEvents } from '../harness/upstream.ts';
import { use } from '../harness/use.ts';

let watch: Server;
const reads: string[] = [];

const gateway = use(() => startServedGateway());
beforeAll(async () => {
  watch = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request));
    const action = String(request.headers['x-amz-target']).replace(/.*\./, '');
    if (/Get/.test(action)) reads.push(body.toString());
    const headers = {
      ...request.headers,
      host: undefined,
      connection: undefined,
      'content-length': undefined,
    };
    const given = Object.entries(headers).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    const answer = await fetch(gateway.database.endpoint, { method: 'POST', headers: given, body });
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(await answer.text());
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => watch.once('listening', resolve));
});
afterAll(async () => {
  watch?.close();
  watch?.closeAllConnections();
});

test('what one operation has read, no other reads again', async () => {
  const { port } = watch.address() as AddressInfo;
  const server = await gateway.serve({ DYNAMODB_ENDPOINT: `http://127.0.0.1:${port}` });
  gateway.upstream.script(
    answerEvents([chatChunk({ role: 'assistant', content: 'word' }), chatChunk({}, 'stop')]),
  );
  const post = async (path: string, body: object) => {
    const response = await postJson(`${server.url}${path}`, gateway.apiKey, {
      model: 'served/model',
      stream: true,
      ...body,
    });
    expect([response.status, (await response.text()).includes('word')]).toEqual([200, true]);
  };
  const messages = [{ role: 'user', content: 'Say the word.' }];
  await post('/v1/chat/completions', { messages });
  expect(reads.length).toBeGreaterThan(0);
  reads.length = 0;
  await post('/v1/messages', { messages, max_tokens: 10 });
  await post('/v1/responses', { input: 'Say the word.', store: false });
  expect(reads).toEqual([]);
});
