/** Streams that can be resumed: who reads on gets the bytes that come after an event, as often as wanted, and one bill. */
import { setTimeout as pause } from 'node:timers/promises';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { streamText } from 'ai';
import OpenAI from 'openai';
import { expect, test, vi } from 'vitest';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createStreams } from '../../lib/stores/resumable-streams.ts';
import { chatChunk, chatUsage, dataLine } from '../harness/chat-answers.ts';
import { useUpstreamGateway } from '../harness/gateways/upstream-gateway.ts';
import { openLedger } from '../harness/ledger.ts';
import { use } from '../harness/use.ts';

const { gateway, upstream } = useUpstreamGateway('MOONSHOT');
const ledger = use(() => openLedger());

const model = 'moonshotai/kimi-k3';
const messages = [{ role: 'user' as const, content: 'Say something.' }];
const resumable = { stream: true as const, extra: { resumable: true } };

const bodies: Readonly<Record<string, object>> = {
  '/v1/chat/completions': { model, messages, ...resumable },
  '/v1/responses': { model, input: 'Say something.', ...resumable },
  '/v1/messages': { model, messages, max_tokens: 50, ...resumable },
  '/v1/completions': { model, prompt: 'Say something.', ...resumable },
};

const first = dataLine(chatChunk({ role: 'assistant', content: 'One' }));
const end = `${dataLine(chatChunk({}, 'stop', { usage: chatUsage(3, 2) }))}data: [DONE]\n\n`;

/** The next answer of the provider has two words, the second after a pause. */
const say = (pauseMs = 0) =>
  upstream.script(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(first);
    await pause(pauseMs);
    response.write(dataLine(chatChunk({ content: ' two' })));
    response.end(end);
  });

const resume = (id: string, query = '', headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}/v1/streams/${id}${query}`, {
    headers: { authorization: `Bearer ${gateway.apiKey}`, ...headers },
  });

const textOf = async (response: Response | Promise<Response>) => (await response).text();

/** Starts a stream. Its reader may leave. */
async function start(path: string, body = bodies[path]) {
  const leaving = new AbortController();
  const response = await gateway.post(path, body, {}, leaving.signal);
  return {
    response,
    id: response.headers.get('x-stream-id') ?? '',
    requestId: response.headers.get('x-request-id') ?? '',
    /** Reads so many events, and leaves. */
    async take(count: number): Promise<string> {
      let text = '';
      const reader = response.body?.getReader();
      while (text.split('\n\n').length <= count) {
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (done) break;
        text += Buffer.from(value ?? []).toString();
      }
      leaving.abort();
      return text
        .split('\n\n')
        .slice(0, count)
        .map((event) => `${event}\n\n`)
        .join('');
    },
  };
}

const idsOf = (text: string) => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => Number(id));

const recordsOf = async (requestId: string) =>
  (await ledger.recordsOf('local')).filter((record) => record.requestId === requestId);

test.each(Object.keys(bodies))('%s goes on after any event, and is billed once', async (path) => {
  say();
  const whole = await (await start(path)).response.text();
  const events = whole.split('\n\n').slice(0, -1);
  expect(idsOf(whole)).toEqual(events.map((_, index) => index));
  const cuts = events.map(async (_, index) => {
    say(index === 1 ? 600 : 0);
    const stream = await start(path);
    const read = await stream.take(index + 1);
    const rest = await textOf(resume(stream.id, `?starting_after=${index}`));
    const all = await textOf(resume(stream.id));
    expect(read + rest).toBe(all);
    expect(idsOf(all)).toEqual(events.map((__, each) => each));
    await vi.waitFor(async () =>
      expect(await recordsOf(stream.requestId)).toMatchObject([
        { status: 200, attempts: [{ usage: { completionTokens: 2 } }] },
      ]),
    );
  });
  await Promise.all(cuts);
  // Those of the streams that were cut.
  expect(upstream.requests).toHaveLength(events.length);
});

test('the numbers of a Responses stream are its sequence numbers', async () => {
  say();
  const text = await (await start('/v1/responses')).response.text();
  const numbers = [...text.matchAll(/"sequence_number":(\d+)/g)].map(([, number]) => Number(number));
  expect(numbers).toEqual(idsOf(text));
});

test('several readers follow while the stream goes on without its caller', async () => {
  say(1_500);
  const { id, take, requestId } = await start('/v1/chat/completions');
  const first = await take(1);
  const readers = await Promise.all([
    textOf(resume(id)),
    textOf(resume(id, '?starting_after=0')),
    textOf(resume(id, '', { 'last-event-id': '0' })),
    // An EventSource that has read on repeats its first address.
    textOf(resume(id, '?starting_after=2', { 'last-event-id': '0' })),
  ]);
  const [whole = '', ...rests] = readers;
  expect(whole.endsWith('data: [DONE]\n\n')).toBe(true);
  expect(rests.map((rest) => first + rest)).toEqual([whole, whole, whole]);
  expect(await recordsOf(requestId)).toHaveLength(1);
  const response = await resume(id, '?starting_after=9999');
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    200,
    'text/event-stream',
    '',
  ]);
});

test.each(Object.keys(bodies))('%s that fails ends with its error for every reader', async (path) => {
  upstream.script((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(first);
  });
  const { response, id } = await start(path);
  const text = await response.text();
  expect(text.split('\n\n').at(-2)).toMatch(/^id: \d+\n.*error/s);
  expect(await textOf(resume(id))).toBe(text);
  const numbers = [...text.matchAll(/"sequence_number":(\d+)/g)].map(([, number]) => Number(number));
  if (path === '/v1/responses') expect(numbers).toEqual(idsOf(text));
});

test('a stream whose writer is gone ends with an error, and not as a success', async () => {
  const create = createStreams({ call: ledger.call, table: 'state', now: () => Date.now() - 61_000 });
  const { id, append } = await create({ tenant: 'local', operation: 'messages' });
  const first = 'id: 0\nevent: message_start\ndata: {"type":"message_start"}\n\n';
  await append(0, first);
  const text = await textOf(resume(id));
  expect(text.startsWith(`${first}id: 1\nevent: error\ndata: {"type":"error"`)).toBe(true);
});

test('a stream belongs to its tenant', async () => {
  say();
  const { response, id } = await start('/v1/chat/completions');
  await response.text();
  const keys = createKeyStore({ call: ledger.call, table: 'access' });
  const { secret } = await keys.create({ tenant: 'stranger' });
  const foreign = await resume(id, '', { authorization: `Bearer ${secret}` });
  const unknown = await resume('stream_none');
  const anyone = await resume(id, '', { authorization: '' });
  expect([foreign.status, unknown.status, anyone.status]).toEqual([404, 404, 401]);
  expect(await foreign.json()).toMatchObject({ error: { param: 'stream_id' } });
});

test.each([
  ['?starting_after=-1', {}, 'starting_after'],
  ['?starting_after=one', {}, 'starting_after'],
  ['', { 'last-event-id': '-1' }, 'Last-Event-ID'],
])('what is no number of an event is refused: %s %o', async (query, headers, param) => {
  const response = await resume('stream_none', query, headers);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { param } });
});

test.each([
  ['/v1/chat/completions', { model, messages, extra: resumable.extra }],
  ['/v1/responses', { model, input: 'Hello.', extra: resumable.extra }],
  ['/v1/responses', { model, input: 'Hello.', background: true, ...resumable }],
])('%s refuses to make another answer resumable', async (path, body) => {
  const response = await gateway.post(path, body);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { param: 'extra.resumable' } });
});

test('a request that is sent again with its key has the stream of the first', async () => {
  say();
  const send = () =>
    gateway.post('/v1/chat/completions', bodies['/v1/chat/completions'] ?? {}, { 'idempotency-key': 'both' });
  const [first, again] = [await send(), await send()];
  const id = first.headers.get('x-stream-id') ?? '';
  expect([again.headers.get('idempotent-replayed'), again.headers.get('x-stream-id')]).toEqual(['true', id]);
  const text = await first.text();
  expect([await again.text(), await textOf(resume(id))]).toEqual([text, text]);
});

test('other streams have no numbers', async () => {
  say();
  const { response } = await start('/v1/chat/completions', { model, messages, stream: true });
  expect(response.headers.has('x-stream-id')).toBe(false);
  expect(idsOf(await response.text())).toEqual([]);
});

test('the SDKs read it as any other stream', async () => {
  const { apiKey, url } = gateway;
  const openai = new OpenAI({ apiKey, baseURL: `${url}/v1` });
  say();
  const { data, response } = await openai.chat.completions
    .create({ model, messages, ...resumable })
    .withResponse();
  let text = '';
  for await (const { choices } of data) text += choices[0]?.delta.content ?? '';
  expect([text, response.headers.get('x-stream-id')]).toEqual(['One two', expect.stringMatching(/^stream_/)]);
  say();
  const events = await openai.responses.create({ model, input: 'Hello.', ...resumable });
  const types: string[] = [];
  for await (const { type } of events) types.push(type);
  expect(types.at(-1)).toBe('response.completed');
  const anthropic = new Anthropic({ apiKey, baseURL: url });
  say();
  const message = await anthropic.messages
    .stream({ model, messages, max_tokens: 50, ...resumable })
    .finalMessage();
  expect(message.content).toMatchObject([{ type: 'text', text: 'One two' }]);
  const withExtra: typeof fetch = (address, init) =>
    fetch(address, { ...init, body: JSON.stringify({ ...JSON.parse(String(init?.body)), ...resumable }) });
  const settings = { apiKey, baseURL: `${url}/v1`, fetch: withExtra };
  for (const provider of [
    createOpenAICompatible({ ...settings, name: 'gateway' }),
    createAnthropic(settings),
  ]) {
    say();
    expect(await streamText({ model: provider(model), messages, maxOutputTokens: 50 }).text).toBe('One two');
  }
});
