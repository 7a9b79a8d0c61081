/** Data policies in the dashboard's API: who may set them, that they hold, and what a contract with a provider says. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '../../lib/core/admin/user.ts';
import { createHostStore } from '../../lib/stores/catalog/hosts.ts';
import { connectDatabase } from '../../local/database-call.ts';
import { type AdminClient, signInAs } from '../harness/admin/admin-client.ts';
import { databaseEndpoint } from '../harness/gateways/environment.ts';
import { useUpstreamGateway } from '../harness/gateways/upstream-gateway.ts';
import { putModels } from '../harness/matrix/catalog.ts';
import { answerJson } from '../harness/upstream.ts';

const { gateway, upstream } = useUpstreamGateway(['TOGETHER']);
let operator: AdminClient;
let admin: AdminClient;
let member: AdminClient;

beforeAll(async () => {
  upstream.script(answerJson({ choices: [], usage: {} }));
  const as = (role: Role) => signInAs(gateway, { id: `id-of-${role}`, name: role, role, tenant: 'acme' });
  operator = await signInAs(gateway, { id: 'olga', name: 'Olga', role: 'operator' });
  [admin, member] = await Promise.all([as('tenant_admin'), as('member')]);
  await operator.call('POST', '/tenants', {
    body: { tenant: 'acme', data_policy: { regions: ['us', 'eu'] } },
  });
  await putModels({ 'admin/one': [{ provider: 'together', upstreamId: 'one', regions: ['eu'] }] });
});

const none = {
  zdr: false,
  no_training: false,
  regions: null,
  providers: { only: null, ignore: null },
  no_store: false,
};

test('a policy is set as a whole, shown, recorded and removed', async () => {
  const set = (data_policy: object | null) =>
    operator.call('PATCH', '/tenants/acme', { body: { data_policy } });
  const shown = async () => (await operator.call('GET', '/tenants/acme')).body.data_policy;
  expect(await shown()).toEqual({ ...none, regions: ['eu', 'us'] });
  const { etag } = (await operator.call('GET', '/tenants/acme')).body;
  const changed = await set({ zdr: true, providers: { ignore: ['xai', 'groq', 'xai'] } });
  expect(changed.body.data_policy).toEqual({
    ...none,
    zdr: true,
    providers: { only: null, ignore: ['groq', 'xai'] },
  });
  expect(changed.body.etag).not.toBe(etag);
  const [record] = (await operator.call('GET', '/audit?limit=1')).body.data;
  expect(record).toMatchObject({
    action: 'tenants.change',
    before: { 'data_policy.zdr': false, 'data_policy.regions': ['eu', 'us'] },
    after: { 'data_policy.zdr': true, 'data_policy.regions': null },
  });
  expect((await set(null)).body.data_policy).toBeNull();
  expect((await set({ zdr: false, regions: null })).body.data_policy).toBeNull();
});

test.each([
  [{ regions: ['Europe'] }, 'data_policy.regions.0'],
  [{ regions: [] }, 'data_policy.regions'],
  [{ providers: { only: ['Open AI'] } }, 'data_policy.providers.only.0'],
  [{ providers: { only: ['openia'] } }, 'data_policy.providers.only'],
  [{ providers: { ignore: ['openai', 'nobody/eu'] } }, 'data_policy.providers.ignore'],
  [{ zdr: 'yes' }, 'data_policy.zdr'],
  [{ retention: 0 }, 'data_policy.retention'],
])('%j is refused by its field', async (data_policy, param) => {
  const { status, body } = await operator.call('PATCH', '/tenants/acme', { body: { data_policy } });
  expect([status, body.error.param]).toEqual([400, param]);
});

test('a policy may name a host of the operator', async () => {
  const { call, close } = connectDatabase(databaseEndpoint());
  const row = { name: 'own-host', baseUrl: 'https://own.invalid/v1' };
  await createHostStore({ call, table: 'catalog' }).put({ name: row.name, source: 'command', row });
  await close();
  const data_policy = { providers: { only: ['own-host'] } };
  const made = await member.call('POST', '/keys', { body: { data_policy } });
  expect([made.status, made.body.data_policy?.providers]).toEqual([
    200,
    { only: ['own-host'], ignore: null },
  ]);
});

test('what an admin sets on a key, its member makes stricter and not looser', async () => {
  const { id } = (await member.call('POST', '/keys', { body: { data_policy: { no_store: true } } })).body;
  const change = (client: AdminClient, data_policy: object | null) =>
    client.call('PATCH', `/keys/${id}`, { body: { data_policy } });
  expect((await change(member, null)).status).toBe(200);
  expect((await change(admin, { zdr: true, regions: ['eu'] })).status).toBe(200);
  for (const looser of [null, { zdr: true }, { zdr: true, regions: ['eu', 'us'] }, { regions: ['eu'] }]) {
    const { status, body } = await change(member, looser);
    expect([status, body.error?.param], JSON.stringify(looser)).toEqual([400, 'data_policy']);
  }
  expect((await change(member, { zdr: true, regions: ['eu-west-1'], no_store: true })).status).toBe(200);
  expect((await admin.call('PATCH', '/tenants/acme', { body: { data_policy: null } })).status).toBe(403);
  const further = (data_policy: object | null) => member.call('POST', '/keys', { body: { data_policy } });
  for (const looser of [null, { zdr: true }, { regions: ['eu'] }])
    expect((await further(looser)).body.error?.param, JSON.stringify(looser)).toBe('data_policy');
  expect((await further({ zdr: true, regions: ['eu'] })).status).toBe(200);
  expect((await admin.call('POST', '/keys', { body: {} })).status).toBe(200);
  const { body } = await member.call('POST', `/keys/${id}/rotate`, { body: {} });
  expect(body.data_policy).toEqual({ ...none, zdr: true, regions: ['eu-west-1'], no_store: true });
});

describe('what a contract says of a provider', () => {
  const put = (body: object, name = 'together') => operator.call('PUT', `/providers/${name}/data`, { body });
  const known = async (name: string) =>
    (await operator.call('GET', '/providers')).body.data.find(({ id }: { id: string }) => id === name).data;

  test('holds in place of what it documents, and is recorded', async () => {
    expect(await known('openai')).toMatchObject({ retention_days: 30, trains: false, contract: null });
    const { body } = await put(
      { retention_days: 0, flagged_days: 0, zdr_features: ['web_search'] },
      'openai',
    );
    expect(body).toMatchObject({
      provider: 'openai',
      retention_days: 0,
      flagged_days: 0,
      written_by: 'operator',
    });
    const features = { zdr_features: ['web_search'] };
    expect(await known('openai')).toMatchObject({ retention_days: 0, trains: false, ...features });
    const contract = { retention_days: 0, flagged_days: 0, trains: null, ...features };
    expect((await known('openai')).contract).toEqual(contract);
    const [record] = (await operator.call('GET', '/audit?limit=1')).body.data;
    expect(record).toMatchObject({
      action: 'providers.data',
      target: 'openai',
      after: { retention_days: 0 },
    });
    await put({}, 'openai');
    expect(await known('openai')).toMatchObject({ retention_days: 30, written_by: 'seed' });
    expect((await put({}, 'nobody')).body.error.param).toBe('provider');
    expect((await put({ retention_days: -1 })).body.error.param).toBe('retention_days');
    expect((await admin.call('PUT', '/providers/together/data', { body: {} })).status).toBe(403);
  });

  test('lets requests go there', async () => {
    await put({ retention_days: 0, flagged_days: 0, trains: false });
    const data_policy = { zdr: true, no_training: true };
    const { key } = (await operator.call('POST', '/keys', { body: { tenant: 'acme', data_policy } })).body;
    const headers = { authorization: `Bearer ${key}` };
    const listed = await fetch(`${gateway.url}/v1/models?allowed=true&supports=chat_completions`, {
      headers,
    });
    expect(await listed.text()).toContain('admin/one');
    const messages = [{ role: 'user', content: 'Hello' }];
    await gateway.post('/v1/chat/completions', { model: 'admin/one', messages }, headers);
    expect(upstream.total).toBeGreaterThan(0);
  });
});
