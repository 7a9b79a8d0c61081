/** The largest bodies that are allowed, in a server with a small heap that serves 63 streams: none of them ends. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { maxJsonValues } from '../../lib/http/request/body-shape.ts';
import { type ServedProcess, servedModel, startServedProcess } from '../harness/gateways/served-process.ts';

const megabyte = 1024 * 1024;
const largest = 9.9 * megabyte;

/** What Node gives the heap of a process in a container of 512 MB. */
const smallHeap = ['--max-old-space-size=256'];

const pieces = 25;
const paceMs = 150;

let served: ServedProcess;
afterEach(() => served?.close());

const chunk = (content: string, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason }] })}\n\n`;

/** Streams come piece by piece; to a large body, the answer takes a while. */
function answerAtAPace({ upstream }: ServedProcess): void {
  upstream.script(async ({ text }, response) => {
    if (text.length > megabyte) {
      await pause(1_000);
      const message = { role: 'assistant', content: 'Read.' };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let piece = 0; piece < pieces; piece += 1) {
      response.write(chunk(`#${piece} `));
      await pause(paceMs);
    }
    response.end(`${chunk('', 'stop')}data: [DONE]\n\n`);
  });
}

const bodyOf = (content: unknown) => ({
  model: servedModel,
  max_tokens: 100,
  messages: [{ role: 'user', content }],
});

/** As many parts as a body may have; of three values each, and the part itself. */
const parts = Math.floor(maxJsonValues / 3) - 1_000;
const manyParts = (bytes: number) => {
  const part = {
    type: 'text',
    text: 'a'.repeat(Math.floor(bytes / parts) - '{"type":"text","text":""},'.length),
  };
  const messages = Array.from({ length: parts / 2_000 }, () => ({
    role: 'user',
    content: Array.from({ length: 2_000 }, () => part),
  }));
  return { model: servedModel, max_tokens: 100, messages };
};

const shapes: Readonly<Record<string, () => object>> = {
  'one text': () => bodyOf('some words of a text. '.repeat(largest / 22)),
  'one text that is not Latin': () => bodyOf('zu lesen – '.repeat(largest / 13)),
  'as many parts as there may be': () => manyParts(largest),
};

test.each([{ shape: 'one text', count: 1 }, ...Object.keys(shapes).map((shape) => ({ shape, count: 10 }))])(
  '63 streams are whole beside $count of the largest bodies: $shape',
  { timeout: 120_000 },
  async ({ shape, count }) => {
    served = await startServedProcess({ nodeOptions: smallHeap });
    answerAtAPace(served);
    const streams = Array.from({ length: 63 }, async () => {
      const answer = await served.post('/v1/chat/completions', { ...bodyOf('Say the words.'), stream: true });
      const text = await answer.text();
      return [answer.status, [...text.matchAll(/#\d+ /g)].length, text.trimEnd().endsWith('data: [DONE]')];
    });
    await expect.poll(() => served.upstream.total, { timeout: 20_000 }).toBe(63);
    const large = JSON.stringify(shapes[shape]?.());
    const refusals: object[] = [];
    const asked = Array.from({ length: count }, async (_, index) => {
      // Both families of paths; the server refuses before it knows the difference.
      const path = index % 2 === 0 ? '/v1/chat/completions' : '/v1/messages';
      const answer = await served.post(path, large);
      const body = await answer.json();
      if (answer.status === 503) refusals.push({ body, retryAfter: answer.headers.get('retry-after') });
      return answer.status;
    });
    const statuses = await Promise.all(asked);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    for (const refusal of refusals)
      expect(refusal).toMatchObject({
        retryAfter: '1',
        body: { type: 'error', error: { type: 'service_unavailable_error', code: 'server_busy' } },
      });
    expect(await Promise.all(streams)).toEqual(streams.map(() => [200, pieces, true]));
    expect(served.child.exitCode).toBeNull();
  },
);
