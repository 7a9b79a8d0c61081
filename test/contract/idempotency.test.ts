/** Requests with the header `Idempotency-Key`: sent again, they get the same answer, and are billed once. */
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import OpenAI from 'openai';
import { expect, test, vi } from 'vitest';
import { chatAnswer, chatChunk, chatUsage, dataLine } from '../harness/chat-answers.ts';
import { useUpstreamGateway } from '../harness/gateways/upstream-gateway.ts';
import { openLedger } from '../harness/ledger.ts';
import { use } from '../harness/use.ts';

const { gateway, upstream } = useUpstreamGateway('MOONSHOT');
const ledger = use(() => openLedger());

const messages = [{ role: 'user', content: 'Say something.' }];
const chat = { model: 'moonshotai/kimi-k3', messages };

const post = (path: string, body: object, key: string, headers: Record<string, string> = {}) =>
  gateway.post(path, body, { 'idempotency-key': key, ...headers });

async function read(response: Response) {
  const { status, headers } = response;
  return {
    status,
    replayed: headers.get('idempotent-replayed'),
    id: headers.get('x-request-id'),
    text: await response.text(),
  };
}

/** Those of these answers that the ledger has. */
async function billed(...answers: readonly { readonly id: string | null }[]): Promise<number> {
  const records = await ledger.recordsOf('local');
  return records.filter(({ requestId }) => answers.some(({ id }) => id === requestId)).length;
}

const usage = chatUsage(3, 2);
const first = dataLine(chatChunk({ role: 'assistant', content: 'One' }));
const last = `${dataLine(chatChunk({}, 'stop', { usage }))}data: [DONE]\n\n`;

/** Streams two words, the first and the second each after so long. */
const streamed = (pauseMs = 0, beforeMs = 0) =>
  upstream.script(async (_request, response) => {
    await pause(beforeMs);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(first);
    await pause(pauseMs);
    response.write(dataLine(chatChunk({ content: ' two' })));
    response.end(last);
  });

test.each([
  ['/v1/chat/completions', { model: 'openai/gpt-5.5', messages }],
  ['/v1/chat/completions', { model: 'anthropic/claude-opus-5', messages, stream: true }],
  ['/v1/responses', { model: 'openai/gpt-5.5', input: 'Hello.' }],
  ['/v1/responses', { model: 'google/gemini-3.5-flash', input: 'Hello.', stream: true }],
  ['/v1/messages', { model: 'anthropic/claude-opus-5', messages, max_tokens: 50 }],
  ['/v1/completions', { model: 'openai/gpt-5.5', prompt: 'Hello.' }],
  ['/v1/embeddings', { model: 'openai/text-embedding-3-small', input: 'Hello.' }],
  ['/v1/images/generations', { model: 'openai/gpt-image-2', prompt: 'A gate.' }],
  ['/v1/rerank', { model: 'cohere/rerank-v4.0-fast', query: 'A gate.', documents: ['A gate.'] }],
])('%s %o is answered once', async (path, body) => {
  const key = `${path} ${JSON.stringify(body)}`;
  const first = await read(await post(path, body, key));
  const again = await read(await post(path, body, key));
  expect([first.status, first.replayed]).toEqual([200, null]);
  expect(again).toEqual({ ...first, id: again.id, replayed: 'true' });
  expect(again.id).not.toBe(first.id);
  expect(await billed(first, again)).toBe(1);
  const without = await read(await gateway.post(path, body));
  expect([without.replayed, await billed(first, without)]).toEqual([null, 2]);
});

test('another body, operation or key is another request', async () => {
  const body = { model: 'openai/gpt-5.5', messages };
  await read(await post('/v1/chat/completions', body, 'a key'));
  const other = await post('/v1/chat/completions', { ...body, seed: 1 }, 'a key');
  expect(other.status).toBe(400);
  expect(await other.json()).toMatchObject({
    error: { param: 'Idempotency-Key', code: 'idempotency_key_reused' },
  });
  const completion = await read(
    await post('/v1/completions', { model: body.model, prompt: 'Hello.' }, 'a key'),
  );
  expect([completion.status, completion.replayed]).toEqual([200, null]);
  expect(await read(await post('/v1/chat/completions', body, 'other'))).toMatchObject({
    status: 200,
    replayed: null,
  });
});

test('a compressed body is what it holds, however it is compressed', async () => {
  streamed();
  const body = JSON.stringify({ ...chat, stream: true });
  const zipped = gzipSync(body);
  // Python's gzip writes the time into each.
  const later = Buffer.from(zipped);
  later.writeUInt32LE(1_795_857_042, 4);
  const send = (sent: string | Buffer<ArrayBuffer>, coding: string) =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.apiKey}`,
        'content-type': 'application/json',
        'content-encoding': coding,
        'idempotency-key': 'zipped',
      },
      body: sent,
    });
  const answers = [];
  for (const sent of [zipped, later]) answers.push(await read(await send(sent, 'gzip')));
  answers.push(await read(await send(body, 'identity')));
  answers.push(await read(await post('/v1/chat/completions', { ...chat, stream: true }, 'zipped')));
  expect(answers.map(({ status, replayed }) => [status, replayed])).toEqual([
    [200, null],
    ...Array(3).fill([200, 'true']),
  ]);
  expect((await send(Buffer.from('damaged'), 'gzip')).status).toBe(400);
});

test.each(['', 'x'.repeat(256), 'grün'])('a key that is none is refused: %s', async (key) => {
  const response = await post('/v1/chat/completions', chat, Buffer.from(key).toString('latin1'));
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { param: 'Idempotency-Key' } });
});

test('what fails is not kept: sent again, it is tried again', async () => {
  upstream.script((_request, response) => void response.writeHead(400).end('{"error":{"message":"No."}}'));
  const failed = await read(await post('/v1/chat/completions', chat, 'failed'));
  streamed();
  const body = { ...chat, stream: true };
  expect([failed.status, failed.replayed]).toEqual([400, null]);
  // A failure leaves the key free for any body.
  const again = await read(await post('/v1/chat/completions', body, 'failed'));
  expect([again.status, again.replayed]).toEqual([200, null]);
  expect(again.text).toContain(' two');
});

test('a stream that breaks off is not kept', async () => {
  upstream.script((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(first);
    response.end();
  });
  const body = { ...chat, stream: true };
  expect((await read(await post('/v1/chat/completions', body, 'broken'))).text).toContain(
    'provider_stream_cut',
  );
  streamed();
  expect((await read(await post('/v1/chat/completions', body, 'broken'))).text).toContain(' two');
});

test('a request that is sent again while the first runs waits for its answer', async () => {
  streamed(500);
  const body = { ...chat, stream: true };
  const [first, again] = await Promise.all(
    [0, 1].map(async () => read(await post('/v1/chat/completions', body, 'at once'))),
  );
  expect(new Set([first?.replayed, again?.replayed])).toEqual(new Set([null, 'true']));
  expect(first?.text).toBe(again?.text);
  expect(upstream.requests).toHaveLength(1);
});

/** Reads until so much has come, and leaves: at once, or when the text has it. */
async function leave(body: object, key: string, after: string | undefined): Promise<void> {
  const leaving = new AbortController();
  const response = gateway.post('/v1/chat/completions', body, { 'idempotency-key': key }, leaving.signal);
  response.catch(() => {});
  if (after === undefined) await vi.waitFor(() => expect(upstream.requests).toHaveLength(1));
  else {
    let text = '';
    for await (const piece of (await response).body ?? []) {
      text += Buffer.from(piece).toString();
      if (text.includes(after)) break;
    }
  }
  leaving.abort();
}

test.each([
  ['before the head of a stream', true, undefined],
  ['before the head of a JSON answer', false, undefined],
  ['between two events', true, 'One'],
  ['after the last event', true, '[DONE]'],
])(
  'the answer of a caller who has left %s is made to its end, and a retry gets it',
  async (when, stream, after) => {
    if (stream) streamed(700, after === undefined ? 300 : 0);
    else
      upstream.script(async (_request, response) => {
        await pause(700);
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify(chatAnswer('One two', usage)));
      });
    const body = { ...chat, stream };
    const before = await ledger.recordsOf('local');
    await leave(body, when, after);
    const again = await read(await post('/v1/chat/completions', body, when));
    expect([again.status, again.replayed, upstream.requests.length]).toEqual([200, 'true', 1]);
    expect(again.text).toContain(' two');
    if (stream) expect(again.text.endsWith('data: [DONE]\n\n')).toBe(true);
    await vi.waitFor(
      async () => {
        const records = (await ledger.recordsOf('local')).slice(before.length);
        expect(
          records.flatMap(({ attempts }) => attempts.map(({ usage }) => usage?.completionTokens)),
        ).toEqual([2]);
      },
      { timeout: 10_000 },
    );
  },
);

test("the retries of OpenAI's SDK are one request, where it is given a key", async () => {
  streamed(300);
  let calls = 0;
  const client = new OpenAI({
    baseURL: `${gateway.url}/v1`,
    apiKey: gateway.apiKey,
    // The connection of the first call breaks before it has an answer.
    fetch: async (url, init) => {
      calls += 1;
      const response = fetch(url, init);
      if (calls > 1) return response;
      await pause(100);
      response.catch(() => {});
      throw new TypeError('fetch failed');
    },
  });
  const stream = await client.chat.completions.create(
    { model: chat.model, messages: [{ role: 'user', content: 'Retry.' }], stream: true },
    { headers: { 'Idempotency-Key': 'sdk' } },
  );
  let text = '';
  for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
  expect([text, calls, upstream.requests.length]).toEqual(['One two', 2, 1]);
});
