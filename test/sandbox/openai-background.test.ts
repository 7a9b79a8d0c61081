/** The sandbox where it creates responses in the background, as OpenAI and Azure do. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { sandboxRoutes } from '../../local/providers.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { use } from '../harness/use.ts';
import { readSse } from './client.ts';

interface Body {
  readonly id: string;
  readonly status: string;
  readonly background: boolean;
  readonly usage: object | null;
  readonly error?: { readonly message: string; readonly param: string | null };
}

interface Event {
  readonly type: string;
  readonly sequence_number: number;
  readonly response?: Body;
}

const sandbox: Sandbox = use(() => startSandbox(sandboxRoutes, { pauseMs: 0 }));
const asked = { model: 'gpt-4.1', input: 'Say one two three four.', background: true, store: true };

const accounts = {
  openai: { base: '/openai/v1', headers: { authorization: 'Bearer a-key' } },
  azure: { base: '/azure/openai/v1', headers: { 'api-key': 'a-key' } },
};

describe.each(Object.entries(accounts))('at %s', (_, { base, headers }) => {
  const call = (method: string, path: string, body?: object) =>
    fetch(`${sandbox.url}${base}${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const read = async (method: string, path: string, body?: object) => {
    const answer = await call(method, path, body);
    return { status: answer.status, body: (await answer.json()) as Body };
  };
  const events = async (method: string, path: string, body?: object) =>
    readSse<Event>(await (await call(method, path, body)).text()).map(({ data }) => data);
  let streamed: readonly Event[];
  let id: string;

  beforeAll(async () => {
    streamed = await events('POST', '/responses', { ...asked, stream: true });
    id = streamed[0]?.response?.id ?? '';
  });

  test('a response is queued at once, and complete after a time that no one waits for', async () => {
    const { status, body } = await read('POST', '/responses', asked);
    expect([status, body.status, body.background]).toEqual([200, 'queued', true]);
    await expect.poll(async () => (await read('GET', `/responses/${body.id}`)).body.status).toBe('completed');
  });

  test('its events are numbered, with a sign of life', () => {
    expect(streamed.map((event) => event.sequence_number)).toEqual(streamed.map((_event, index) => index));
    expect(streamed.slice(0, 4).map(({ type }) => type)).toEqual([
      ...['response.created', 'response.queued', 'keepalive', 'response.in_progress'],
    ]);
    expect(streamed.at(-1)?.type).toBe('response.completed');
  });

  test('its stream is given again, from any event on, if it was created with one', async () => {
    expect(await events('GET', `/responses/${id}?stream=true`)).toEqual(streamed);
    expect(await events('GET', `/responses/${id}?stream=true&starting_after=5`)).toEqual(streamed.slice(6));
    const other = await read('POST', '/responses', asked);
    const { status, body } = await read('GET', `/responses/${other.body.id}?stream=true`);
    expect([status, body.error?.param]).toEqual([400, 'stream']);
  });

  test('it is cancelled while it runs, and twice; a response that is complete, or was not in the background, is not', async () => {
    const running = (await read('POST', '/responses', { ...asked, stream: false })).body.id;
    const cancelled = await read('POST', `/responses/${running}/cancel`);
    expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled']);
    await sleep(300);
    expect((await read('POST', `/responses/${running}/cancel`)).body.status).toBe('cancelled');
    expect((await read('POST', `/responses/${id}/cancel`)).status).toBe(400);
    const plain = await read('POST', '/responses', { ...asked, background: false });
    expect((await read('POST', `/responses/${plain.body.id}/cancel`)).status).toBe(400);
    expect((await read('GET', `/responses/${plain.body.id}`)).body).toEqual(plain.body);
  });

  test('it is deleted, and what is unknown is not found', async () => {
    const { body } = await read('POST', '/responses', asked);
    expect((await read('DELETE', `/responses/${body.id}`)).body).toMatchObject({
      id: body.id,
      deleted: true,
    });
    for (const method of ['GET', 'DELETE'])
      expect((await read(method, `/responses/${body.id}`)).status).toBe(404);
    expect((await read('POST', `/responses/${body.id}/cancel`)).status).toBe(404);
  });
});

test('Azure refuses one that is not stored; OpenAI takes it', async () => {
  const statuses = await Promise.all(
    Object.values(accounts).map(async ({ base, headers }) => {
      const body = JSON.stringify({ ...asked, store: false });
      const json = { ...headers, 'content-type': 'application/json' };
      return (await fetch(`${sandbox.url}${base}/responses`, { method: 'POST', headers: json, body })).status;
    }),
  );
  expect(statuses).toEqual([200, 400]);
});
