/** Anthropic's Message Batches, against their sandbox. */
import { beforeEach, describe, expect, test } from 'vitest';
import { anthropicBatches as form } from '../../../lib/providers/batches/anthropic.ts';
import type { JobToSubmit, LineResult } from '../../../lib/providers/batches/batch-form.ts';
import { collect, jobOf, useBatchSandbox } from './batch-sandbox.ts';

const { state, accountOf } = useBatchSandbox();
const account = () => accountOf('anthropic');

const model = 'claude-sonnet-4-5';
const saying = (text: string) => ({ max_tokens: 100, messages: [{ role: 'user', content: text }] });
const texts = Array.from({ length: 20 }, (_, n) => `Number ${n}: Grüße\u2028und "Zeichen" 😀`);
const jobFor = (bodies: readonly object[]) => jobOf(model, '/messages', bodies);
const submit = (job: JobToSubmit) => form.submit(account(), job, async () => {});

const bodyOf = (result: LineResult | undefined) =>
  result && 'body' in result ? JSON.parse(result.body) : undefined;
const statusOf = (result: LineResult) => ('status' in result ? result.status : result.unanswered);

beforeEach(() => {
  Object.assign(state, { answered: 1, isExpired: false, loses: () => undefined });
});

test('each request is answered as it is alone, in an order of its own', async () => {
  state.answered = 0;
  const upstream = await submit(jobFor(texts.map(saying)));
  expect(await form.poll(account(), upstream)).toMatchObject({ state: 'running' });
  state.answered = 1;
  expect(await form.poll(account(), upstream)).toEqual({
    state: 'ended',
    counts: { completed: texts.length, failed: 0 },
  });
  const results = await collect(form.results(account(), upstream));
  expect([...results.keys()]).not.toEqual(texts.map((_, n) => n));
  for (const [n, text] of texts.entries())
    expect(bodyOf(results.get(n)).content).toEqual([
      { type: 'text', text: `This is the anthropic sandbox, in place of ${model}. You said: ${text}` },
    ]);
  await form.remove(account(), upstream);
  await form.remove(account(), upstream);
  expect(await form.poll(account(), upstream)).toEqual({ state: 'missing' });
});

test('errors have their statuses, also where all requests fail', async () => {
  const bodies = [
    { ...saying('One.'), temperature: 7 },
    { messages: [] },
    { ...saying('Two.'), stream: true },
  ];
  const upstream = await submit(jobFor(bodies));
  expect(await form.poll(account(), upstream)).toMatchObject({ counts: { completed: 0, failed: 3 } });
  const results = await collect(form.results(account(), upstream));
  expect([...results.values()].map(statusOf)).toEqual([400, 400, 400]);
  expect(bodyOf(results.get(0))).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
});

test.each([
  ['cancelled', { isExpired: false }],
  ['expired', { isExpired: true }],
])('what was answered before a batch is %s stays', async (why, { isExpired }) => {
  Object.assign(state, { answered: 0.5, isExpired });
  const upstream = await submit(jobFor(texts.map(saying)));
  if (!isExpired) {
    await expect(form.remove(account(), upstream)).rejects.toMatchObject({ name: 'GatewayError' });
    await form.cancel(account(), upstream);
  }
  state.answered = 1;
  await form.cancel(account(), upstream);
  expect(await form.poll(account(), upstream)).toMatchObject({ state: 'ended' });
  const statuses = [...(await collect(form.results(account(), upstream))).values()].map(statusOf);
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  expect(statuses.filter((status) => status === why)).toHaveLength(10);
});

describe('after a lost answer', () => {
  const isCreation = ({ method, path }: { method: string; path: string }) =>
    method === 'POST' && path === '/messages/batches';

  async function lose(what: 'answer' | 'request', job: JobToSubmit) {
    state.loses = (request) => (isCreation(request) ? what : undefined);
    await expect(submit(job)).rejects.toMatchObject({ name: 'GatewayError' });
    state.loses = () => undefined;
  }
  const soughtFor = (job: JobToSubmit) => ({ ...job, submittingAt: Date.now() });

  test('one that has ended is known by its results', async () => {
    await submit(jobFor([saying('Of another.'), saying('Of another.')]));
    const job = jobFor([saying('One.'), saying('Two.')]);
    await lose('answer', job);
    const [found = {}, ...others] = await form.find(account(), soughtFor(job), undefined);
    expect(others).toEqual([]);
    const results = await collect(form.results(account(), found));
    expect([...results.values()].every(({ id }) => id.startsWith(job.id))).toBe(true);
  });

  test('one that runs is known by its time and count, and certain at its end', async () => {
    state.answered = 0.5;
    const job = jobFor(texts.slice(0, 3).map(saying));
    await lose('answer', job);
    const [found = {}] = await form.find(account(), soughtFor(job), undefined);
    expect(found).toEqual({ job: expect.any(String), sought: job.id });
    await form.cancel(account(), found);
    expect(await form.poll(account(), found)).toMatchObject({ state: 'running' });
    state.answered = 1;
    expect(await form.poll(account(), found)).toMatchObject({
      state: 'ended',
      upstream: { job: found.job },
    });
  });

  test('another one is left alone, and is missing in the end', async () => {
    state.answered = 0.5;
    const other = await submit(jobFor(texts.slice(0, 4).map(saying)));
    const job = jobFor(texts.slice(0, 4).map(saying));
    await lose('request', job);
    const [found = {}] = await form.find(account(), soughtFor(job), undefined);
    expect(found).toEqual({ ...other, sought: job.id });
    await form.cancel(account(), found);
    await form.remove(account(), found);
    state.answered = 1;
    expect(await form.poll(account(), found)).toEqual({ state: 'missing' });
    expect(await form.find(account(), soughtFor(job), undefined)).toEqual([]);
    expect(await form.poll(account(), other)).toMatchObject({ counts: { completed: 4 } });
  });

  test('none of another count or time is taken for it', async () => {
    const job = jobFor(texts.slice(0, 5).map(saying));
    await submit(job);
    expect(await form.find(account(), { ...soughtFor(job), count: 6 }, undefined)).toEqual([]);
    const later = Date.now() + 3_600_000;
    expect(await form.find(account(), { ...job, submittingAt: later }, undefined)).toEqual([]);
  });
});

test('a request that is refused is refused as a whole', async () => {
  const job = jobFor([saying('One.'), saying('Two.')]);
  async function* twice() {
    for await (const line of job.lines()) yield { ...line, id: job.id };
  }
  await expect(submit({ ...job, lines: twice })).rejects.toMatchObject({ kind: 'upstream_bad_request' });
});

test('betas are those of a whole batch', async () => {
  const headers = { 'anthropic-beta': 'context-management-2025-06-27' };
  const body = { ...saying('One.'), context_management: { edits: [] } };
  const job = jobFor([body]);
  async function* withBetas() {
    for await (const { id, request } of job.lines()) yield { id, request: { ...request, headers } };
  }
  const upstream = await submit({ ...job, lines: withBetas });
  await form.poll(account(), upstream);
  const [result] = (await collect(form.results(account(), upstream))).values();
  expect(result && statusOf(result)).toBe(200);
  const line = { path: '/messages', body };
  expect(form.shared?.({ ...line, headers })).not.toBe(form.shared?.(line));
  expect(form.refusal?.(line)).toBeUndefined();
  expect(form.refusal?.({ ...line, body: { ...body, speed: 'fast' } })).toMatch(/fast/);
  expect(form.refusal?.({ ...line, path: '/chat/completions' })).toMatch(/no batches/);
});
