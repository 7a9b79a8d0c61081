/** An exception that one request leaves behind ends no other request, and the process that it happened in is replaced. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ServerProcess, spawnServer } from '../harness/gateways/served-gateway.ts';
import { readAnswer } from './paced-answer.ts';

let server: Omit<ServerProcess, 'url'> | undefined;
let directory = '';
/** When it is there, streams end. */
let end = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gateway-crashes-'));
  end = join(directory, 'end');
});
afterEach(async () => {
  server?.signal('SIGTERM');
  server?.signal('SIGINT');
  await server?.ended;
  await rm(directory, { recursive: true });
});

function spawn(settings: Record<string, string> = {}) {
  server = spawnServer(join(import.meta.dirname, 'crashing-server.ts'), {
    AWS_REGION: 'us-east-1',
    ACCESS_TABLE: 'access',
    PORT: '0',
    GATEWAY_DRAIN_SECONDS: '1',
    TEST_END: end,
    ...settings,
  });
  return server;
}

async function start(settings: Record<string, string> = {}) {
  const one = spawn(settings);
  const { url } = await one.line('server listens');
  const post = (path: string) => fetch(`${url}${path}`, { method: 'POST', body: 'a secret' });
  const talk = async (words: number) => readAnswer(await post(`/v1/chat/completions?words=${words}`));
  return { one, post, talk };
}

test.each(['callback', 'promise'])('an exception in a %s', async (how) => {
  const { one, post, talk } = await start();
  const stream = await talk(5_000);
  await stream.has(100);
  const crashed = post(`/v1/embeddings?how=${how}`);
  const line = await one.line('uncaught exception');
  expect(line).toMatchObject({ level: 'ERROR', stack: expect.arrayContaining(['TypeError']) });
  // Another takes its place, while the stream goes on.
  const replacement = await one.line('worker ready', ({ worker }) => worker === 2);
  expect(stream.text()).not.toContain('the end');
  const length = stream.text().length;
  await stream.has(length + 100);
  let later = await talk(1);
  while (!(await later.whole).includes(`of ${replacement.pid}`)) {
    await pause(50);
    later = await talk(1);
  }
  await writeFile(end, '');
  const text = await stream.whole;
  expect(text).toMatch(/the end\n$/);
  expect(text).not.toContain(`of ${replacement.pid}`);
  // The one that threw has no answer, and is ended by its own time limit.
  const answer = await crashed;
  expect([answer.status, await answer.json()]).toMatchObject([503, { error: { code: 'gateway_timeout' } }]);
  expect(JSON.stringify(one.lines)).not.toContain('secret');
});

test('exceptions again and again start no more than twice as many processes, with longer and longer breaks', async () => {
  const { one, post, talk } = await start();
  const stream = await talk(5_000);
  const stopAt = Date.now() + 3_000;
  while (Date.now() < stopAt) {
    post('/v1/embeddings').catch(() => {});
    await pause(20);
  }
  await writeFile(end, '');
  expect(await stream.whole).toContain('the end');
  // After the first break of half a second, they are of 1, 2, and 4 seconds.
  expect(one.lines.filter(({ message }) => message === 'worker ready').length).toBeLessThan(5);
});

test('a worker that hangs is ended, and another takes its place', async () => {
  const { one, post, talk } = await start({ TEST_PATIENCE: '1', GATEWAY_WORKERS: '2' });
  const hanging = post('/v1/embeddings?how=loop').catch(() => 'cut');
  expect(await one.line('worker hangs')).toMatchObject({ level: 'ERROR' });
  expect(await hanging).toBe('cut');
  await one.line('worker ready', ({ worker }) => worker === 3);
  expect(await (await talk(1)).whole).toContain('the end');
});

test('a worker that dies at its start ends a server that has never served', async () => {
  const one = spawn({ AWS_REGION: '' });
  expect(await one.ended).toBe(1);
  await one.line('server did not start');
});
