/** Guardrails hold for what no one waits for: lines of batches, responses in the background, streams that are read again. */
import OpenAI, { toFile } from 'openai';
import { beforeAll, expect, test } from 'vitest';
import { signInAs } from '../../harness/admin/admin-client.ts';
import { useGateway } from '../../harness/gateways/use-gateway.ts';
import { startUpstream } from '../../harness/upstream.ts';
import { use } from '../../harness/use.ts';

const gateway = useGateway({ GATEWAY_BATCH_POLL_MS: '100', GATEWAY_SANDBOX_BATCH_MS: '500' });
const tenant = 'guarded-batches';
const endpoint = '/v1/chat/completions';
const address = 'ada@example.com';
let client: OpenAI;
const detector = use(() => startUpstream());

const rules = [
  { id: 'names', kind: 'words', words: ['Aurora'], on: ['input'], action: 'block' },
  { id: 'people', kind: 'pii', types: ['email'], on: ['input'], action: 'redact' },
  { id: 'echoes', kind: 'words', words: ['Borealis'], on: ['output'], action: 'block' },
];

beforeAll(async () => {
  const operator = await signInAs(gateway(), { id: 'olga', name: 'Olga', role: 'operator' });
  await operator.call('POST', '/tenants', { body: { tenant } });
  const apiKey = (await operator.call('POST', '/keys', { body: { tenant } })).body.key;
  const path = `/tenants/${tenant}/guardrails/house`;
  expect((await operator.call('PUT', path, { body: { always: true, rules } })).status).toBe(200);
  client = new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey, maxRetries: 0 });
});

interface Line {
  readonly custom_id: string;
  readonly response: {
    readonly status_code: number;
    readonly body: {
      readonly choices?: readonly {
        readonly message: { readonly content: string };
        readonly finish_reason: string;
      }[];
      readonly error?: { readonly code: string };
    };
  };
}

/** Runs them as a batch; their answers by their ids. */
async function answersOf(
  lines: readonly object[],
  own = client,
): Promise<ReadonlyMap<string, Line['response']>> {
  const file = await toFile(Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')), 'lines.jsonl');
  const { id } = await own.files.create({ file, purpose: 'batch' });
  const order = { input_file_id: id, endpoint, completion_window: '24h', extra: { batch: 'any' } } as const;
  let batch = await own.batches.create(order as never);
  while (!['completed', 'failed'].includes(batch.status)) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    batch = await own.batches.retrieve(batch.id);
  }
  const files = [batch.output_file_id, batch.error_file_id].flatMap((one) => one ?? []);
  const texts = await Promise.all(files.map(async (one) => (await own.files.content(one)).text()));
  const found = texts
    .join('')
    .split('\n')
    .filter((line) => line !== '');
  return new Map(
    found.map((line) => JSON.parse(line) as Line).map((line) => [line.custom_id, line.response]),
  );
}

const models = { native: 'openai/gpt-4.1', live: 'deepseek/deepseek-v4-flash' };

const lineOf = (id: string, model: string, content: string) => ({
  custom_id: id,
  method: 'POST',
  url: endpoint,
  body: { model, messages: [{ role: 'user', content }], max_tokens: 50 },
});

const asked = { blocked: 'Project Aurora', redacted: `Write to ${address}.`, answered: 'Borealis' };

test('lines of a provider’s batch and single requests are looked at alike', { timeout: 60_000 }, async () => {
  const lines = Object.entries(models).flatMap(([how, model]) =>
    Object.entries(asked).map(([what, content]) => lineOf(`${how} ${what}`, model, content)),
  );
  const found = await answersOf(lines);
  for (const how of Object.keys(models)) {
    expect(found.get(`${how} blocked`)).toMatchObject({
      status_code: 400,
      body: { error: { code: 'content_policy_violation' } },
    });
    const redacted = found.get(`${how} redacted`);
    expect(redacted?.status_code).toBe(200);
    expect(redacted?.body.choices?.[0]?.message.content).toContain(address);
    const answered = found.get(`${how} answered`);
    expect(JSON.stringify(answered)).not.toContain('Borealis');
  }
});

test('a detector elsewhere is asked once about each line', {
  timeout: 60_000,
}, async () => {
  const contents: string[] = [];
  detector.script(({ text }, response) => {
    contents.push(/(native|live) \w+/.exec(text)?.[0] ?? text);
    response.writeHead(200).end(JSON.stringify({ action: text.includes('forbidden') ? 'BLOCKED' : 'NONE' }));
  });
  const operator = await signInAs(gateway(), { id: 'olga', name: 'Olga', role: 'operator' });
  const other = 'detected-batches';
  await operator.call('POST', '/tenants', { body: { tenant: other } });
  const apiKey = (await operator.call('POST', '/keys', { body: { tenant: other } })).body.key;
  const rule = {
    id: 'house',
    kind: 'webhook',
    url: detector.url,
    on: ['input'],
    action: 'block',
  };
  const put = await operator.call('PUT', `/tenants/${other}/guardrails/house`, {
    body: { always: true, rules: [rule] },
  });
  expect([put.status, put.body.error]).toEqual([200, undefined]);
  const lines = Object.entries(models).flatMap(([how, model]) =>
    ['good', 'forbidden'].map((what) => lineOf(`${how} ${what}`, model, `${how} ${what}`)),
  );
  const found = await answersOf(lines, new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey, maxRetries: 0 }));
  expect(lines.map(({ custom_id: id }) => [id, found.get(id)?.status_code])).toEqual([
    ['native good', 200],
    ['native forbidden', 400],
    ['live good', 200],
    ['live forbidden', 400],
  ]);
  expect(contents.toSorted()).toEqual(['live forbidden', 'live good', 'native forbidden', 'native good']);
});

test('a response in the background is blocked, or has its answer back', { timeout: 30_000 }, async () => {
  const model = 'openai/gpt-4.1';
  const respond = async (input: string) => {
    let response = await client.responses.create({ model, input, background: true });
    while (['queued', 'in_progress'].includes(response.status ?? '')) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      response = await client.responses.retrieve(response.id);
    }
    return response;
  };
  const blocked = await respond(asked.blocked).catch((error: unknown) => error);
  expect(JSON.stringify(blocked)).not.toContain('Aurora"');
  expect((await respond(asked.redacted)).output_text).toContain(address);
  expect(JSON.stringify((await respond(asked.answered)).output)).not.toContain('Borealis');
});

test('a stream that is read again says what it said first', async () => {
  const body = {
    model: 'openai/gpt-4.1',
    messages: [{ role: 'user', content: asked.answered }],
    stream: true,
  };
  const first = await client.chat.completions
    .create({ ...body, extra: { resumable: true } } as never)
    .asResponse();
  const text = await first.text();
  expect(text).not.toContain('Borealis');
  const path = `${gateway().url}/v1/streams/${first.headers.get('x-stream-id')}`;
  const again = await fetch(path, { headers: { authorization: `Bearer ${client.apiKey}` } });
  expect(await again.text()).toBe(text);
});
