/** The batch APIs of OpenAI's shape, each against its sandbox. */
import { beforeEach, describe, expect, test } from 'vitest';
import type {
  BatchForm,
  LineRequest,
  LineResult,
  UpstreamJob,
} from '../../../lib/providers/batches/batch-form.ts';
import { loadBatchForm } from '../../../lib/providers/batches/forms.ts';
import { collect, jobOf, useBatchSandbox } from './batch-sandbox.ts';

const { state, accountOf } = useBatchSandbox();

const models: Readonly<Record<string, string>> = {
  openai: 'gpt-4.1',
  azure: 'gpt-4.1',
  groq: 'openai/gpt-oss-20b',
  together: 'minimax/minimax-m2.7',
  mistral: 'mistral-large-2512',
  moonshot: 'kimi-k2.6',
  alibaba: 'qwen-plus',
  xai: 'grok-4.3',
};

const chat = '/chat/completions';
const saying = (text: string) => ({ messages: [{ role: 'user', content: text }] });
const texts = Array.from({ length: 20 }, (_, n) => `Number ${n}: Grüße\u2028und "Zeichen" 😀`);

const formOf = async (name: string): Promise<BatchForm> => {
  const form = await loadBatchForm(name);
  if (!form) throw new Error(`There is no form for '${name}'.`);
  return form;
};

const isCreation = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && /^\/(?:batches|batch\/jobs)$/.test(path);

const contentOf = (result: LineResult | undefined) =>
  result && 'body' in result ? JSON.parse(result.body).choices?.[0]?.message?.content : undefined;

const statusOf = (result: LineResult) => ('status' in result ? result.status : result.unanswered);

beforeEach(() => {
  Object.assign(state, { answered: 1, isExpired: false, loses: () => undefined });
  state.asked.length = 0;
});

describe.each(Object.entries(models))('the batches of %s', (provider, model) => {
  const account = accountOf.bind(undefined, provider);
  const jobFor = (bodies: readonly object[]) => jobOf(model, chat, bodies);

  async function submitted(bodies: readonly object[]) {
    const form = await formOf(provider);
    const notes: UpstreamJob[] = [];
    const upstream = await form.submit(account(), jobFor(bodies), async (noted) => void notes.push(noted));
    return { form, upstream, notes };
  }

  test('answer every line as it is answered alone, in an order of their own', async () => {
    state.answered = 0;
    const { form, upstream, notes } = await submitted(texts.map(saying));
    expect(notes).toEqual([{ file: upstream.file }, upstream]);
    expect((await form.poll(account(), upstream)).state).toBe('running');
    state.answered = 1;
    expect((await form.poll(account(), upstream)).state).toBe('ended');
    const results = await collect(form.results(account(), upstream));
    expect(results.size).toBe(texts.length);
    expect([...results.keys()]).not.toEqual(texts.map((_, n) => n));
    for (const [n, text] of texts.entries()) {
      const options = {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model, ...saying(text) }),
      };
      const alone = await account().request('POST', chat, options);
      const [body] = await Array.fromAsync(alone.body);
      const expected = JSON.parse(Buffer.from(body ?? []).toString());
      expect(contentOf(results.get(n))).toBe(expected.choices[0].message.content);
    }
  });

  test('have the statuses and errors of lines that fail, also where all do', async () => {
    const { form, upstream } = await submitted(texts.slice(0, 3).map(() => ({ messages: 'none' })));
    const { state: reached } = await form.poll(account(), upstream);
    expect(reached).toBe('ended');
    const results = [...(await collect(form.results(account(), upstream))).values()];
    expect(results.map(statusOf)).toEqual([400, 400, 400]);
    for (const result of results)
      expect('body' in result && JSON.parse(result.body).error.message).toMatch(/\w/);
  });

  test('leave what was answered before they are cancelled; a second time changes nothing', async () => {
    state.answered = 0.5;
    const { form, upstream } = await submitted(texts.map(saying));
    await form.cancel(account(), upstream);
    state.answered = 1;
    await form.cancel(account(), upstream);
    expect(await form.poll(account(), upstream)).toMatchObject({ state: 'ended', unanswered: 'cancelled' });
    const results = [...(await collect(form.results(account(), upstream))).values()].map(statusOf);
    expect(results.filter((status) => status === 200)).toHaveLength(10);
    // xAI has no results of the others.
    expect(results.filter((status) => status !== 200)).toEqual(
      provider === 'xai' ? [] : Array(10).fill('cancelled'),
    );
  });

  test('leave what was answered before they expire', async () => {
    Object.assign(state, { answered: 0.25, isExpired: true });
    const { form, upstream } = await submitted(texts.map(saying));
    expect((await form.poll(account(), upstream)).state).toBe('ended');
    const results = [...(await collect(form.results(account(), upstream))).values()].map(statusOf);
    expect(results.filter((status) => status === 200)).toHaveLength(5);
    expect(results.filter((status) => status !== 200)).toEqual(
      provider === 'xai' ? [] : Array(15).fill('expired'),
    );
  });

  test('are found after a lost answer, and not where they were not made', async () => {
    const form = await formOf(provider);
    for (const lost of ['answer', 'request'] as const) {
      const job = jobFor(texts.slice(0, 2).map(saying));
      const notes: UpstreamJob[] = [];
      state.loses = (request) => (isCreation(request) ? lost : undefined);
      const submission = form.submit(account(), job, async (noted) => void notes.push(noted));
      await expect(submission).rejects.toMatchObject({ name: 'GatewayError' });
      state.loses = () => undefined;
      const sought = { ...job, submittingAt: Date.now() };
      const found = await form.find(account(), sought, notes.at(-1));
      expect(found).toHaveLength(lost === 'answer' ? 1 : 0);
      for (const upstream of found) {
        expect(upstream.file).toBe(notes[0]?.file);
        const results = await collect(form.results(account(), upstream));
        expect([...results.values()].map(({ id }) => id).every((id) => id.startsWith(job.id))).toBe(true);
      }
      expect(await form.find(account(), { ...sought, id: 'other' }, undefined)).toEqual([]);
    }
  });

  test('fail as a whole for a file that is wrong', async () => {
    const form = await formOf(provider);
    const job = jobFor(texts.slice(0, 2).map(saying));
    async function* twice() {
      for await (const line of job.lines()) yield { ...line, id: job.id };
    }
    const upstream = await form.submit(account(), { ...job, lines: twice }, async () => {});
    const { state: reached, problem } = await form.poll(account(), upstream);
    expect(reached).toBe('failed');
    expect(problem).toMatch(/duplicate_custom_id \(line 2\)|was already used/);
    await form.remove(account(), upstream);
  });

  test('leave no file behind, and are missing where they never were', async () => {
    const { form, upstream } = await submitted([saying('One.'), { messages: 'none' }]);
    await form.poll(account(), upstream);
    await form.remove(account(), upstream);
    await form.remove(account(), upstream);
    const deleted = new Set(state.asked.filter((asked) => asked.startsWith('DELETE /files/')));
    expect(deleted.size).toBe(provider === 'xai' ? 1 : 3);
    const none = { file: 'file-none', job: 'batch_none' };
    expect(await form.poll(account(), none)).toEqual({ state: 'missing' });
    await form.cancel(account(), none);
    await form.remove(account(), none);
  });

  test('take no other requests', async () => {
    const { refusal } = await formOf(provider);
    expect(refusal?.({ path: chat, body: {} })).toBeUndefined();
    expect(refusal?.({ path: '/audio/speech', body: {} })).toBe(
      'The provider has no batches of /audio/speech.',
    );
  });
});

describe('the batches of OpenAI', () => {
  test('answer responses and embeddings too', async () => {
    const form = await formOf('openai');
    const account = accountOf('openai');
    for (const [path, model, object] of [
      ['/responses', 'gpt-4.1', 'response'],
      ['/embeddings', 'text-embedding-3-small', 'list'],
    ] as const) {
      const upstream = await form.submit(account, jobOf(model, path, [{ input: 'A text.' }]), async () => {});
      expect(await form.poll(account, upstream)).toMatchObject({ state: 'ended' });
      const [result] = (await collect(form.results(account, upstream))).values();
      expect(result && 'body' in result && JSON.parse(result.body).object).toBe(object);
    }
  });
});

test('Azure has deployments of their own for batches, by a suffix', async () => {
  const form = await formOf('azure');
  const account = accountOf('azure', { 'batch-suffix': '-batch' });
  const upstream = await form.submit(account, jobOf('gpt-4.1', chat, [saying('One.')]), async () => {});
  expect((await form.poll(account, upstream)).state).toBe('ended');
  const [result] = (await collect(form.results(account, upstream))).values();
  expect(contentOf(result)).toContain('in place of gpt-4.1-batch');
});

test('at Alibaba, all lines of a job think or none does', async () => {
  const form = await formOf('alibaba');
  const account = accountOf('alibaba');
  const bodies = [{ ...saying('One.'), enable_thinking: true }, saying('Two.')];
  const upstream = await form.submit(account, jobOf('qwen-plus', chat, bodies), async () => {});
  expect((await form.poll(account, upstream)).state).toBe('failed');
  const sharedBy = (body: LineRequest['body']) => form.shared?.({ path: chat, body });
  const [first, second] = bodies.map((body) => sharedBy(JSON.stringify(body)));
  expect(first).not.toBe(second);
  expect(sharedBy(bodies[1] ?? {})).toBe(second);
});
