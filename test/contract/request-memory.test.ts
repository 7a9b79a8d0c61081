/**
 * The most memory that a function takes for the largest requests and answers, under the real Lambda runtime client with Lambda's flags: below its
 * memory size. A process answers several of them, one after the other.
 *
 * An event has at most 6 MB, of which the body is a JSON text; what is in memory is compared as the kernel counts it, with the pages of
 * the program. Source: AWS Lambda developer guide, "Lambda quotas" (invocation payload).
 */

import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
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
import { newDirectory } from '../harness/new-directory.ts';
import { startUpstream, type Upstream, writePiece } from '../harness/upstream.ts';

const megabyte = 1024 * 1024;

/** The default of `memory` in infra/settings/settings.ts, in bytes. */
const memorySize = 256 * megabyte;
/** Lambda counts more than this process. */
const reserve = 32 * megabyte;

const certificate = fileURLToPath(new URL('../transport/test-only-certificate.pem', import.meta.url));
/** Lambda's limit of an event, in bytes. */
const maxEvent = 6 * megabyte;
const imageOf = (bytes: number) =>
  Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(bytes)]);
const image = imageOf(megabyte - 100);
const document = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(19.9 * megabyte)]);

const directory = newDirectory();
let database: LocalDatabase;
let upstream: Upstream;
let media: Server;
let apiKey: string;

beforeAll(async () => {
  const key = readFileSync(certificate);
  media = createServer({ key, cert: key }, ({ url }, response) =>
    response.end(url === '/a.pdf' ? document : image),
  );
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

type Ask = (body: object, status?: number) => Promise<Record<string, unknown>>;

/** Reads a stream to its end. Resolves with the name of its last event. */
type Stream = (body: object) => Promise<string | undefined>;

/** The peak of a new process that answers requests, in bytes. */
async function peakOf(
  name: OperationName,
  work: (ask: Ask, stream: Stream) => Promise<unknown>,
): Promise<number> {
  const engine = await startEngine(name);
  const invoke = async (body: object) => {
    const event = operationEvent(name, { bearer: apiKey, body });
    expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(maxEvent);
    const { prelude, chunks } = await engine.invoke(event);
    const text = Buffer.concat((await Array.fromAsync(chunks)).map(({ data }) => data)).toString();
    return { status: prelude?.statusCode, text };
  };
  try {
    await work(
      async (body, status = 200) => {
        const answer = await invoke(body);
        expect([answer.status, answer.text.slice(0, 300)]).toEqual([status, expect.any(String)]);
        return JSON.parse(answer.text);
      },
      async (body) => [...(await invoke(body)).text.matchAll(/^event: (.*)$/gm)].at(-1)?.[1],
    );
    const status = readFileSync(`/proc/${engine.pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1024;
  } finally {
    await engine.close();
  }
}

const first = 'memory/first';
const fallback = 'memory/fallback';

const textOf = (bytes: number, words: string) => words.repeat(Math.floor(bytes / Buffer.byteLength(words)));
const pictureOf = (bytes: number) => `data:image/png;base64,${imageOf(bytes).toString('base64')}`;

const urlOf = (path: string) => `https://images.test:${portOf()}/${path}`;

const imagesAt = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    type: 'image_url',
    image_url: { url: urlOf(`${index}.png`) },
  }));

const documentPart = () => ({ type: 'file', file: { file_data: urlOf('a.pdf'), filename: 'a.pdf' } });

/** Characters that are not Latin double what is in memory as one text. */
const largeText = () => ({ type: 'text', text: textOf(5.9 * megabyte, 'zu lesen – ') });

const largePicture = () => ({ type: 'image_url', image_url: { url: pictureOf(4.4 * megabyte) } });

/** As many values as a body may have, nearly. */
const manyParts = Array.from({ length: 10_000 }, (_, index) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: Array.from({ length: 11 }, () => ({ type: 'text', text: 'a' })),
}));

const user = (...content: readonly object[]) => [{ role: 'user', content }];

const chats: readonly (readonly [name: string, messages: () => readonly object[]])[] = [
  ['a text of 6 MB', () => user(largeText())],
  ['an image of 6 MB in base64', () => user(largePicture())],
  ['hundred thousand parts', () => manyParts],
  ['20 MB of images by URL', () => user(...imagesAt(20))],
  ['a document of 20 MB by URL', () => user(documentPart())],
  ['a text of 6 MB with 20 MB of images by URL', () => user(largeText(), ...imagesAt(20))],
];

describe.runIf(existsSync('/proc/self/status'))('the memory size of a function is enough', () => {
  test.each(chats)(
    'for a chat with %s, tried twice and sent to a fallback, three times',
    async (_name, messages) => {
      upstream.script((request, response) => answerAt(request.path, 503, response));
      const peak = await peakOf('chat-completions', async (ask) => {
        const body = { model: first, models: [fallback], messages: messages() };
        for (let time = 0; time < 3; time += 1) await ask(body);
      });
      expect(upstream.requests).toHaveLength(9);
      expect(peak).toBeLessThan(memorySize - reserve);
    },
    60_000,
  );

  test('for a stored conversation of nearly 8 MB, and a follow-up to it with 6 MB more, twice', async () => {
    upstream.script((request, response) => answerAt(request.path, 200, response));
    const picture = (bytes: number) => ({
      role: 'user',
      content: [{ type: 'input_image', image_url: pictureOf(bytes) }],
    });
    const peak = await peakOf('responses', async (ask) => {
      for (let time = 0; time < 2; time += 1) {
        const stored = await ask({ model: first, input: [picture(4.4 * megabyte)] });
        const more = { input: [picture(1.2 * megabyte)], previous_response_id: stored.id };
        const again = await ask({ model: first, ...more });
        expect([stored.store, again.store]).toEqual([true, true]);
        const last = { input: [picture(4.4 * megabyte)], previous_response_id: again.id, store: false };
        await ask({ model: first, ...last });
      }
    });
    expect(peak).toBeLessThan(memorySize - reserve);
  }, 60_000);

  test.each([
    ['7 MB beside a body of 6 MB', () => [largeText()], 7, 200],
    ['9 MB', () => [], 9, 200],
    ['64 MB (refused)', () => [], 64, 500],
  ] as const)(
    'for a chat with an answer of %s, twice',
    async (_name, content, size, status) => {
      upstream.script((_request, response) => {
        const tokens = Array.from({ length: (size * megabyte) / JSON.stringify(tokenWithOthers()).length });
        const logprobs = { content: tokens.map(tokenWithOthers) };
        const message = { role: 'assistant', content: 'Yes.' };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ choices: [{ index: 0, message, logprobs, finish_reason: 'stop' }] }));
      });
      const body = {
        model: first,
        messages: user(...content(), { type: 'text', text: 'Go.' }),
        logprobs: true,
      };
      const peak = await peakOf('chat-completions', async (ask) => {
        for (let time = 0; time < 2; time += 1) await ask({ ...body, top_logprobs: 20 }, status);
      });
      expect(peak).toBeLessThan(memorySize - reserve);
    },
    60_000,
  );

  test('for a stream of a response, whose last events repeat all of it, up to 7 MB, and beyond', async () => {
    upstream.script(async (_request, response) => {
      const chunk = (choice: object) =>
        `data: ${JSON.stringify({ id: 'one', object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] })}\n\n`;
      const token = chunk({ delta: { content: ' ab0' }, logprobs: { content: [tokenWithOthers()] } });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const size = upstream.requests.length === 1 ? 7 : 40;
      for (let sent = 0; sent < size * megabyte && !response.destroyed; sent += token.length)
        await writePiece(response, token);
      response.end(`${chunk({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`);
    });
    const include = ['message.output_text.logprobs'];
    const endings: (string | undefined)[] = [];
    const peak = await peakOf('responses', async (_ask, stream) => {
      for (let time = 0; time < 2; time += 1)
        endings.push(await stream({ model: first, input: 'Go.', include, top_logprobs: 20, stream: true }));
    });
    expect(endings).toEqual(['response.completed', 'response.failed']);
    expect(peak).toBeLessThan(memorySize - reserve);
  }, 60_000);
});

/** As OpenAI writes a token with its alternatives: some 1.3 KB. */
const tokenWithOthers = () => {
  const one = (index: number) => ({ token: ` ab${index}`, logprob: -0.123456 - index, bytes: [32, 97, 98] });
  return { ...one(0), top_logprobs: Array.from({ length: 20 }, (_, index) => one(index)) };
};

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
