/**
 * The built bundle under the real Lambda runtime client: what leaves the function, when it leaves, and that the
 * environment outlives an upstream that breaks off.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildAll } from '../../infra/build.ts';
import { seedCatalog } from '../../infra/catalog/seed.ts';
import { type LocalDatabase, startDatabase } from '../../infra/local/database.ts';
import { operationNamed } from '../../lib/core/operations.ts';
import { createAccessStore } from '../../lib/stores/access.ts';
import { createCatalogStore } from '../../lib/stores/catalog.ts';
import { readChatStream } from '../harness/chat-stream.ts';
import { type LambdaEngine, startLambdaEngine } from '../harness/lambda/engine.ts';
import { startUpstream, type Upstream } from '../harness/upstream.ts';

let directory: string;
let database: LocalDatabase;
let upstream: Upstream;
let engine: LambdaEngine;
let apiKey: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lambda-'));
  const bundles = join(directory, 'dist');
  [database, upstream] = await Promise.all([
    startDatabase({ dataDirectory: directory }),
    startUpstream(),
    buildAll(bundles),
  ]);
  const { call, endpoint } = database;
  await seedCatalog(createCatalogStore({ call, table: 'catalog' }));
  apiKey = (await createAccessStore({ call, table: 'access' }).create({ tenant: 'acme' })).secret;
  engine = await startLambdaEngine({
    bundle: join(bundles, 'chat-completions/index.mjs'),
    environment: {
      CATALOG_TABLE: 'catalog',
      ACCESS_TABLE: 'access',
      DYNAMODB_ENDPOINT: endpoint,
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      OPENAI_API_KEY: 'a-provider-key',
      OPENAI_UPSTREAM_URL: upstream.url,
    },
  });
});

afterAll(async () => {
  await engine?.close();
  await upstream?.close();
  await database?.close();
  await rm(directory, { recursive: true, force: true });
});

async function ask(body: object) {
  const event = {
    ...eventTemplate,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'openai/gpt-4.1',
      messages: [{ role: 'user', content: 'Hello' }],
      ...body,
    }),
  };
  const answer = await engine.invoke(event);
  const chunks = await Array.fromAsync(answer.chunks);
  return { answer, chunks, text: Buffer.concat(chunks.map(({ data }) => data)).toString() };
}

const eventTemplate = {
  resource: operationNamed('chat-completions').path,
  path: operationNamed('chat-completions').path,
  httpMethod: 'POST',
  queryStringParameters: null,
  requestContext: { requestId: 'request-1' },
  isBase64Encoded: false,
};

const piece = (content: string, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;

test('a whole answer has its status and headers in the prelude', async () => {
  upstream.script((_request, response) => {
    const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }];
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices }));
  });
  const { answer, text } = await ask({});
  expect(answer.contentType).toBe('application/vnd.awslambda.http-integration-response');
  expect(answer.prelude).toEqual({
    statusCode: 200,
    headers: { 'x-request-id': 'request-1', 'content-type': 'application/json' },
  });
  expect(JSON.parse(text).choices[0].message.content).toBe('Hi.');
});

test('a stream leaves piece by piece, as upstream sends it', async () => {
  const pauseMs = 120;
  upstream.script(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const word of ['one ', 'two ', 'three ', 'four ', 'five ']) {
      response.write(piece(word));
      await sleep(pauseMs);
    }
    response.end(`${piece('', 'stop')}data: [DONE]\n\n`);
  });
  const { answer, chunks, text } = await ask({ stream: true });
  expect(answer.prelude).toMatchObject({ statusCode: 200, headers: { 'content-type': 'text/event-stream' } });
  expect(readChatStream(text).choices.get(0)?.content).toBe('one two three four five ');
  const arrivals = chunks.map(({ at }) => at);
  const spread = (arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0);
  expect(new Set(arrivals.map((at) => Math.round(at / 20))).size).toBeGreaterThanOrEqual(5);
  expect(spread).toBeGreaterThan(pauseMs * 2.5);
});

test('an upstream that breaks off is told in the stream, and the environment lives on', async () => {
  const { pid } = engine;
  upstream.script(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(piece('half an '));
    await sleep(50);
    response.destroy();
  });
  const { answer, text } = await ask({ stream: true });
  const seen = readChatStream(text);
  expect(seen.choices.get(0)?.content).toBe('half an ');
  expect(seen.error).toMatchObject({ type: 'api_error', code: 'provider_stream_cut' });
  expect(answer.trailers()).toEqual({});
  expect([engine.alive(), engine.pid]).toEqual([true, pid]);
  upstream.script((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`${piece('whole', 'stop')}data: [DONE]\n\n`);
  });
  expect(readChatStream((await ask({ stream: true })).text).choices.get(0)?.content).toBe('whole');
});

test('an error is an answer, not a failure of the function', async () => {
  const { answer, text } = await ask({ temperature: 9 });
  expect(answer.prelude).toMatchObject({ statusCode: 400 });
  expect(JSON.parse(text).error.param).toBe('temperature');
});
