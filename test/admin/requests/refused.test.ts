/** From a user's "it does not work" and a request id to the reason: requests that reached no provider. */
import { beforeAll, describe, expect, test } from 'vitest';
import { newestRefused } from '../../../lib/admin/requests/refused.ts';
import { requestAnswer, requestsListAnswer } from '../../../lib/admin/requests/schema.ts';
import type { Role } from '../../../lib/core/admin/user.ts';
import { useAccess } from '../../harness/access.ts';
import { type AdminClient, signInAs } from '../../harness/admin/admin-client.ts';
import { useUpstreamGateway } from '../../harness/gateways/upstream-gateway.ts';
import { testRecord } from '../../harness/ledger.ts';
import { answerJson } from '../../harness/upstream.ts';

const { gateway, upstream } = useUpstreamGateway(['OPENAI']);
const access = useAccess();

const tenant = 'refusing';
const model = 'openai/gpt-4.1';
const messages = [{ role: 'user', content: 'my secret plan' }];

let operator: AdminClient;
let viewer: AdminClient;
let other: AdminClient;
let member: AdminClient;
/** By what is wrong. */
const ids = new Map<string, string>();

beforeAll(async () => {
  upstream.script(
    answerJson({ choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }], usage: {} }),
  );
  const key = await access.newKey({ tenant, name: 'laptop' });
  const narrow = await access.newKey({ tenant, models: ['openai/gpt-5.4'], owner: 'mia' });
  const limited = await access.newKey({ tenant, limits: { requestsPerMinute: 1 } });
  const ask = async (what: string, authorization: string, body: object) => {
    const response = await gateway.post(
      '/v1/chat/completions',
      { model, messages, ...body },
      { authorization },
    );
    await response.text();
    ids.set(what, response.headers.get('x-request-id') ?? '');
    return response.status;
  };
  expect([
    await ask('served', limited.authorization, {}),
    await ask('limit', limited.authorization, {}),
    await ask('field', key.authorization, { temperature: 7 }),
    await ask('model', key.authorization, { model: 'my secret plan' }),
    await ask('permission', narrow.authorization, {}),
  ]).toEqual([200, 429, 400, 404, 403]);
  const as = (id: string, role: Role, of: string) => signInAs(gateway, { id, name: id, role, tenant: of });
  operator = await signInAs(gateway, { id: 'olga', name: 'Olga', role: 'operator' });
  viewer = await as('vic', 'viewer', tenant);
  member = await as('mia', 'member', tenant);
  other = await as('eve', 'viewer', 'other');
});

const list = async (client: AdminClient, query = '') => {
  const { status, body } = await client.call('GET', `/requests?status=refused&${query}`);
  expect([status, body.error]).toEqual([200, undefined]);
  return requestsListAnswer.parse(body);
};

const wrong = ['permission', 'model', 'field', 'limit'];

test('they are listed, newest first, with what the caller was told and nothing that the caller wrote', async () => {
  const { data, has_more: hasMore } = await list(viewer);
  expect(data.map(({ id }) => id)).toEqual(wrong.map((what) => ids.get(what)));
  expect(hasMore).toBe(false);
  expect(
    data.map(({ status, http_status: http, error, refusal }) => [status, http, error, refusal?.param]),
  ).toEqual([
    ['refused', 403, 'model_not_allowed', 'model'],
    ['refused', 404, 'model_not_found', 'model'],
    ['refused', 400, 'invalid_request', 'temperature'],
    ['refused', 429, 'rate_limit_exceeded', null],
  ]);
  expect(JSON.stringify(data)).not.toContain('secret plan');
  expect(data[2]).toMatchObject({ key_name: 'laptop', model: 'unknown', cost_nano_usd: 0, attempts: 0 });
});

test('they are counted by key, error and model', async () => {
  const { refused } = await list(viewer);
  expect(refused?.map(({ error, model: of, requests }) => `${error} ${of} ${requests}`).toSorted()).toEqual([
    'invalid_request unknown 1',
    `model_not_allowed ${model} 1`,
    'model_not_found unknown 1',
    `rate_limit_exceeded ${model} 1`,
  ]);
  expect(refused?.map(({ key_name: name }) => name)).toContain('laptop');
});

test('each is found by its id, whole', async () => {
  for (const what of wrong) {
    const { status, body } = await viewer.call('GET', `/requests/${ids.get(what)}`);
    expect([what, status, body.status]).toEqual([what, 200, 'refused']);
    expect(requestAnswer.parse(body).refusal?.message).not.toBe('');
  }
  const named = await operator.call('GET', `/requests/${ids.get('field')}?tenant=${tenant}`);
  expect(named.body.refusal.message).toContain('temperature');
});

test('no one else sees them, and a member those of own keys', async () => {
  expect((await list(other)).data).toEqual([]);
  expect((await other.call('GET', `/requests/${ids.get('field')}`)).status).toBe(404);
  expect((await list(member)).data.map(({ id }) => id)).toEqual([ids.get('permission')]);
  expect((await member.call('GET', `/requests/${ids.get('field')}`)).status).toBe(404);
});

test('they are in no other list, in no sum and in no usage', async () => {
  const { body } = await viewer.call('GET', '/requests');
  expect(body.data.map(({ id }: { readonly id: string }) => id)).toEqual([ids.get('served')]);
});

test.each([
  ['error=model_not_found', ['model']],
  ['operation=chat-completions&limit=4', wrong],
  ['session=none', []],
  ['status=refused', wrong],
])('filtered by %s', async (query, expected) => {
  const asked = query.includes('status') ? '' : query;
  expect((await list(viewer, asked)).data.map(({ id }) => id)).toEqual(expected.map((what) => ids.get(what)));
});

test('pages have each once', async () => {
  const found: string[] = [];
  let after = '';
  do {
    const page = await list(viewer, `limit=1${after}`);
    found.push(...page.data.map(({ id }) => id));
    after = page.has_more ? `&after=${page.next_after}` : '';
  } while (after !== '' && found.length < 10);
  expect(found).toEqual(wrong.map((what) => ids.get(what)));
});

describe('of several tenants', () => {
  const placed = (name: string, second: number) => {
    const record = testRecord({ tenant: name, requestId: `${name}-${second}`, at: second * 1_000 });
    const position = `${new Date(record.at).toISOString()}#${record.requestId}`;
    return { position, refusal: { record, message: '', more: 0 } };
  };
  const stored: Readonly<Record<string, ReturnType<typeof placed>[]>> = {
    many: Array.from({ length: 700 }, (_, index) => placed('many', index)),
    few: [100, 300, 650].map((second) => placed('few', second)),
  };
  const refusals = {
    find: async () => undefined,
    newest: async (
      name: string,
      { before = '~', limit }: { readonly before?: string | undefined; readonly limit: number },
    ) =>
      (stored[name] ?? [])
        .filter(({ position }) => position < before)
        .toReversed()
        .slice(0, limit),
  };

  test('each is found once, in order, whatever the page', async () => {
    const found: string[] = [];
    let after: string | undefined;
    do {
      const page = await newestRefused(
        { refusals },
        {
          tenants: ['many', 'few', 'none'],
          matches: ({ at }) => at % 50_000 === 0,
          from: 0,
          to: 1e9,
          limit: 4,
          after,
        },
      );
      expect(page.lookedAt).toBeLessThanOrEqual(500);
      found.push(...page.refusals.map(({ record }) => record.requestId));
      after = page.next;
    } while (after !== undefined);
    const expected = Object.values(stored)
      .flat()
      .map(({ refusal }) => refusal.record)
      .filter(({ at }) => at % 50_000 === 0)
      .toSorted((one, another) => another.at - one.at || (one.requestId < another.requestId ? 1 : -1));
    expect(found).toEqual(expected.map(({ requestId }) => requestId));
  });
});
