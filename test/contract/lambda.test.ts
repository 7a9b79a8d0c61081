/**
 * The built bundle with the real Lambda runtime client: what the function sends and when, and that the environment survives a
 * provider that breaks off.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { maxLogLine } from '../../lib/runtime/log-bounds.ts';
import { readChatStream } from '../harness/chat-stream.ts';
import { extractMetrics } from '../harness/embedded-metrics.ts';
import { chosenRequestId } from '../harness/lambda/event.ts';
import { dataOf } from '../harness/lambda/prelude.ts';
import { useBundle } from '../harness/lambda/use-bundle.ts';
import { readAlong } from '../harness/read-along.ts';

const bundle = useBundle('chat-completions', { environment: () => ({ GATEWAY_METRICS: 'Stack' }) });

const question = { model: 'openai/gpt-4.1', messages: [{ role: 'user', content: 'Hello' }] };

const ask = (body: object) => bundle.ask({ ...question, ...body });

const piece = (content: string, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;

test('an answer that is not streamed has its status and headers in the prelude', async () => {
  bundle.upstream.script((_request, response) => {
    const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }];
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices }));
  });
  const { answer, text } = await ask({});
  expect(answer.contentType).toBe('application/vnd.awslambda.http-integration-response');
  expect(answer.prelude).toEqual({
    statusCode: 200,
    headers: { 'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/), 'content-type': 'application/json' },
  });
  expect(JSON.parse(text).choices[0].message.content).toBe('Hi.');
});

test('the id of a request is not the one that its caller may have chosen', async () => {
  const headersOf = async () => (await ask({})).answer.prelude?.headers as Record<string, string> | undefined;
  const ids = [await headersOf(), await headersOf()].map((headers) => headers?.['x-request-id']);
  expect(new Set([...ids, chosenRequestId, undefined]).size).toBe(4);
});

test('a stream is sent chunk by chunk, as upstream sends it', async () => {
  const caller = readAlong();
  bundle.upstream.script(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const word of ['one ', 'two ', 'three ', 'four ', 'five ']) {
      response.write(piece(word));
      await caller.until((seen) => seen.includes(JSON.stringify(word)));
    }
    response.end(`${piece('', 'stop')}data: [DONE]\n\n`);
  });
  const answer = await bundle.invoke({ ...question, stream: true });
  expect(answer.prelude).toMatchObject({ statusCode: 200, headers: { 'content-type': 'text/event-stream' } });
  const text = await caller.readBody(dataOf(answer.chunks));
  expect(readChatStream(text).choices.get(0)?.content).toBe('one two three four five ');
});

test('a provider that breaks off is an error in the stream, and the environment survives', async () => {
  const { engine } = bundle;
  const { pid } = engine;
  bundle.upstream.script(async (_request, response) => {
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
  bundle.upstream.script((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`${piece('whole', 'stop')}data: [DONE]\n\n`);
  });
  expect(readChatStream((await ask({ stream: true })).text).choices.get(0)?.content).toBe('whole');
});

test('an error is an answer, not a failed invocation', async () => {
  const { answer, text } = await ask({ temperature: 9 });
  expect(answer.prelude).toMatchObject({ statusCode: 400 });
  expect(JSON.parse(text).error.param).toBe('temperature');
});

test('the log has neither the text of a request nor a long line', async () => {
  const text = 'MYSECRETPROMPT '.repeat(200_000);
  await ask({ model: text });
  await ask({ messages: [{ role: text, content: text }] });
  bundle.upstream.script((_request, response) => {
    const message = `Unknown parameter: '${text.slice(0, 100_000)}'.`;
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message, param: text, code: text.trim(), type: text } }));
  });
  await ask({ user: text });
  const lines = bundle.engine.log().split('\n');
  expect(lines.filter((line) => line.includes('"status":400')).length).toBeGreaterThan(1);
  expect(lines.filter((line) => line.includes('SECRET') || Buffer.byteLength(line) > maxLogLine)).toEqual([]);
});

test("each request's metrics are at the root of its line, where CloudWatch takes them out", async () => {
  bundle.upstream.script((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`${piece('Hi.', 'stop')}data: [DONE]\n\n`);
  });
  const before = bundle.engine.log().length;
  await ask({ stream: true });
  await sleep(50);
  const lines = bundle.engine.log().slice(before).split('\n');
  const line = lines.find((text) => text.includes('"message":"request"'));
  const metrics = extractMetrics(line ?? '');
  expect(metrics.map(({ name }) => name)).toEqual(expect.arrayContaining(['Requests', 'TimeToFirstToken']));
  expect(metrics.every(({ namespace }) => namespace === 'Stack')).toBe(true);
});
