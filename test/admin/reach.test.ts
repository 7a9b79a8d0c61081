/** What a user must not reach: budgets of others' keys, counts of other tenants' calls, usage by a key that may not read it. */
import { beforeAll, expect, test } from 'vitest';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import {
  type AdminClient,
  accessTable,
  clientOf,
  signInAs,
  signInByKey,
} from '../harness/admin/admin-client.ts';
import { useGateway } from '../harness/gateways/use-gateway.ts';

const gateway = useGateway({ MISTRAL_API_KEY: 'none', MISTRAL_UPSTREAM_URL: 'http://127.0.0.1:9' });
let operator: AdminClient;
let admin: AdminClient;
let member: AdminClient;

beforeAll(async () => {
  operator = await signInAs(gateway(), { id: 'olga', name: 'Olga', role: 'operator' });
  admin = await signInAs(gateway(), { id: 'ada', name: 'Ada', role: 'tenant_admin', tenant: 'acme' });
  member = await signInAs(gateway(), { id: 'mia', name: 'Mia', role: 'member', tenant: 'acme' });
  await operator.call('POST', '/tenants', { body: { tenant: 'acme' } });
});

test('the overview of a member has no budget of the key of someone else', async () => {
  const make = async (client: AdminClient) =>
    (await client.call('POST', '/keys', { body: { tenant: 'acme', limits: { daily_budget_usd: '7' } } }))
      .body;
  const [own, others] = [await make(member), await make(admin)];
  const budgets = async (key: string) => (await member.call('GET', `/overview?key=${key}`)).body.budgets;
  expect(await budgets(own.id)).toHaveLength(1);
  expect(await budgets(others.id)).toEqual([]);
});

test("the providers' ids of models are for operators only: they may name an account", async () => {
  const ids = async (client: AdminClient) =>
    (await client.call('GET', '/models?search=openai/gpt-5.5')).body.data.flatMap(
      ({ places }: { places: { ways: { upstream_id: string | null }[] }[] }) =>
        places.flatMap(({ ways }) => ways.map(({ upstream_id }) => upstream_id)),
    );
  expect(await ids(operator)).toContain('gpt-5.5');
  for (const client of [admin, member]) expect(new Set(await ids(client))).toEqual(new Set([null]));
});

test('the health of a place has counts for operators only: they are of the calls of all tenants', async () => {
  const messages = [{ role: 'user', content: 'Hi' }];
  await gateway().post('/v1/chat/completions', { model: 'mistral/mistral-large-2512', messages });
  await gateway().settled();
  const health = async (client: AdminClient) =>
    (await client.call('GET', '/models?search=mistral/mistral-large-2512')).body.data[0].places[0].health;
  expect(await health(operator)).toMatchObject({ state: 'failing', attempts: expect.any(Number) });
  for (const client of [admin, member])
    expect(await health(client)).toEqual({
      state: 'failing',
      since: expect.any(Number),
      attempts: null,
      failures: null,
      failures_by_code: [],
      last_failure_at: null,
    });
});

test('a key whose permissions leave usage out opens no session, and ends the one that it has', async () => {
  const keys = createKeyStore(accessTable());
  const { secret, id } = await keys.create({ tenant: 'acme', operations: ['chat-completions'] });
  const stranger = clientOf(`${gateway().url}/admin/v1`, '');
  const refused = await stranger.call('POST', '/session', { body: { api_key: secret } });
  expect(refused).toMatchObject({ status: 403, body: { error: { code: 'operation_not_allowed' } } });
  expect(refused.headers.getSetCookie()).toEqual([]);
  await operator.call('PATCH', `/keys/${id}`, {
    body: { operations: ['chat-completions', 'usage-retrieve'] },
  });
  await expect
    .poll(async () => (await stranger.call('POST', '/session', { body: { api_key: secret } })).status, {
      timeout: 15_000,
    })
    .toBe(200);
  const client = await signInByKey(gateway(), secret);
  expect((await client.call('GET', '/usage')).status).toBe(200);
  await operator.call('PATCH', `/keys/${id}`, { body: { operations: ['chat-completions'] } });
  expect((await client.call('GET', '/usage')).status).toBe(401);
}, 40_000);

test('the cookie of a session counts with the header of the page only, whatever other credentials a browser adds', async () => {
  const basic = { authorization: 'Basic b2xnYTpvbGdh', 'x-dashboard': '' };
  const answer = await operator.call('POST', '/tenants', { body: { tenant: 'forged' }, headers: basic });
  expect(answer).toMatchObject({ status: 403, body: { error: { code: 'cross_site' } } });
  expect((await operator.call('GET', '/tenants/forged')).status).toBe(404);
});

test('a page of the audit log of a far future costs no search of every month until then', async () => {
  const last = 253_402_300_799;
  for (const query of [`before=${last}`, 'after=9999-12-31T00:00:00.000Z']) {
    const { status, body } = await admin.call('GET', `/audit?${query}`);
    expect([status, body.object]).toEqual([200, 'list']);
  }
  // Each of ninety thousand months would be a query.
}, 60_000);
