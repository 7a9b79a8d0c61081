/** Requests in the dashboard: newest first, page by page, of the tenants and keys that a user sees. */
import { beforeAll, describe, expect, test } from 'vitest';
import { requestAnswer, requestsListAnswer } from '../../lib/admin/requests/schema.ts';
import type { LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { type AdminClient, signInAs, signInByAddress } from '../harness/admin/admin-client.ts';
import { useGateway } from '../harness/gateways/use-gateway.ts';
import { testRecord } from '../harness/ledger.ts';
import { settled } from '../harness/settled.ts';
import { useLedger } from '../harness/use-ledger.ts';

const gateway = useGateway();
const used = useLedger(() => []);

const hourMs = 3_600_000;
const start = Date.now() - 40 * hourMs;

let operator: AdminClient;
let viewer: AdminClient;
let member: AdminClient;
let records: readonly LedgerRecord[] = [];

beforeAll(async () => {
  const { ledger } = used;
  const access = { call: ledger.call, table: 'access' };
  await createTenantStore(access).create('acme');
  const own = await createKeyStore(access).create({ tenant: 'acme', name: 'laptop', owner: 'mia' });
  operator = await signInByAddress(gateway());
  viewer = await signInAs(gateway(), { id: 'vic', name: 'Vic', role: 'viewer', tenant: 'acme' });
  member = await signInAs(gateway(), { id: 'mia', name: 'Mia', role: 'member', tenant: 'acme' });
  const made = Array.from({ length: 30 }, (_, index) =>
    testRecord({
      requestId: crypto.randomUUID(),
      tenant: index % 3 === 2 ? 'other' : 'acme',
      key: index % 5 === 0 ? own.id : 'key_one',
      at: start + index * hourMs,
      ...(index % 4 === 0 && { status: 429, error: 'rate_limit_exceeded', cost: null, charge: null }),
      ...(index % 2 === 0 && {
        user: 'ann\u0000#',
        session: 'one:two',
        tags: { 'team:x': 'blue:y', __proto__x: 'z' },
      }),
    }),
  );
  await ledger.write(...made);
  records = made.toReversed();
});

const list = async (client: AdminClient, query = '') => {
  const { status, body } = await client.call('GET', `/requests?${query}`);
  expect([status, body.error]).toEqual([200, undefined]);
  return requestsListAnswer.parse(body);
};

async function pages(client: AdminClient, query: string) {
  const ids: string[] = [];
  let after = '';
  for (let page = 0; page < 40; page += 1) {
    const body = await list(client, `${query}${after}`);
    ids.push(...body.data.map(({ id }) => id));
    if (!body.has_more) return ids;
    after = `&after=${body.next_after}`;
  }
  throw new Error('The list does not end.');
}

const idsOf = (matches: (record: LedgerRecord) => boolean) =>
  records.filter(matches).map(({ requestId }) => requestId);

const isAcme = ({ tenant }: LedgerRecord) => tenant === 'acme';

describe('the list', () => {
  test('is newest first, across days and tenants, however small its pages are', async () => {
    expect(await pages(operator, '')).toEqual(idsOf(() => true));
    expect(await pages(operator, 'limit=7')).toEqual(idsOf(() => true));
    expect(await pages(operator, 'limit=1&tenant=acme')).toEqual(idsOf(isAcme));
    expect(await pages(viewer, 'limit=4')).toEqual(idsOf(isAcme));
  });

  test.each<[string, (record: LedgerRecord) => boolean]>([
    ['status=failed', ({ status }) => status === 429],
    [`user=${encodeURIComponent('ann\u0000#')}`, ({ user }) => user !== undefined],
    ['tag=team:x:blue:y', ({ tags }) => tags !== undefined],
    ['tag=__proto__', () => false],
    ['status=failed&tag=team:x&key=key_one', ({ status, key }) => status === 429 && key === 'key_one'],
  ])('filtered by %s', async (query, matches) => {
    expect(await pages(viewer, `limit=3&${query}`)).toEqual(
      idsOf((record) => isAcme(record) && matches(record)),
    );
  });

  test('is compressed for who takes that, and a short answer is not', async () => {
    const codingOf = async (path: string, coding: string) => {
      const { headers } = await viewer.call('GET', path, { headers: { 'accept-encoding': coding } });
      return headers.get('content-encoding');
    };
    expect(await codingOf('/requests', 'br, gzip')).toBe('gzip');
    expect(await codingOf('/requests', 'gzip;q=0')).toBeNull();
    expect(await codingOf('/requests?session=none', 'gzip')).toBeNull();
  });

  test('of a span of time has what began in it', async () => {
    const [from, to] = [start + 10 * hourMs, start + 20 * hourMs];
    const ids = await pages(operator, `from=${Math.ceil(from / 1000)}&to=${Math.ceil(to / 1000)}&limit=3`);
    expect(ids).toEqual(
      idsOf(({ at }) => at >= Math.ceil(from / 1000) * 1000 && at < Math.ceil(to / 1000) * 1000),
    );
  });

  test('is of the tenants that were active last, and names them', async () => {
    const body = await list(operator);
    expect([body.tenants, body.has_all_tenants]).toEqual([['other', 'acme'], true]);
    expect((await list(viewer)).tenants).toEqual(['acme']);
    expect(await list(operator, 'tenant=nobody')).toMatchObject({
      data: [],
      has_more: false,
      next_after: null,
    });
  });

  test('shows amounts that are unknown as unknown, and keys by name', async () => {
    const { data } = await list(operator, 'tenant=acme&status=failed');
    for (const row of data)
      expect(row).toMatchObject({ cost: null, cost_nano_usd: null, provider_cost: null });
    const own = await list(member);
    expect(new Set(own.data.map(({ key_name }) => key_name))).toEqual(new Set(['laptop']));
    expect(own.data.map(({ id }) => id)).toEqual(
      idsOf((record) => isAcme(record) && record.key !== 'key_one'),
    );
  });

  test.each([
    ['status=moving', 'status'],
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    [`model=${'m'.repeat(300)}`, 'model'],
    ['from=2026-01-02&to=2026-01-01', 'from'],
    ['from=1', 'from'],
    ['moon=1', 'moon'],
  ])('refuses %s by its name', async (query, param) => {
    const { status, body } = await viewer.call('GET', `/requests?${query}`);
    expect([status, body.error.param]).toEqual([400, param]);
  });
});

describe('one request', () => {
  test('is whole: each attempt, its times and the arithmetic of its price', async () => {
    const id = await ask();
    const { body } = await operator.call('GET', `/requests/${id}`);
    const found = requestAnswer.parse(body);
    expect(found).toMatchObject({ id, status: 'ok', http_status: 200, tenant: 'local' });
    expect(found.attempts[0]).toMatchObject({ error: null, began_after_ms: expect.any(Number) });
    expect(found.attempts[0]?.ended_after_ms).toBeGreaterThanOrEqual(found.attempts[0]?.began_after_ms ?? 0);
    expect(found.provider_cost_nano_usd).toBe(found.cost_nano_usd);
    expect(found.attempts[0]?.arithmetic?.length).toBeGreaterThan(0);
  });

  test('of another tenant, or of another key, does not exist', async () => {
    const id = await ask();
    for (const client of [viewer, member])
      expect((await client.call('GET', `/requests/${id}`)).status).toBe(404);
    expect((await viewer.call('GET', `/requests/${id}?tenant=local`)).status).toBe(404);
    for (const strange of ['a%2Fb', '%00', 'ledger%23acme', crypto.randomUUID(), '..%2F..'])
      expect([400, 404]).toContain((await operator.call('GET', `/requests/${strange}`)).status);
  });

  /** The id of a request that the gateway has answered. */
  async function ask(): Promise<string> {
    const body = { model: 'openai/gpt-4.1-mini', messages: [{ role: 'user', content: 'Hello' }] };
    const response = await gateway().post('/v1/chat/completions', body);
    await response.text();
    expect(response.status).toBe(200);
    await settled();
    return response.headers.get('x-request-id') ?? '';
  }
});
