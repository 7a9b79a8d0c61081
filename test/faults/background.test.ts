/**
 * Responses in the background, and the gateway's process: two hundred at once are created, and each is billed once; and what a killed
 * process leaves is read from the log up to where it was written, and fails.
 */
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type GatewayProcess, startGatewayProcess } from '../harness/gateways/gateway-process.ts';
import { take, until } from '../harness/responses/background-gateway.ts';
import { shiftedClock } from '../harness/shifted-clock.ts';
import { startUpstream } from '../harness/upstream.ts';
import { use } from '../harness/use.ts';

const model = 'deepseek/deepseek-flash';
const atOnce = 200;

/** How much later the second process runs, by its clock: longer than a worker may be silent. */
const shiftMs = 70_000;

let gateway: GatewayProcess;
afterAll(async () => {
  await gateway?.stop();
});

const start = (options: { readonly dataDirectory?: string; readonly NODE_OPTIONS?: string } = {}) => {
  const { dataDirectory, ...environment } = options;
  return startGatewayProcess({
    environment: { DEEPSEEK_UPSTREAM_URL: upstream.url, DEEPSEEK_API_KEY: 'a-provider-key', ...environment },
    ...(dataDirectory !== undefined && { dataDirectory }),
  });
};

const upstream = use(() => startUpstream());
beforeAll(async () => {
  upstream.script(({ text }, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (choices: readonly object[], more: object = {}) =>
      response.write(`data: ${JSON.stringify({ id: 'c', choices, ...more })}\n\n`);
    send([{ index: 0, delta: { role: 'assistant', content: 'One' }, finish_reason: null }]);
    if (text.includes('Wait')) return;
    send([{ index: 0, delta: {}, finish_reason: 'stop' }]);
    send([], { usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 } });
    response.end('data: [DONE]\n\n');
  });
  gateway = await start();
});

const client = () => new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.apiKey, maxRetries: 0 });

async function requests(): Promise<number> {
  const answer = await fetch(`${gateway.baseUrl}/usage`, {
    headers: { authorization: `Bearer ${gateway.apiKey}` },
  });
  const { data } = (await answer.json()) as { data: readonly { readonly requests: number }[] };
  return data.reduce((sum, row) => sum + row.requests, 0);
}

test(`${atOnce} responses at once are created, and each is one request`, async () => {
  const openai = client();
  const created = await Promise.all(
    Array.from({ length: atOnce }, () =>
      openai.responses.create({ model, input: 'Count.', background: true }),
    ),
  );
  const ended = await Promise.all(created.map(({ id }) => until(openai, id, 'completed', 'failed')));
  expect(ended.map((response) => response.output_text)).toEqual(Array(atOnce).fill('One'));
  await vi.waitFor(async () => expect(await requests()).toBe(atOnce), { timeout: 20_000, interval: 100 });
  expect(upstream.total).toBe(atOnce);
});

test('what a killed process was creating is read up to its last words, and has failed', async () => {
  const before = upstream.total;
  const stream = await client().responses.create({ model, input: 'Wait.', background: true, stream: true });
  const read = await take(stream, 'response.output_text.delta');
  const [created] = read;
  const id = created?.type === 'response.created' ? created.response.id : '';
  const { dataDirectory } = gateway;
  await gateway.kill();
  gateway = await start({ dataDirectory, NODE_OPTIONS: shiftedClock(shiftMs) });
  const openai = client();
  expect(await openai.responses.retrieve(id)).toMatchObject({
    status: 'failed',
    error: { code: 'server_error' },
  });
  const replayed = await take(await openai.responses.retrieve(id, { stream: true }));
  expect(replayed.slice(0, read.length)).toEqual(read);
  expect(replayed.at(-1)).toMatchObject({ type: 'response.failed', response: { id } });
  // The provider may have been paid.
  expect(upstream.total).toBe(before + 1);
});
