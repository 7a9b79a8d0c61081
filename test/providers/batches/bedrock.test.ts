/** Batches of Bedrock, against the sandbox and its buckets. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/core/generation/request.ts';
import { bedrockBatches as form } from '../../../lib/providers/batches/bedrock/form.ts';
import { createSigner } from '../../../lib/transport/aws/sign-action.ts';
import { answerOf, jobAt, look, submit, useBatchSandbox } from './batch-sandbox.ts';

const { state: batches, accountOf } = useBatchSandbox();

beforeEach(() => {
  Object.assign(batches, { answered: 0, isExpired: false, loses: () => undefined, asked: [], requests: [] });
});

const region = 'us-east-1';
const settings = {
  'batch-bucket': 'sandbox-batches',
  'batch-role': 'arn:aws:iam::000000000000:role/sandbox-batches',
};
const sign = createSigner(async () => ({ accessKeyId: 'local', secretAccessKey: 'local' }));
const open = (changed: Readonly<Record<string, string>> = {}) =>
  accountOf('bedrock', { ...settings, ...changed }, { region, sign });

const nova = 'us.amazon.nova-lite-v1:0';
const converse = `/model/${encodeURIComponent(nova)}/converse`;
const saying = (text: string) => ({ messages: [{ role: 'user', content: [{ text }] }] });
const texts = (count: number) => Array.from({ length: count }, (_, index) => saying(`text ${index}`));
const jobSaying = (count: number) => jobAt(nova, converse, texts(count));

const claude = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const invoke = `/model/${encodeURIComponent(claude)}/invoke`;
const asking = (fields: JsonObject = {}) => ({
  anthropic_version: 'bedrock-2023-05-31',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'sandbox call get_weather' }],
  ...fields,
});
const weather = { name: 'get_weather', input_schema: { type: 'object', properties: {} } };

describe('a job', () => {
  test('is submitted, followed, read and removed', async () => {
    const account = open();
    const job = jobSaying(100);
    const { upstream, noted } = await submit(form, account, job);
    const files = { bucket: 'sandbox-batches', prefix: `bedrock/${job.id}/` };
    expect(noted).toEqual([files, { ...files, job: expect.stringMatching(/^[a-z0-9]{12}$/) }]);
    expect(await form.poll(account, upstream)).toMatchObject({ state: 'running' });
    batches.answered = 1;
    const { state, byLine, order } = await look(form, account, upstream);
    expect(state).toEqual({ state: 'ended', counts: { completed: 100, failed: 0 } });
    expect(order.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 100 }, (_, n) => n));
    const { status, body } = answerOf(byLine.get(7));
    expect(status).toBe(200);
    expect(body.output.message.content[0].text).toContain('text 7');
    await form.remove(account, upstream);
    expect((await look(form, account, upstream)).order).toEqual([]);
    await form.remove(account, upstream);
  });

  test('has its own access to the bucket, beside a key of Bedrock', async () => {
    await submit(form, open(), jobSaying(100));
    const [put, create] = batches.requests;
    expect(put?.headers.authorization).toMatch(/\/us-east-1\/s3\/aws4_request/);
    expect(create?.headers.authorization).toBe('Bearer a-key');
  });

  test('calls Claude by its own protocol, with tools', async () => {
    expect(form.refusal?.({ path: invoke, body: asking({ tools: [weather] }) })).toBeUndefined();
    const bodies = Array.from({ length: 100 }, () => asking({ tools: [weather] }));
    const { upstream } = await submit(form, open(), jobAt(claude, invoke, bodies));
    batches.answered = 1;
    const { body } = answerOf((await look(form, open(), upstream)).byLine.get(99));
    expect(body.content[0]).toMatchObject({ type: 'tool_use', name: 'get_weather' });
  });

  test('of the Converse API has no tools', async () => {
    const withTools = { ...saying('hello'), toolConfig: { tools: [{ toolSpec: weather }] } };
    expect(form.refusal?.({ path: converse, body: withTools })).toContain('with tools');
    expect(form.refusal?.({ path: converse, body: JSON.stringify(saying('hello')) })).toBeUndefined();
    expect(form.refusal?.({ path: `${converse}-stream`, body: saying('hello') })).toContain('no batches');
    const { upstream } = await submit(form, open(), jobAt(nova, converse, [...texts(99), withTools]));
    batches.answered = 1;
    const { state, byLine } = await look(form, open(), upstream);
    expect(state.counts).toEqual({ completed: 99, failed: 1 });
    expect(byLine.get(99)).toEqual({
      id: expect.any(String),
      status: 400,
      headers: { 'x-amzn-errortype': 'ValidationException' },
      body: '{"message":"Tool use is not supported in batch inference."}',
    });
  });
});

describe('an answer that is lost', () => {
  test('is found by the name of the job, which is created once', async () => {
    const account = open();
    const job = jobSaying(100);
    batches.loses = ({ path, method }) =>
      method === 'POST' && path.endsWith('/model-invocation-job') ? 'answer' : undefined;
    await expect(submit(form, account, job)).rejects.toThrow();
    batches.loses = () => undefined;
    const [found, ...others] = await form.find(account, { ...job, submittingAt: Date.now() }, undefined);
    expect(others).toEqual([]);
    const { upstream } = await submit(form, account, { ...job, attempt: 2 });
    expect(upstream).toEqual(found);
    expect(await form.find(account, { ...job, submittingAt: Date.now() }, found)).toEqual([found]);
  });

  test('of the file leaves no job', async () => {
    const account = open();
    const job = jobSaying(100);
    batches.loses = ({ method }) => (method === 'PUT' ? 'answer' : undefined);
    await expect(submit(form, account, job)).rejects.toThrow();
    expect(await form.find(account, { ...job, submittingAt: Date.now() }, undefined)).toEqual([]);
  });
});

describe('a job ends', () => {
  const half = async () => {
    const account = open();
    const { upstream } = await submit(form, account, jobSaying(100));
    batches.answered = 0.5;
    expect(await form.poll(account, upstream)).toMatchObject({ state: 'running', counts: { completed: 50 } });
    return { account, upstream };
  };

  test('stopped, with what it has', async () => {
    const { account, upstream } = await half();
    await form.cancel(account, upstream);
    const { state, order } = await look(form, account, upstream);
    expect(state).toMatchObject({ state: 'ended', unanswered: 'cancelled' });
    expect(order).toHaveLength(50);
    // One that has ended stays as it is.
    await form.cancel(account, upstream);
  });

  test('partially completed, with what it has', async () => {
    const { account, upstream } = await half();
    batches.isExpired = true;
    const { state, order } = await look(form, account, upstream);
    expect(state).toMatchObject({ state: 'ended', unanswered: 'expired' });
    expect(order).toHaveLength(50);
  });

  test('expired, before it began', async () => {
    const { upstream } = await submit(form, open(), jobSaying(100));
    batches.isExpired = true;
    const { state, order } = await look(form, open(), upstream);
    expect(state).toMatchObject({ state: 'ended', unanswered: 'expired' });
    expect(order).toEqual([]);
  });
});

describe('no job comes of', () => {
  test.each([
    ['99 records', texts(99), 'less records (99) than the required minimum of: 100'],
    ['a record that is no object', [...texts(99), 'true'], 'no JSON object in the required format'],
  ])('%s', async (_, bodies, problem) => {
    expect(form.limits.minLines).toBe(100);
    const { upstream } = await submit(form, open(), jobAt(nova, converse, bodies));
    expect(await form.poll(open(), upstream)).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining(problem),
    });
  });

  test('two records with one id', async () => {
    const job = jobSaying(100);
    async function* twice() {
      for await (const line of job.lines()) yield { ...line, id: line.id.replace(/_1$/, '_0') };
    }
    const { upstream } = await submit(form, open(), { ...job, lines: twice });
    expect(await form.poll(open(), upstream)).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('more than once'),
    });
  });

  test.each([
    ['a bucket that is not there', { 'batch-bucket': 'other' }, nova, 'upstream_credentials'],
    [
      'a role of another',
      { 'batch-role': 'arn:aws:iam::000000000000:role/other' },
      nova,
      'upstream_credentials',
    ],
    ['a model that is not there', {}, 'nobody.model-1', 'upstream_model_missing'],
    ['a model without batches', {}, 'cohere.rerank-v3-5:0', 'upstream_bad_request'],
  ])('%s', async (_, changed, model, kind) => {
    const job = jobAt(model, `/model/${encodeURIComponent(model)}/converse`, texts(100));
    await expect(submit(form, open(changed), job)).rejects.toMatchObject({ kind });
  });

  test('no settings, or no signature', async () => {
    const kind = 'upstream_credentials';
    await expect(
      submit(form, accountOf('bedrock', {}, { region, sign }), jobSaying(100)),
    ).rejects.toMatchObject({ kind });
    await expect(
      submit(form, accountOf('bedrock', settings, { region }), jobSaying(100)),
    ).rejects.toMatchObject({ kind });
  });

  test('a job that is not there', async () => {
    expect(await form.poll(open(), { bucket: 'b', prefix: 'p/', job: 'abcdefabcdef' })).toEqual({
      state: 'missing',
    });
  });
});
