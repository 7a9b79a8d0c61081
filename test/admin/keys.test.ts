/** Keys in the dashboard's API on a local gateway: what each role may do with them, within which bounds, and that no change is lost. */
import { beforeAll, describe, expect, test } from 'vitest';
import { maxKeysOfOwner, maxNewKeysOfOwner } from '../../lib/admin/keys/number-of-keys.ts';
import type { Role } from '../../lib/core/admin/user.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { type AdminClient, accessTable, signInAs, signInByKey } from '../harness/admin/admin-client.ts';
import { useGateway } from '../harness/gateways/use-gateway.ts';
import { use } from '../harness/use.ts';

const gateway = useGateway();
let people: Readonly<Record<Role, AdminClient>>;

const userOf = (role: Role, tenant?: string) => ({
  id: `id-of-${role}`,
  name: `A ${role}`,
  role,
  ...(tenant !== undefined && { tenant }),
});

const operator = use(() => signInAs(gateway(), userOf('operator')));
beforeAll(async () => {
  const of = (role: Role) => signInAs(gateway(), userOf(role, 'acme'));
  const [tenant_admin, member, viewer] = await Promise.all([of('tenant_admin'), of('member'), of('viewer')]);
  people = { operator, tenant_admin, member, viewer };
  const limits = { monthly_budget_usd: '50', requests_per_minute: 100 };
  await operator.call('POST', '/tenants', {
    body: {
      tenant: 'acme',
      limits,
      models: ['openai/*', 'xai/grok-4'],
      operations: ['chat-completions', 'models'],
    },
  });
  await operator.call('POST', '/tenants', { body: { tenant: 'umbrella' } });
});

const make = async (client: AdminClient, body: object = {}) =>
  (await client.call('POST', '/keys', { body: { tenant: 'acme', ...body } })).body;

/** Of a request without a body: 400 with a key that works, else 401. */
async function useKey(key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return (await fetch(`${gateway().url}/v1/chat/completions`, { method: 'POST', headers, body: '{}' }))
    .status;
}

test('a key is made, works, is shown without its secret, and is disabled', async () => {
  const made = await operator.call('POST', '/keys', {
    body: { tenant: 'acme', name: 'laptop', limits: { daily_budget_usd: '2.5' }, models: ['openai/*'] },
  });
  expect(made.status).toBe(200);
  expect(made.headers.get('cache-control')).toBe('no-store');
  const { key, ...row } = made.body;
  expect(key).toMatch(/^mgw_/);
  expect(row).toMatchObject({
    object: 'key',
    tenant: 'acme',
    name: 'laptop',
    owner: null,
    status: 'active',
    limits: { daily_budget_usd: '2.50', credit_usd: null },
    models: ['openai/*'],
    operations: null,
  });
  expect(await useKey(key)).toBe(400);
  const shown = await operator.call('GET', `/keys/${row.id}`);
  expect(shown.headers.get('etag')).toBe(row.etag);
  expect(shown.body).toMatchObject({ ...row, last_used_at: shown.body.last_used_at });
  expect(shown.body.use).toEqual([
    expect.objectContaining({ limit: 'daily_budget_usd', set: '2.50', used: '0.00', left: '2.50', share: 0 }),
  ]);
  expect(JSON.stringify(shown.body)).not.toContain(key);
  const disabled = await operator.call('POST', `/keys/${row.id}/disable`);
  expect(disabled.body).toMatchObject({ status: 'disabled', disabled_at: expect.any(Number) });
  const list = await operator.call('GET', '/keys?tenant=acme&status=disabled');
  expect(list.body.data.map(({ id }: { id: string }) => id)).toContain(row.id);
  expect(JSON.stringify(list.body)).not.toContain(key);
  const enabled = await operator.call('POST', `/keys/${row.id}/enable`, {
    headers: { 'if-match': '"other"' },
  });
  expect(enabled.status).toBe(409);
  const { body } = await operator.call('POST', `/keys/${row.id}/enable`);
  expect(body).toMatchObject({ ...row, last_used_at: expect.any(Number) });
});

test('a key is rotated: both work, and the new one has the same settings', async () => {
  const { id, key } = await make(operator, {
    name: 'server',
    owner: 'id-of-member',
    limits: { daily_budget_usd: '1' },
  });
  const rotated = await operator.call('POST', `/keys/${id}/rotate`, { body: { overlap_seconds: 60 } });
  expect(rotated.body).toMatchObject({
    name: 'server',
    owner: 'id-of-member',
    family: id,
    limits: { daily_budget_usd: '1.00' },
    replaced: { id, expires_at: expect.any(Number) },
  });
  expect(rotated.body.key).not.toBe(key);
  expect(await Promise.all([useKey(key), useKey(rotated.body.key)])).toEqual([400, 400]);
});

test('keys are listed newest first, in pages', async () => {
  const { tenant } = (await operator.call('POST', '/tenants', { body: { tenant: 'paged' } })).body;
  expect(tenant).toBeUndefined();
  for (let index = 0; index < 5; index += 1) await make(operator, { tenant: 'paged', name: `n${index}` });
  const ids: string[] = [];
  let after = '';
  for (let page = 0; page < 3; page += 1) {
    const { body } = await operator.call('GET', `/keys?tenant=paged&limit=2${after}`);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    expect(body.has_more).toBe(page < 2);
    after = `&after=${body.next_after}`;
  }
  expect(new Set(ids).size).toBe(5);
  const wrong = await operator.call('GET', '/keys?after=key_000000000000');
  expect(wrong).toMatchObject({ status: 400, body: { error: { param: 'after' } } });
});

describe('a change', () => {
  test('sets and removes what it names, and leaves the rest', async () => {
    const { id, etag } = await make(operator, {
      name: 'one',
      limits: { daily_budget_usd: '1', credit_usd: '3' },
    });
    const expires_at = Math.floor(Date.now() / 1000) + 3_600;
    const changed = await operator.call('PATCH', `/keys/${id}`, {
      body: {
        name: null,
        owner: 'somebody',
        limits: { daily_budget_usd: null },
        expires_at,
        operations: ['chat-completions'],
      },
      headers: { 'if-match': etag },
    });
    expect(changed.body).toMatchObject({
      name: null,
      owner: 'somebody',
      limits: { daily_budget_usd: null, credit_usd: '3.00' },
      expires_at,
      operations: ['chat-completions'],
    });
    expect(changed.headers.get('etag')).toBe(changed.body.etag);
    expect(changed.body.etag).not.toBe(etag);
  });

  test('for a state that is over is a conflict, and changes nothing', async () => {
    const { id, etag } = await make(operator, { name: 'one' });
    await operator.call('PATCH', `/keys/${id}`, { body: { name: 'two' } });
    for (const [method, path, body] of [
      ['PATCH', `/keys/${id}`, { name: 'three' }],
      ['POST', `/keys/${id}/rotate`, {}],
      ['POST', `/keys/${id}/disable`, undefined],
    ] as const) {
      const late = await operator.call(method, path, { body, headers: { 'if-match': etag } });
      expect(late).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    }
    const { body } = await operator.call('GET', `/keys/${id}`);
    expect(body).toMatchObject({ name: 'two', status: 'active', expires_at: null });
    const headers = { 'if-match': '*' };
    expect((await operator.call('PATCH', `/keys/${id}`, { body: { name: 'any' }, headers })).status).toBe(
      200,
    );
  });

  test('of two people at the same time is made by one of them', async () => {
    const { id, etag } = await make(operator, { name: 'one' });
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) =>
        operator.call('PATCH', `/keys/${id}`, { body: { name }, headers: { 'if-match': etag } }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
  });
});

test('of ten rotations at once, one makes a key, with and without the state that was read', async () => {
  for (const withState of [true, false]) {
    const { id, etag } = await make(operator);
    const headers: Record<string, string> = withState ? { 'if-match': etag } : {};
    const rotate = () => operator.call('POST', `/keys/${id}/rotate`, { body: {}, headers });
    const answers = await Promise.all(Array.from({ length: 10 }, rotate));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    const { body } = await operator.call('GET', '/keys?tenant=acme');
    const made = body.data.filter(({ family }: { family: string }) => family === id);
    expect(made).toHaveLength(1);
    // The others learn its id.
    if (!withState)
      expect(JSON.stringify(answers.map(({ body }) => body.error ?? '')).split(made[0].id)).toHaveLength(10);
  }
});

describe('what an admin has set on the key of a member', () => {
  const set = {
    limits: { monthly_budget_usd: '1.00', requests_per_minute: 10 },
    models: ['openai/*'],
    operations: ['chat-completions'],
    expires_at: 4_000_000_000,
  };
  const change = (client: AdminClient, id: string, body: object) =>
    client.call('PATCH', `/keys/${id}`, { body });

  test.each<[string, object]>([
    ['limits.monthly_budget_usd', { limits: { monthly_budget_usd: null } }],
    ['limits.monthly_budget_usd', { limits: { monthly_budget_usd: '1.01' } }],
    ['limits.requests_per_minute', { limits: { requests_per_minute: 11 } }],
    ['models', { models: null }],
    ['models', { models: ['xai/grok-4'] }],
    ['operations', { operations: null }],
    ['operations', { operations: ['models'] }],
    ['expires_at', { expires_at: null }],
    ['expires_at', { expires_at: 4_000_000_001 }],
  ])('%s is not lifted or widened by the member: %j', async (param, body) => {
    const made = await make(people.tenant_admin, { owner: 'id-of-member', ...set });
    const later = await make(people.member);
    await change(operator, later.id, set);
    const { id } = await make(people.member);
    await change(people.tenant_admin, id, set);
    const rotated = await people.member.call('POST', `/keys/${id}/rotate`, { body: {} });
    for (const key of [made, later, rotated.body]) {
      const refused = await change(people.member, key.id, body);
      expect(refused).toMatchObject({ status: 400, body: { error: { param } } });
      expect(refused.body.error.message).toContain('admin');
      expect((await change(people.tenant_admin, key.id, body)).status).toBe(200);
    }
  });

  test('may be made narrower by the member, and as wide again; what it set itself may be lifted', async () => {
    const { id } = await make(people.tenant_admin, { owner: 'id-of-member', ...set });
    const narrow = {
      limits: { monthly_budget_usd: '0.50', daily_budget_usd: '0.10' },
      models: ['openai/gpt-4.1'],
      expires_at: 3_900_000_000,
    };
    expect(await change(people.member, id, narrow)).toMatchObject({ status: 200, body: narrow });
    const wide = { ...set, limits: { ...set.limits, daily_budget_usd: null } };
    expect(await change(people.member, id, wide)).toMatchObject({ status: 200, body: wide });
    await change(operator, id, { limits: { monthly_budget_usd: null } });
    const free = { limits: { monthly_budget_usd: '7.00' } };
    expect(await change(people.member, id, free)).toMatchObject({ status: 200, body: free });
  });
});

describe('the number of keys', () => {
  const seed = (count: number, key: { owner?: string; createdAgo?: number; expiresAt?: number }) => {
    const { createdAgo = 2 * 86_400_000, ...rest } = key;
    const keys = createKeyStore({ ...accessTable(), now: () => Date.now() - createdAgo });
    return Promise.all(Array.from({ length: count }, () => keys.create({ tenant: 'busy', ...rest })));
  };
  const personIn = (role: Role, id: string) => signInAs(gateway(), { ...userOf(role, 'busy'), id });
  const post = (client: AdminClient, path = '/keys') => client.call('POST', path, { body: {} });

  test('of a member that work is bounded, however many are asked for at once', async () => {
    await operator.call('POST', '/tenants', { body: { tenant: 'busy' } });
    const member = await personIn('member', 'collector');
    const [one] = await seed(maxKeysOfOwner - 3, { owner: 'collector' });
    await Promise.all(Array.from({ length: 8 }, () => post(member)));
    const working = async () => (await member.call('GET', '/keys?limit=1000&status=active')).body.data.length;
    expect(await working()).toBeLessThanOrEqual(maxKeysOfOwner);
    await seed(maxKeysOfOwner - (await working()), { owner: 'collector' });
    const refused = await post(member);
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    expect(refused.body.error.message).toContain(`${maxKeysOfOwner} keys`);
    expect(await post(member, `/keys/${one?.id}/rotate`)).toMatchObject({ status: 409 });
    expect(await working()).toBe(maxKeysOfOwner);
    const replaced = await member.call('POST', `/keys/${one?.id}/rotate`, { body: { overlap_seconds: 0 } });
    expect(replaced.status).toBe(200);
    expect(await make(operator, { tenant: 'busy', owner: 'collector' })).toHaveProperty('key');
  });

  test('that a member makes in a day is bounded, also of keys that no longer work', async () => {
    const member = await personIn('member', 'churner');
    await seed(maxNewKeysOfOwner, { owner: 'churner', createdAgo: 3_600_000, expiresAt: 1_000 });
    expect((await post(member)).body.error.message).toContain('24 hours');
    expect((await post(await personIn('member', 'other'))).status).toBe(200);
  });
});

test.each([
  [{ limits: { daily_budget_usd: 5 } }, 'limits.daily_budget_usd'],
  [{ limits: { daily_budget_usd: '5.0000000001' } }, 'limits.daily_budget_usd'],
  [{ limits: { daily_budget_usd: '-5' } }, 'limits.daily_budget_usd'],
  [{ limits: { requests_per_minute: 0 } }, 'limits.requests_per_minute'],
  [{ limits: { unknown: 1 } }, 'limits.unknown'],
  [{ models: ['gpt'] }, 'models.0'],
  [{ models: [] }, 'models'],
  [{ models: Array.from({ length: 201 }, (_, index) => `a/${index}`) }, 'models'],
  [{ operations: ['everything'] }, 'operations.0'],
  [{ name: 'x'.repeat(201) }, 'name'],
  [{ name: 'live\u202e' }, 'name'],
  [{ name: 'two\nlines' }, 'name'],
  [{ owner: 'x'.repeat(129) }, 'owner'],
  [{ expires_at: 1_000 }, 'expires_at'],
  [{ expires_at: '2027-01-01' }, 'expires_at'],
  [{ tenant: 'a b' }, 'tenant'],
  [{ id: 'key_0123456789ab' }, 'id'],
])('a wrong input is refused by its name: %j', async (given, param) => {
  const answer = await operator.call('POST', '/keys', { body: { tenant: 'acme', ...given } });
  expect(answer).toMatchObject({ status: 400, body: { error: { param } } });
});

describe('who does not operate the gateway', () => {
  test.each<Role>(['tenant_admin', 'member'])(
    'makes keys below the limits of the tenant: %s',
    async (role) => {
      const client = people[role];
      const { body } = await client.call('POST', '/keys', {
        body: { limits: { monthly_budget_usd: '50' }, models: ['openai/gpt-5.5'], operations: ['models'] },
      });
      expect(body).toMatchObject({ tenant: 'acme', owner: role === 'member' ? 'id-of-member' : null });
      for (const [given, param] of [
        [{ limits: { monthly_budget_usd: '50.01' } }, 'limits.monthly_budget_usd'],
        [{ limits: { requests_per_minute: 101 } }, 'limits.requests_per_minute'],
        [{ models: ['anthropic/claude-opus-5'] }, 'models'],
        [{ models: ['xai/*'] }, 'models'],
        [{ operations: ['embeddings'] }, 'operations'],
      ] as const) {
        const refused = await client.call('PATCH', `/keys/${body.id}`, { body: given });
        expect(refused).toMatchObject({ status: 400, body: { error: { param } } });
        expect(await client.call('POST', '/keys', { body: given })).toMatchObject({ status: 400 });
      }
      // What it does not limit, the tenant still does.
      const free = await client.call('PATCH', `/keys/${body.id}`, {
        body: { limits: { monthly_budget_usd: null }, models: null },
      });
      expect(free.status).toBe(200);
    },
  );

  test('does not find keys of another tenant, and makes none there', async () => {
    const { id } = await make(operator, { tenant: 'umbrella', owner: 'id-of-member' });
    for (const role of ['tenant_admin', 'member'] as const) {
      const client = people[role];
      for (const [method, path, body] of [
        ['GET', `/keys/${id}`, undefined],
        ['PATCH', `/keys/${id}`, { name: 'mine' }],
        ['POST', `/keys/${id}/rotate`, {}],
        ['POST', `/keys/${id}/disable`, undefined],
        ['GET', '/keys?tenant=umbrella', undefined],
        ['POST', '/keys', { tenant: 'umbrella' }],
        ['POST', '/keys', { tenant: 'no-such-tenant' }],
      ] as const) {
        expect(await client.call(method, path, { body })).toMatchObject({ status: 404 });
      }
    }
    expect((await operator.call('GET', `/keys/${id}`)).body).toMatchObject({
      status: 'active',
      expires_at: null,
    });
  });

  test('as a member, reaches keys of its own only', async () => {
    const other = await make(operator, { owner: 'somebody' });
    const own = await make(people.member);
    const { body } = await people.member.call('GET', '/keys?owner=somebody');
    const owners = body.data.map(({ owner }: { owner: string }) => owner);
    expect([...new Set(owners)]).toEqual(['id-of-member']);
    for (const [method, path] of [
      ['GET', `/keys/${other.id}`],
      ['POST', `/keys/${other.id}/disable`],
    ] as const) {
      expect((await people.member.call(method, path)).status).toBe(404);
    }
    await people.member.call('POST', `/keys/${own.id}/disable`);
    expect(await people.member.call('POST', `/keys/${own.id}/enable`)).toMatchObject({ status: 403 });
    const foreign = `/keys/${(await make(operator, { tenant: 'umbrella' })).id}/enable`;
    expect(await people.tenant_admin.call('POST', foreign)).toMatchObject({ status: 404 });
    expect(await people.tenant_admin.call('POST', `/keys/${own.id}/enable`)).toMatchObject({ status: 200 });
    for (const owner of ['somebody', null]) {
      const given = await people.member.call('PATCH', `/keys/${own.id}`, { body: { owner } });
      expect(given).toMatchObject({ status: 400, body: { error: { param: 'owner' } } });
    }
    expect(await people.member.call('POST', '/keys', { body: { owner: 'somebody' } })).toMatchObject({
      status: 400,
    });
  });

  test('as a viewer, or by an API key, looks', async () => {
    const { id, key } = await make(operator);
    for (const client of [people.viewer, await signInByKey(gateway(), key)]) {
      expect((await client.call('GET', `/keys/${id}`)).status).toBe(200);
      expect((await client.call('GET', '/keys')).body.data.length).toBeGreaterThan(0);
    }
  });
});

test('a call of a page of another origin is refused, also where a proxy stands before the gateway', async () => {
  const { id } = await make(operator);
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'none' },
    { origin: gateway().url.replace('127.0.0.1', '127.0.0.1.evil.example') },
    { authorization: 'Basic b2xnYTpvbGdh', 'x-dashboard': '' },
  ]) {
    const forged = await operator.call('POST', `/keys/${id}/disable`, { headers });
    expect(forged).toMatchObject({ status: 403, body: { error: { code: 'cross_site' } } });
  }
  expect((await operator.call('GET', `/keys/${id}`)).body.status).toBe('active');
  const proxied = { origin: 'https://page.example', 'x-forwarded-host': 'Page.example' };
  for (const headers of [{ origin: gateway().url }, proxied]) {
    expect((await operator.call('PATCH', `/keys/${id}`, { body: {}, headers })).status).not.toBe(403);
  }
});
