/** Which records of the ledger a list of requests asks for, and its pages. */
import { expect, test } from 'vitest';
import { listEndpoint } from '../../../lib/admin/requests/list.ts';
import { type RequestsListAnswer, requestsListQuery } from '../../../lib/admin/requests/schema.ts';
import type { User } from '../../../lib/core/admin/user.ts';
import type { LedgerQuestion } from '../../../lib/core/ports/ledger-search.ts';
import { anyCall } from '../../harness/admin/any-call.ts';
import { testRecord } from '../../harness/ledger.ts';

const now = Date.parse('2026-03-10T12:00:00Z');
const dayMs = 86_400_000;
const admin: User = { id: 'ada', name: 'Ada', role: 'tenant_admin', tenant: 'acme', via: 'oidc' };
const member: User = { ...admin, id: 'mia', role: 'member' };

const records = [
  testRecord({ requestId: 'ok', user: 'ann', session: 's', tags: { team: 'blue', 'a:b': 'c' } }),
  testRecord({
    requestId: 'alias',
    requestedModel: 'fast',
    model: 'acme/two',
    key: 'key_own',
    provider: 'two',
  }),
  testRecord({ requestId: 'failed', status: 500, error: 'provider_error', charge: 200_000_000 }),
  testRecord({ requestId: 'late', error: 'provider_stream_cut', batch: 'batch_1', operation: 'embeddings' }),
  testRecord({ requestId: 'gone', status: 499, error: 'interrupted', totalMs: 61_000, charge: null }),
];

/** The second page is asked for by `next_after` of the first. */
async function list(query: object, user: User = admin, next?: string) {
  const questions: LedgerQuestion[] = [];
  const endpoint = listEndpoint({
    search: {
      async newest(question) {
        questions.push(question);
        const found = records.filter(question.matches);
        return { records: found, searchedTo: question.from, lookedAt: 5, ...(next && { next }) };
      },
    },
    sums: { tenantCharges: async () => [] },
    keys: { list: async () => [{ id: 'key_own', tenant: 'acme', owner: 'mia', name: 'laptop' }] },
    running: {
      late: async () => [],
      newestOpen: async () => ({ records: [], hasMore: false }),
      openedInBackground: async () => [],
      openTenants: async () => [],
    },
    runs: { find: async () => undefined },
    refusals: { find: async () => undefined, newest: async () => [] },
    now: () => now,
    ledgerDays: 90,
  });
  const answer = await endpoint.answer({
    parameters: requestsListQuery.parse(query),
    body: {},
    user,
    ...anyCall(),
  });
  if (answer.type !== 'json') throw new Error('It is no redirect.');
  const [question] = questions;
  if (!question) throw new Error('Nothing was asked.');
  return { question, body: answer.body as RequestsListAnswer };
}

test.each([
  [{}, 'ok alias failed late gone'],
  [{ status: 'ok' }, 'ok alias'],
  [{ status: 'failed' }, 'failed late gone'],
  [{ status: 'interrupted' }, 'gone'],
  [{ status: '200' }, 'ok alias late'],
  [{ status: '500' }, 'failed'],
  [{ model: 'fast' }, 'alias'],
  [{ model: 'acme/two' }, 'alias'],
  [{ key: 'key_own' }, 'alias'],
  [{ provider: 'two' }, 'alias'],
  [{ operation: 'embeddings' }, 'late'],
  [{ error: 'interrupted' }, 'gone'],
  [{ status: '503' }, ''],
  [{ tag: 'tea' }, ''],
  [{ user: 'ann' }, 'ok'],
  [{ session: 's' }, 'ok'],
  [{ batch: 'batch_1' }, 'late'],
  [{ http_status: '499' }, 'gone'],
  [{ min_duration_ms: '61000' }, 'gone'],
  [{ min_duration_ms: '61001' }, ''],
  [{ min_cost: '0.2' }, 'failed'],
  [{ min_cost: '0.200000001' }, ''],
  [{ min_cost: '0', batch: 'batch_1' }, 'late'],
  [{ status: 'failed', http_status: '500', min_cost: '0.1', min_duration_ms: '1' }, 'failed'],
  [{ tag: 'team' }, 'ok'],
  [{ tag: 'team:blue' }, 'ok'],
  [{ tag: 'a:b:c' }, 'ok'],
  [{ tag: 'team:red' }, ''],
])('%j finds %s', async (query, ids) => {
  const { body } = await list(query);
  expect(body.data.map(({ id }) => id).join(' ')).toBe(ids);
});

test.each([
  [{ min_cost: '-1' }, 'min_cost'],
  [{ min_cost: 'much' }, 'min_cost'],
  [{ min_duration_ms: '0.5' }, 'min_duration_ms'],
  [{ min_duration_ms: '999999999' }, 'min_duration_ms'],
  [{ http_status: '42' }, 'http_status'],
])('%j is refused, and the error names %s', (query, field) => {
  expect(requestsListQuery.safeParse(query).error?.issues.map(({ path }) => path[0])).toEqual([field]);
});

test('a member finds what its own keys sent', async () => {
  const { body } = await list({}, member);
  expect(body.data).toMatchObject([{ id: 'alias', key_name: 'laptop' }]);
});

test('without times, it asks for all that the ledger keeps, and a day ahead', async () => {
  const { question, body } = await list({});
  const [from, to] = [now - 90 * dayMs, now + dayMs];
  expect(question).toMatchObject({ from, to, tenants: ['acme'], limit: 50, maxRead: 500, after: undefined });
  expect(body).toMatchObject({
    object: 'list',
    has_more: false,
    next_after: null,
    from: from / 1000,
    to: to / 1000,
    searched_to: from / 1000,
    looked_at: 5,
    tenants: ['acme'],
    has_all_tenants: true,
  });
  await expect(list({ from: '2026-03-02T00:00:00Z', to: '2026-03-02T00:00:00Z' })).rejects.toMatchObject({
    param: 'from',
  });
});

test('a page goes on where the one before ended, for the same question of the same user', async () => {
  const position = '2026-03-09T12:00:00.000Z#one';
  const { body } = await list({ status: 'ok' }, admin, position);
  expect(body.has_more).toBe(true);
  const after = body.next_after ?? '';
  expect((await list({ status: 'ok', limit: '7', after })).question).toMatchObject({
    after: position,
    limit: 7,
  });
  for (const [query, user] of [
    [{ status: 'failed' }, admin],
    [{ status: 'ok' }, member],
  ] as const)
    await expect(list({ ...query, after }, user)).rejects.toMatchObject({ param: 'after' });
});

test.each(['2026-03-09', '2026-13-09T12:00:00.000Z', `2026-03-09T12:00:00.000Z#${'x'.repeat(129)}`, 'x'])(
  'a cursor at %s is none',
  async (position) => {
    const after = (await list({}, admin, position)).body.next_after ?? '';
    await expect(list({ after })).rejects.toMatchObject({ param: 'after' });
  },
);
