/** What tenants and keys set of cached answers and guardrails in the dashboard's API: who may, and that it holds. */
import { beforeAll, expect, test } from 'vitest';
import type { Role } from '../../lib/core/admin/user.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { type AdminClient, accessTable, signInAs } from '../harness/admin/admin-client.ts';
import { useUpstreamGateway } from '../harness/gateways/upstream-gateway.ts';
import { putModels } from '../harness/matrix/catalog.ts';
import { postJson } from '../harness/post.ts';
import { answerJson } from '../harness/upstream.ts';

const { gateway, upstream } = useUpstreamGateway(['TOGETHER'], { GATEWAY_CACHED_ANSWER_TIMEOUT_MS: '5000' });
let operator: AdminClient;
let admin: AdminClient;
let member: AdminClient;

beforeAll(async () => {
  const as = (role: Role) => signInAs(gateway, { id: `id-of-${role}`, name: role, role, tenant: 'acme' });
  operator = await signInAs(gateway, { id: 'olga', name: 'Olga', role: 'operator' });
  [admin, member] = await Promise.all([as('tenant_admin'), as('member')]);
  await operator.call('POST', '/tenants', { body: { tenant: 'acme' } });
  await putModels({ 'admin/cached': [{ provider: 'together', upstreamId: 'one' }] });
});

test('settings of cached answers hold for the requests of a key, and a purge for all of a tenant', async () => {
  const answered = { index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' };
  upstream.script(
    answerJson({ choices: [answered], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }),
  );
  const cache = { default: true, ttl: 600 };
  const made = (await admin.call('POST', '/keys', { body: { cache } })).body;
  expect(made.cache).toEqual({ default: true, ttl: 600, max_ttl: null, off: false });
  const ask = async () => {
    const response = await postJson(`${gateway.url}/v1/chat/completions`, made.key, {
      model: 'admin/cached',
      messages: [{ role: 'user', content: 'Hi' }],
    });
    await response.text();
    return response.headers.get('x-gateway-cache');
  };
  expect([await ask(), await ask()]).toEqual(['miss', 'hit']);
  const { data: rows } = (await admin.call('GET', `/requests?key=${made.id}`)).body;
  const [of] = rows.filter(({ replayed }: { replayed: unknown }) => replayed === null);
  const [replay] = rows.filter(({ replayed }: { replayed: unknown }) => replayed !== null);
  const replayed = { of: of.id, prompt_tokens: 1, completion_tokens: 1 };
  expect(replay).toMatchObject({ status: 'ok', attempts: 0, cost: '0.00', replayed });
  expect((await admin.call('GET', `/requests/${replay.id}`)).body).toMatchObject({ attempts: [], replayed });
  const usage = await fetch(`${gateway.url}/v1/usage/requests/${replay.id}`, {
    headers: { authorization: `Bearer ${made.key}` },
  });
  expect(await usage.json()).toMatchObject({ cost: '0.00', replayed });
  const purged = await operator.call('PATCH', '/tenants/acme', { body: { purge_cache: true } });
  expect(purged.status).toBe(200);
  expect(await createTenantStore(accessTable()).find('acme')).toMatchObject({ cacheEpoch: 1 });
  const [record] = (await operator.call('GET', '/audit?limit=1')).body.data;
  expect(record).toMatchObject({ action: 'tenants.change', after: { cache_purges: 1 } });
  const off = await operator.call('PATCH', '/tenants/acme', { body: { cache: { off: true } } });
  expect(off.body.cache).toEqual({ default: null, ttl: null, max_ttl: null, off: true });
  expect((await operator.call('PATCH', '/tenants/acme', { body: { cache: null } })).body.cache).toBeNull();
});

test('a key names guardrails of its tenant, which its owner cannot take away', async () => {
  await operator.call('PUT', '/tenants/acme/guardrails/house', {
    body: {
      always: false,
      rules: [{ id: 'a', kind: 'words', words: ['x'], on: ['input'], action: 'block' }],
    },
  });
  const { id } = (await member.call('POST', '/keys', { body: {} })).body;
  const set = (client: AdminClient, body: object) => client.call('PATCH', `/keys/${id}`, { body });
  expect((await set(admin, { guardrails: ['house'] })).body.guardrails).toEqual(['house']);
  const refused = [
    await set(admin, { guardrails: ['other'] }),
    await set(member, { guardrails: null }),
    await set(member, { cache: { default: true } }),
    await set(admin, { cache: { ttl: 0 } }),
  ];
  expect(refused.map(({ status, body }) => [status, body.error.param])).toEqual([
    [400, 'guardrails'],
    [400, 'guardrails'],
    [400, 'cache'],
    [400, 'cache.ttl'],
  ]);
  expect((await set(operator, { guardrails: null })).body.guardrails).toBeNull();
});
