/** Hosts, models and aliases of an operator's own through the dashboard's API, and requests that use them. */
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signInByAddress, signInByKey } from '../harness/admin/admin-client.ts';
import { chatAnswer, chatUsage } from '../harness/chat-answers.ts';
import { useGateway } from '../harness/gateways/use-gateway.ts';
import { listen } from '../harness/listening.ts';
import { textRow } from '../harness/text-model.ts';
import { use } from '../harness/use.ts';

const gateway = useGateway();
/** It speaks the OpenAI protocol. */
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const body = chatAnswer(`from ${request.url}`, chatUsage(1_000_000, 0));
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
});
afterAll(() => server.close());

let baseUrl = '';
const operator = use(() => signInByAddress(gateway()));
beforeAll(async () => {
  baseUrl = `${await listen(server)}/v1`;
});

const row = textRow({ provider: 'vllm-a', upstreamId: 'chat' }, { price: { input: 2, output: 4 } });
const host = (more: object = {}) => ({
  body: { row: { baseUrl: 'http://10.0.0.5:8000/v1', needsKey: false, ...more } },
});
const model = (more: object = {}) => ({ body: { row: { ...row, ...more } } });
const to = (...targets: object[]) => ({ body: { targets } });

const put = async (path: string, { body, headers }: { body: object; headers?: Record<string, string> }) => {
  const answer = await operator.call('PUT', path, { body, ...(headers && { headers }) });
  return [answer.status, answer.body.error?.param ?? answer.body.error?.code ?? answer.body.created ?? null];
};

async function chat(name: string) {
  const response = await gateway().post('/v1/chat/completions', {
    model: name,
    messages: [{ role: 'user', content: 'Hello.' }],
  });
  const { choices } = (await response.json()) as { choices?: [{ message: { content: string } }] };
  return [response.status, choices?.[0].message.content ?? null];
}

test('a host, a model and an alias are set, serve requests at their price, and are removed', async () => {
  const listed = async () => (await operator.call('GET', '/models?search=acme/chat')).body.data;
  expect(await listed()).toEqual([]);
  expect(await put('/hosts/vllm-a', host({ baseUrl }))).toEqual([200, true]);
  expect(await put('/models/acme/chat', model())).toEqual([200, true]);
  expect(await put('/aliases/house', to({ model: 'acme/chat' }))).toEqual([200, null]);
  expect(await listed()).toMatchObject([{ id: 'acme/chat', aliases: ['house'] }]);
  expect(await chat('house')).toEqual([200, 'from /v1/chat/completions']);
  await gateway().settled();
  const { body: usage } = await operator.call('GET', '/usage?group_by=model&tenant=local');
  expect(usage.data).toMatchObject([{ model: 'acme/chat', cost_nano_usd: 2_000_000_000 }]);

  const { body: removed } = await operator.call('DELETE', '/hosts/vllm-a');
  expect(removed).toEqual({ object: 'host', id: 'vllm-a', deleted: true, models: ['acme/chat'] });
  expect(await put('/models/acme/chat', model({ status: 'inactive' }))).toEqual([200, false]);
  for (const path of ['/models/acme/chat', '/aliases/house']) {
    expect((await operator.call('DELETE', path)).status).toBe(200);
    expect((await operator.call('DELETE', path)).status).toBe(404);
  }
  expect((await operator.call('DELETE', '/hosts/vllm-a')).status).toBe(404);
  expect((await operator.call('GET', '/hosts')).body.data).toEqual([]);
  expect((await operator.call('GET', '/aliases')).body.data).toEqual([]);

  const { body: log } = await operator.call('GET', '/audit?limit=200');
  const actions = log.data.map(({ action, target }: Record<string, string>) => `${action} ${target}`);
  expect(actions.toReversed()).toEqual([
    ...['hosts.set vllm-a', 'models.set acme/chat', 'aliases.set house'],
    ...['hosts.delete vllm-a', 'models.set acme/chat', 'models.delete acme/chat', 'aliases.delete house'],
  ]);
});

test('a change of an earlier state is refused, and so is making what exists', async () => {
  const states = [
    ['/hosts/vllm-b', host(), host({ choices: 4 })],
    [
      '/models/acme/tagged',
      model({ deployments: openAi }),
      model({ deployments: openAi, status: 'deprecated' }),
    ],
    ['/aliases/tagged', to({ model: 'openai/gpt-5.5' }), to({ model: 'openai/gpt-5.5', weight: 2 })],
  ] as const;
  for (const [path, first, second] of states) {
    const { body } = await operator.call('PUT', path, first);
    const match = (etag: string) => ({ ...second, headers: { 'if-match': etag } });
    expect(await put(path, { ...first, headers: { 'if-none-match': '*' } })).toEqual([409, 'conflict']);
    expect(await put(path, match('"other"'))).toEqual([409, 'conflict']);
    expect((await put(path, match(body.etag)))[0]).toBe(200);
    expect(await put(path, match(body.etag))).toEqual([409, 'conflict']);
    const stale = await operator.call('DELETE', path, { headers: { 'if-match': body.etag } });
    expect(stale.status).toBe(409);
  }
});

const openAi = [{ provider: 'openai', region: 'global', upstreamId: 'gpt-5.5' }];

test.each([
  ['/hosts/vllm-c', host({ baseUrl: 'http://a.example' }), 'row.baseUrl'],
  ['/hosts/vllm-c', host({ baseUrl: 'http://169.254.169.254/latest' }), 'row.baseUrl'],
  ['/hosts/vllm-c', host({ takes: ['topk'] }), 'row.takes.0'],
  ['/hosts/vllm-c', host({ unknown: 1 }), 'row'],
  ['/hosts/vllm-c', host({ name: 'vllm-d' }), 'row.name'],
  ['/hosts/groq', host(), 'row.name'],
  ['/hosts/vllm-c', { body: {} }, 'row'],
  [
    '/models/acme/new',
    model({ deployments: [{ ...openAi[0], provider: 'vllm-x' }] }),
    'row.deployments.0.provider',
  ],
  ['/models/acme/new', model({ deployments: openAi, id: 'acme/old' }), 'row.id'],
  ['/models/acme/new', model({ deployments: openAi, price: { input: -1, output: 1 } }), 'row.price.input'],
  ['/models/acme/new', model({ deployments: openAi, replacement: 'acme/absent' }), 'row.replacement'],
  [
    '/models/acme/new',
    model({ deployments: openAi, status: 'deprecated', replacement: 'acme/new' }),
    'row.replacement',
  ],
  ['/models/acme/new', model({ deployments: openAi, sources: ['x'.repeat(100_001)] }), 'row'],
  ['/aliases/fast', to({ model: 'openai/absent' }), 'targets.0.model'],
  ['/aliases/fast', to({ model: 'openai/gpt-5.5', when: { tools: true } }), 'targets'],
  ['/aliases/fast', to({ model: 'openai/gpt-5.5', weight: 0 }), 'targets.0.weight'],
  ['/aliases/fast', to(...Array(11).fill({ model: 'openai/gpt-5.5' })), 'targets'],
  ['/aliases/-fast', to({ model: 'openai/gpt-5.5' }), 'alias'],
])('PUT %s with a fault is refused by its field', async (path, input, param) => {
  expect(await put(path, input)).toEqual([400, param]);
});

test('what ships with the gateway is not removed, and a tenant changes nothing', async () => {
  const { status, body } = await operator.call('DELETE', '/models/openai/gpt-5.5');
  expect([status, body.error.param]).toEqual([400, 'model']);
  const viewer = await signInByKey(gateway(), gateway().apiKey);
  for (const path of ['/hosts/vllm-c', '/models/acme/new', '/aliases/fast'])
    expect([403, 404]).toContain((await viewer.call('PUT', path, host())).status);
});
