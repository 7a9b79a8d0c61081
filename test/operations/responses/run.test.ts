/** The worker of a background response where something fails. */
import { expect, test } from 'vitest';
import type { BackgroundStore, Run, RunEnd } from '../../../lib/core/background.ts';
import { createRunResponse, type RunParts } from '../../../lib/operations/responses/background/run.ts';

const part = { owner: 'resp_1', name: 'a', key: '', pieces: 1, bytes: 1, expiresAt: 0 };

const run: Run = {
  ...{ tenant: 'acme', id: 'resp_1', status: 'in_progress', keyHash: 'a-hash', headers: {}, streamed: true },
  ...{ aliveAt: 0, starts: 1, losses: 0, request: part, begun: part, logKey: '', expiresAt: 0 },
};

/** Runs it, and gives how it ended. */
async function ran(changes: Partial<BackgroundStore>, answer: RunParts['answer']) {
  const ends: RunEnd[] = [];
  const runs: BackgroundStore = {
    create: async () => run,
    find: async () => run,
    read: async () => ({ id: 'resp_1', created_at: 1 }),
    begin: async () => run,
    renew: async () => true,
    noteUpstream: async () => true,
    handOver: async () => true,
    requeue: async () => true,
    end: async (_run, _worker, end) => ends.push(end) > 0,
    cancel: async () => true,
    fail: async () => true,
    restart: async () => true,
    remove: async () => run,
    append: async (_run, n) => n + 1,
    follow: async () => undefined,
    ...changes,
  };
  const responses = { find: async () => undefined, put: async () => {}, delete: async () => false };
  const log = { info() {}, warn() {}, error() {} };
  const newId = (prefix: string) => `${prefix}1`;
  const end = async () => {};
  const runResponse = createRunResponse({ runs, responses, log, newId, now: Date.now, end, answer });
  await runResponse(run, { requestId: 'a-worker', remainingMs: () => 60_000 });
  return ends;
}

const unused: RunParts['answer'] = () => expect.fail('It was asked.');

test('a run that another worker has, or that is deleted, is left alone', async () => {
  expect(await ran({ begin: async () => undefined }, unused)).toEqual([]);
  expect(await ran({ read: async () => undefined }, unused)).toEqual([]);
});

test('a run that could not begin rejects, so that its caller can retry', async () => {
  await expect(ran({ begin: () => Promise.reject(new Error('No table.')) }, unused)).rejects.toThrow(
    'No table.',
  );
});

test('what a caller would have got as an error makes a response that has failed, with its last event', async () => {
  const body = JSON.stringify({ error: { message: 'Too many requests.' } });
  let written = '';
  const append: BackgroundStore['append'] = async (_run, n, text) => {
    written += text;
    return n + 1;
  };
  const ends = await ran({ append }, async () => ({ statusCode: 429, body }));
  const error = { code: 'rate_limit_exceeded', message: 'Too many requests.' };
  expect(ends).toMatchObject([{ status: 'failed', final: { id: 'resp_1', status: 'failed', error } }]);
  expect(written).toMatch(/^event: response.failed\ndata: \{"type":"response.failed","sequence_number":2,/);
});
