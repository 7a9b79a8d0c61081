/** Batches of the Gemini API, against the sandbox. */
import { beforeEach, describe, expect, test } from 'vitest';
import { googleBatches as form } from '../../../lib/providers/batches/google/form.ts';
import { answerOf, jobAt, look, submit, useBatchSandbox } from './batch-sandbox.ts';

const { state: batches, accountOf } = useBatchSandbox();

beforeEach(() => {
  Object.assign(batches, { answered: 0, isExpired: false, loses: () => undefined, asked: [], requests: [] });
});

const model = 'gemini-3.7-flash';
const path = `/models/${model}:generateContent`;
const saying = (text: string) => ({ contents: [{ role: 'user', parts: [{ text }] }] });
const jobSaying = (...texts: readonly string[]) => jobAt(model, path, texts.map(saying));

describe('a batch', () => {
  test('is submitted, followed, read and removed', async () => {
    const account = accountOf('google');
    const job = jobSaying('one', 'two', 'three');
    const { upstream, noted } = await submit(form, account, job);
    expect(noted).toEqual([{ file: upstream.file }, upstream]);
    expect(await form.poll(account, upstream)).toEqual({
      state: 'running',
      counts: { completed: 0, failed: 0 },
    });
    batches.answered = 1;
    const { state, byLine, order, upstream: known } = await look(form, account, upstream);
    expect(state).toMatchObject({ state: 'ended', counts: { completed: 3, failed: 0 } });
    expect(order.toSorted()).toEqual([0, 1, 2]);
    const answer = answerOf(byLine.get(1));
    expect(answer.status).toBe(200);
    expect(answer.body.candidates[0].content.parts[0].text).toContain('two');
    await form.remove(account, known);
    expect(await form.poll(account, known)).toEqual({ state: 'missing' });
    // Twice is once.
    await form.remove(account, known);
  });

  test('is uploaded in parts', async () => {
    const long = 'long '.repeat(30_000);
    const job = jobSaying(...Array.from({ length: 60 }, (_, index) => `${index} ${long}`));
    const { upstream } = await submit(form, accountOf('google'), job);
    const parts = batches.requests.filter(({ query }) => query.has('upload_id'));
    expect(parts.map(({ headers }) => headers['x-goog-upload-command'])).toEqual([
      'upload',
      'upload, finalize',
    ]);
    batches.answered = 1;
    expect(await form.poll(accountOf('google'), upstream)).toMatchObject({ counts: { completed: 60 } });
  });

  test('answers a refused line as the live API does', async () => {
    const job = jobAt(model, path, [
      saying('fine'),
      { ...saying('hot'), generationConfig: { temperature: 9 } },
    ]);
    const { upstream } = await submit(form, accountOf('google'), job);
    batches.answered = 1;
    const { state, byLine } = await look(form, accountOf('google'), upstream);
    expect(state.counts).toEqual({ completed: 1, failed: 1 });
    expect(answerOf(byLine.get(1))).toEqual({
      status: 400,
      body: {
        error: {
          code: 400,
          status: 'INVALID_ARGUMENT',
          message: 'temperature must be in the range [0.0, 2.0].',
        },
      },
    });
  });

  test('embeds one text with each line', async () => {
    const embedder = 'gemini-embedding-001';
    const embedding = `/models/${embedder}:batchEmbedContents`;
    const asking = (...texts: readonly string[]) => ({
      requests: texts.map((text) => ({ model: `models/${embedder}`, content: { parts: [{ text }] } })),
    });
    expect(form.refusal?.({ path: embedding, body: asking('one', 'two') })).toContain('one text');
    expect(form.refusal?.({ path: embedding, body: asking('one') })).toBeUndefined();
    const { upstream } = await submit(form, accountOf('google'), jobAt(embedder, embedding, [asking('one')]));
    batches.answered = 1;
    const { body } = answerOf((await look(form, accountOf('google'), upstream)).byLine.get(0));
    expect(body.embeddings[0].values).toHaveLength(3_072);
    expect(body.usageMetadata).toEqual({ promptTokenCount: 1 });
  });

  test('has no place for other requests', () => {
    expect(form.refusal?.({ path: `/models/${model}:countTokens`, body: {} })).toContain('no batches');
    expect(form.refusal?.({ path, body: saying('fine') })).toBeUndefined();
  });
});

describe('an answer that is lost', () => {
  test('is found by the name of the job, the oldest batch first', async () => {
    const account = accountOf('google');
    const job = jobSaying('one');
    batches.loses = (request) => (request.path.endsWith(':batchGenerateContent') ? 'answer' : undefined);
    await expect(submit(form, account, job)).rejects.toThrow();
    batches.loses = () => undefined;
    const [found, ...others] = await form.find(account, { ...job, submittingAt: Date.now() }, undefined);
    expect(others).toEqual([]);
    const { upstream: second } = await submit(form, account, job);
    const all = await form.find(account, { ...job, submittingAt: Date.now() }, undefined);
    expect(all).toEqual([found, second]);
    batches.answered = 1;
    expect((await look(form, account, found ?? {})).order).toEqual([0]);
  });

  test('of an upload leaves no batch', async () => {
    const account = accountOf('google');
    const job = jobSaying('one');
    batches.loses = ({ query }) => (query.has('upload_id') ? 'answer' : undefined);
    await expect(submit(form, account, job)).rejects.toThrow();
    expect(await form.find(account, { ...job, submittingAt: Date.now() }, undefined)).toEqual([]);
  });
});

describe('a batch ends', () => {
  test('cancelled, without results', async () => {
    const account = accountOf('google');
    const { upstream } = await submit(form, account, jobSaying('one', 'two'));
    batches.answered = 0.5;
    expect(await form.poll(account, upstream)).toMatchObject({ state: 'running', counts: { completed: 1 } });
    await form.cancel(account, upstream);
    const { state, order } = await look(form, account, upstream);
    expect(state).toMatchObject({ state: 'ended', unanswered: 'cancelled' });
    expect(order).toEqual([]);
    // One that has ended stays as it is.
    await form.cancel(account, upstream);
  });

  test('expired, without results', async () => {
    const account = accountOf('google');
    const { upstream } = await submit(form, account, jobSaying('one', 'two'));
    batches.answered = 0.5;
    batches.isExpired = true;
    const { state, order } = await look(form, account, upstream);
    expect(state).toMatchObject({ state: 'ended', unanswered: 'expired' });
    expect(order).toEqual([]);
  });
});

describe('no batch comes of', () => {
  test('a file with one row that cannot be read', async () => {
    const job = jobAt(model, path, [saying('fine'), 'true']);
    await expect(submit(form, accountOf('google'), job)).rejects.toMatchObject({
      kind: 'upstream_bad_request',
      recovery: 'none',
    });
  });

  test('a model that is not there', async () => {
    const job = jobAt('other-1', '/models/other-1:generateContent', [saying('fine')]);
    await expect(submit(form, accountOf('google'), job)).rejects.toMatchObject({
      kind: 'upstream_model_missing',
    });
  });
});
