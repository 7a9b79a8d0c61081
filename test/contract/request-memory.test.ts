/**
 * The most memory that a function takes for the largest requests, under the real Lambda runtime client: below its memory size.
 *
 * On AWS the limit of Lambda holds: an event of 6 MB, of which the body is a JSON text. API Gateway takes 10 MB, as the local
 * gateway does, and these bodies have. Source: AWS Lambda developer guide, "Lambda quotas", and API Gateway developer guide,
 * "Quotas for configuring and running a REST API" (payload size).
 */

import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildBundles } from '../../build/build.ts';
import type { OperationName } from '../../lib/core/operations.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { type LocalDatabase, startDatabase } from '../../local/database.ts';
import { setGatewayEnvironment } from '../harness/gateways/environment.ts';
import { type LambdaEngine, startLambdaEngine } from '../harness/lambda/engine.ts';
import { operationEvent } from '../harness/lambda/event.ts';
import { databaseEnvironment } from '../harness/lambda/use-bundle.ts';
import { putModels } from '../harness/matrix/catalog.ts';
import { startUpstream, type Upstream } from '../harness/upstream.ts';

const megabyte = 1024 * 1024;

/** The default of `memory` in infra/settings/settings.ts, in bytes. */
const memorySize = 512 * megabyte;
/** Lambda counts more than this process. */
const reserve = 32 * megabyte;

const certificate = fileURLToPath(new URL('../transport/test-only-certificate.pem', import.meta.url));
const image = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(megabyte - 100)]);

let directory: string;
let database: LocalDatabase;
let upstream: Upstream;
let media: Server;
let apiKey: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'memory-'));
  const key = readFileSync(certificate);
  media = createServer({ key, cert: key }, (_request, response) => response.end(image));
  [database, upstream] = await Promise.all([
    startDatabase({ dataDirectory: directory }),
    startUpstream(),
    buildBundles(
      {
        'chat-completions': 'test/harness/lambda/functions/chat-with-media.ts',
        responses: 'functions/responses.ts',
      },
      directory,
    ),
    new Promise<void>((resolve) => media.listen(0, '127.0.0.1', resolve)),
  ]);
  setGatewayEnvironment({ DYNAMODB_ENDPOINT: database.endpoint });
  await putModels({
    [first]: [{ provider: 'moonshot', upstreamId: 'first' }],
    [fallback]: [{ provider: 'google', upstreamId: 'fallback' }],
  });
  apiKey = (await createKeyStore({ call: database.call, table: 'access' }).create({ tenant: 'acme' })).secret;
});

afterAll(async () => {
  await upstream?.close();
  await database?.close();
  media?.closeAllConnections();
  media?.close();
  await rm(directory, { recursive: true, force: true });
});

const portOf = () => (media.address() as AddressInfo).port;

const startEngine = (name: OperationName): Promise<LambdaEngine> =>
  startLambdaEngine({
    bundle: join(directory, name, 'index.mjs'),
    environment: {
      ...databaseEnvironment(database.endpoint),
      MOONSHOT_API_KEY: 'a-provider-key',
      MOONSHOT_UPSTREAM_URL: upstream.url,
      GOOGLE_API_KEY: 'a-provider-key',
      GOOGLE_UPSTREAM_URL: upstream.url,
      MEDIA_PORT: String(portOf()),
      MEDIA_CERTIFICATE: certificate,
    },
  });

type Ask = (body: object) => Promise<Record<string, unknown>>;

/** The peak of a new process that answers requests, in bytes. */
async function peakOf(name: OperationName, work: (ask: Ask) => Promise<unknown>): Promise<number> {
  const engine = await startEngine(name);
  try {
    await work(async (body) => {
      const { prelude, chunks } = await engine.invoke(operationEvent(name, { bearer: apiKey, body }));
      const text = Buffer.concat((await Array.fromAsync(chunks)).map(({ data }) => data)).toString();
      expect([prelude?.statusCode, text.slice(0, 300)]).toEqual([200, expect.any(String)]);
      return JSON.parse(text);
    });
    const status = readFileSync(`/proc/${engine.pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1024;
  } finally {
    await engine.close();
  }
}

const first = 'memory/first';
const fallback = 'memory/fallback';

const textOf = (bytes: number, words: string) => words.repeat(Math.floor(bytes / Buffer.byteLength(words)));
const pictureOf = (bytes: number) => `data:image/png;base64,${randomBytes(bytes).toString('base64')}`;

const imagesAt = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    type: 'image_url',
    image_url: { url: `https://images.test:${portOf()}/${index}.png` },
  }));

/** No text is Latin: that would double what is in memory as one text. */
const content = () => [{ type: 'text', text: textOf(9.8 * megabyte, 'zu lesen – ') }, ...imagesAt(20)];

describe.runIf(existsSync('/proc/self/status'))('the memory size of a function is enough', () => {
  test('for a chat of 10 MB with 20 MB of images by URL, tried twice and sent to a fallback', async () => {
    upstream.script((request, response) => answerAt(request.path, 503, response));
    const body = { model: first, models: [fallback], messages: [{ role: 'user', content: content() }] };
    const peak = await peakOf('chat-completions', async (ask) => {
      await ask(body);
      await ask(body);
    });
    expect(upstream.requests).toHaveLength(6);
    expect(peak).toBeLessThan(memorySize - reserve);
  }, 60_000);

  test('for a stored conversation of nearly 8 MB, and a follow-up to it with 10 MB more', async () => {
    upstream.script((request, response) => answerAt(request.path, 200, response));
    const picture = (bytes: number) => ({
      role: 'user',
      content: [{ type: 'input_image', image_url: pictureOf(bytes) }],
    });
    const peak = await peakOf('responses', async (ask) => {
      const stored = await ask({ model: first, input: [picture(5.9 * megabyte)] });
      const again = await ask({ model: first, input: 'And now?', previous_response_id: stored.id });
      expect([stored.store, again.store]).toEqual([true, true]);
      const more = { input: [picture(7.3 * megabyte)], previous_response_id: again.id, store: false };
      await ask({ model: first, ...more });
    });
    expect(peak).toBeLessThan(memorySize - reserve);
  }, 60_000);
});

/** Gemini answers; the other protocol does with this status. */
function answerAt(path: string, status: number, response: ServerResponse): void {
  const isGemini = path.includes('generateContent');
  response.writeHead(isGemini ? 200 : status, { 'content-type': 'application/json' });
  const message = { role: 'assistant', content: 'Yes.' };
  const bodies = {
    gemini: { candidates: [{ content: { role: 'model', parts: [{ text: 'Yes.' }] }, finishReason: 'STOP' }] },
    chat: { choices: [{ index: 0, message, finish_reason: 'stop' }] },
    failure: { error: { message: 'Busy.' } },
  };
  response.end(JSON.stringify(isGemini ? bodies.gemini : status === 200 ? bodies.chat : bodies.failure));
}
