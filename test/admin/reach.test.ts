/** What a user must not reach: budgets of others' keys, and usage by a key that may not read it. */
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
import { use } from '../harness/use.ts';

const gateway = useGateway();

const operator = use(() => signInAs(gateway(), { id: 'olga', name: 'Olga', role: 'operator' }));
const admin = use(() =>
  signInAs(gateway(), { id: 'ada', name: 'Ada', role: 'tenant_admin', tenant: 'acme' }),
);
const member = use(() => signInAs(gateway(), { id: 'mia', name: 'Mia', role: 'member', tenant: 'acme' }));
beforeAll(async () => {
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

test('a page of the audit log of a far future costs no search of every month until then', async () => {
  const last = 253_402_300_799;
  for (const query of [`before=${last}`, 'after=9999-12-31T00:00:00.000Z']) {
    const { status, body } = await admin.call('GET', `/audit?${query}`);
    expect([status, body.object]).toEqual([200, 'list']);
  }
  // Each of ninety thousand months would be a query.
}, 60_000);
