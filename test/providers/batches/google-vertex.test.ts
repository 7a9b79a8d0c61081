/** Batches on Vertex, of Gemini and of Claude, against the sandbox and its buckets. */
import { beforeEach, describe, expect, test } from 'vitest';
import {
  vertexClaudeBatches as claudeForm,
  vertexGeminiBatches as form,
} from '../../../lib/providers/batches/google-vertex/form.ts';
import { answerOf, jobAt, look, submit, useBatchSandbox } from './batch-sandbox.ts';

const { state: batches, accountOf } = useBatchSandbox();

beforeEach(() => {
  Object.assign(batches, { answered: 0, isExpired: false, loses: () => undefined, asked: [], requests: [] });
});

const settings = { project: 'local', location: 'europe-west1', 'batch-bucket': 'sandbox-batches' };
const open = (changed: Readonly<Record<string, string>> = {}) =>
  accountOf('google-vertex', { ...settings, ...changed });
const openClaude = (changed: Readonly<Record<string, string>> = {}) =>
  accountOf('google-vertex-anthropic', { ...settings, ...changed });

const gemini = 'gemini-3.7-flash';
const path = `/publishers/google/models/${gemini}:generateContent`;
const saying = (text: string) => ({ contents: [{ role: 'user', parts: [{ text }] }] });
const jobSaying = (...texts: readonly string[]) => jobAt(gemini, path, texts.map(saying));

const claude = 'claude-sonnet-4-5@20250929';
const rawPredict = `/publishers/anthropic/models/${claude}:rawPredict`;
const asking = (text: string) => ({
  anthropic_version: 'vertex-2023-10-16',
  max_tokens: 100,
  messages: [{ role: 'user', content: text }],
});

describe('a job', () => {
  test('of Gemini is submitted, followed, read and removed', async () => {
    const account = open();
    const job = jobSaying('one', 'two', 'three');
    const { upstream, noted } = await submit(form, account, job);
    const files = { bucket: 'sandbox-batches', prefix: `vertex/${job.id}/` };
    expect(noted).toEqual([files, { ...files, job: expect.stringMatching(/^\d+$/) }]);
    expect(await form.poll(account, upstream)).toMatchObject({ state: 'running' });
    batches.answered = 1;
    const { state, byLine, order } = await look(form, account, upstream);
    expect(state).toEqual({ state: 'ended', counts: { completed: 3, failed: 0 } });
    expect(order.toSorted()).toEqual([0, 1, 2]);
    const { status, body } = answerOf(byLine.get(1));
    expect(status).toBe(200);
    expect(body.candidates[0].content.parts[0].text).toContain('two');
    await form.remove(account, upstream);
    expect((await look(form, account, upstream)).state).toEqual({ state: 'missing' });
    await form.remove(account, upstream);
  });

  test('of Claude has ids of its own', async () => {
    const bodies = [asking('one'), { ...asking('two'), max_tokens: -1 }];
    const { upstream } = await submit(claudeForm, openClaude(), jobAt(claude, rawPredict, bodies));
    batches.answered = 1;
    const { state, byLine } = await look(claudeForm, openClaude(), upstream);
    expect(state.counts).toEqual({ completed: 1, failed: 1 });
    expect(answerOf(byLine.get(0)).body.content[0].text).toContain('one');
    const { status, body } = answerOf(byLine.get(1));
    expect([status, body.error.type]).toEqual([400, 'invalid_request_error']);
  });

  test('answers a refused line as the live API does', async () => {
    const hot = { ...saying('hot'), generationConfig: { temperature: 9 } };
    const { upstream } = await submit(form, open(), jobAt(gemini, path, [saying('fine'), hot]));
    batches.answered = 1;
    const { byLine } = await look(form, open(), upstream);
    const message = 'temperature must be in the range [0.0, 2.0].';
    expect(answerOf(byLine.get(1))).toEqual({
      status: 400,
      body: { error: { code: 400, status: 'INVALID_ARGUMENT', message } },
    });
  });

  test('has one schema', async () => {
    const shaped = (type: string) => ({
      ...saying('hello'),
      generationConfig: { responseMimeType: 'application/json', responseSchema: { type } },
    });
    const shared = ['STRING', 'STRING', 'OBJECT'].map((type) => form.shared?.({ path, body: shaped(type) }));
    expect(shared[0]).toBe(shared[1]);
    expect(shared[0]).not.toBe(shared[2]);
    const defined = { generationConfig: { responseJsonSchema: { $defs: {} } }, ...saying('hello') };
    expect(form.refusal?.({ path, body: defined })).toContain('definitions');
    const deep = JSON.parse(`${'{"a":'.repeat(16)}1${'}'.repeat(16)}`);
    expect(form.refusal?.({ path, body: deep })).toContain('deeply');
    expect(form.refusal?.({ path, body: JSON.stringify(saying('hello')) })).toBeUndefined();
    expect(form.refusal?.({ path: `${path}s`, body: saying('hello') })).toContain('no batches');
    const headers = { 'anthropic-beta': 'context-1m-2025-08-07' };
    expect(claudeForm.refusal?.({ path: rawPredict, body: asking('hello'), headers })).toContain('beta');
  });
});

test('an answer that is lost is found by the name of the job, the oldest first', async () => {
  const account = open();
  const job = jobSaying('one');
  batches.loses = ({ path: asked, method }) =>
    method === 'POST' && asked.endsWith('/batchPredictionJobs') ? 'answer' : undefined;
  await expect(submit(form, account, job)).rejects.toThrow();
  batches.loses = () => undefined;
  const [found, ...others] = await form.find(account, { ...job, submittingAt: Date.now() }, undefined);
  expect(others).toEqual([]);
  const { upstream: second } = await submit(form, account, job);
  expect(await form.find(account, { ...job, submittingAt: Date.now() }, found)).toEqual([found, second]);
});

describe('a job ends', () => {
  const half = async () => {
    const { upstream } = await submit(form, open(), jobSaying('one', 'two'));
    batches.answered = 0.5;
    expect(await form.poll(open(), upstream)).toMatchObject({ state: 'running', counts: { completed: 1 } });
    return upstream;
  };

  test('cancelled, with what it has', async () => {
    const upstream = await half();
    await form.cancel(open(), upstream);
    const { state, order } = await look(form, open(), upstream);
    expect(state).toMatchObject({ state: 'ended', unanswered: 'cancelled' });
    expect(order).toHaveLength(1);
    await form.cancel(open(), upstream);
  });

  test('expired, with what it has', async () => {
    const upstream = await half();
    batches.isExpired = true;
    const { state, order } = await look(form, open(), upstream);
    expect(state).toMatchObject({ state: 'ended', unanswered: 'expired' });
    expect(order).toHaveLength(1);
  });

  test('failed, by one field with two types', async () => {
    const seed = (value: unknown) => ({ ...saying('hello'), generationConfig: { seed: value } });
    const { upstream } = await submit(form, open(), jobAt(gemini, path, [seed(1), seed('1')]));
    expect(await form.poll(open(), upstream)).toMatchObject({
      state: 'failed',
      problem: 'The job failed with code 3.',
    });
  });
});

describe('no job comes of', () => {
  test('a bucket that is not there, or not set', async () => {
    const kind = 'upstream_credentials';
    await expect(submit(form, open({ 'batch-bucket': 'other' }), jobSaying('one'))).rejects.toMatchObject({
      kind,
    });
    const { 'batch-bucket': _, ...unset } = settings;
    const account = accountOf('google-vertex', unset);
    await expect(submit(form, account, jobSaying('one'))).rejects.toMatchObject({ kind });
  });

  test('a model without batches', async () => {
    const job = jobAt('other-1', '/publishers/google/models/other-1:generateContent', [saying('one')]);
    await expect(submit(form, open(), job)).rejects.toMatchObject({ kind: 'upstream_model_missing' });
  });

  test('Claude at the global endpoint', async () => {
    const job = jobAt(claude, rawPredict, [asking('one')]);
    await expect(submit(claudeForm, openClaude({ location: 'global' }), job)).rejects.toMatchObject({
      kind: 'upstream_bad_request',
    });
  });
});
