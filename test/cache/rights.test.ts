/** Cached answers of those who may no longer have them, of many who ask at once, and under guardrails. */
import { expect, test } from 'vitest';
import type { Rule } from '../../lib/core/guardrails/policy.ts';
import { createTenantEdits, type TenantEdit } from '../../lib/stores/access/tenant-edits.ts';
import { hit, miss, states, useCachedAnswers } from '../harness/cached-answers.ts';
import { policyOf } from '../harness/guardrails.ts';

const cached = useCachedAnswers();
const { access, upstream, ledger, newQuestion, newKey, chat, ask } = cached;

type Key = Awaited<ReturnType<typeof newKey>>;

const editTenant = ({ tenant }: Key, edit: TenantEdit) =>
  createTenantEdits({ call: ledger.call, table: 'access' }).edit(tenant, () => edit);

/** What takes an answer away, and what its caller gets then. */
const losses: readonly (readonly [what: string, take: (key: Key) => unknown, status: number])[] = [
  [
    'a key that may not use the model',
    ({ id }) => access.keyEdits().edit(id, () => ({ models: ['a/b'] })),
    403,
  ],
  ['a key that is disabled', ({ id }) => access.disable(id), 401],
  ['a tenant that is suspended', ({ tenant }) => access.suspend(tenant), 403],
  [
    'a tenant that forbids the provider',
    (key) => editTenant(key, { dataPolicy: { providers: { ignore: ['groq'] } } }),
    400,
  ],
  ['a tenant that stores nothing', (key) => editTenant(key, { dataPolicy: { noStore: true } }), 200],
  ['a tenant that has switched the cache off', (key) => editTenant(key, { cache: { off: true } }), 200],
  ['a tenant with another guardrail', ({ tenant }) => cached.guard(tenant, policyOf([])), 200],
  ['a tenant that has purged its answers', (key) => editTenant(key, { cacheEpoch: 1 }), 200],
];

test('no answer is given again to who may not have it any more', async () => {
  const asking = losses.map(async ([what, take, status]) => {
    const key = await newKey();
    const body = chat();
    const cacheOf = async () => {
      const answer = await ask(key.authorization, body);
      return { what, status: answer.status, isHit: answer.cache === 'hit' };
    };
    await cacheOf();
    expect(await cacheOf()).toEqual({ what, status: 200, isHit: true });
    await take(key);
    await expect.poll(cacheOf, { timeout: 15_000, interval: 250 }).toEqual({ what, status, isHit: false });
  });
  await Promise.all(asking);
});

test('of equal requests that come at once, one is sent, and all get its answer', async () => {
  const { authorization, tenant } = await newKey();
  const before = upstream.total;
  for (const stream of [false, true]) {
    const body = chat(newQuestion(), { stream });
    const all = await Promise.all(Array.from({ length: 12 }, () => ask(authorization, body)));
    expect(all.map(({ status, cache }) => `${status} ${cache}`).toSorted()).toEqual([
      ...Array.from({ length: 11 }, () => '200 hit'),
      '200 miss',
    ]);
    expect(all.filter(({ text }) => text.includes(cached.last()))).toHaveLength(12);
  }
  expect(upstream.total - before).toBe(2);
  const records = await ledger.recordsOf(tenant);
  expect(records).toHaveLength(24);
  expect(records.filter(({ attempts }) => attempts.length > 0)).toHaveLength(2);
  expect(records.filter(({ charge }) => charge !== 0)).toHaveLength(2);
});

test.each([false, true])(
  'streamed: %s, others get an answer where the first of them leaves',
  async (stream) => {
    const { authorization, tenant } = await newKey();
    const body = chat(newQuestion(), { stream });
    const leaving = new AbortController();
    const held = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    upstream.script(async (request, response) => {
      arrived.resolve();
      await held.promise;
      return cached.usual(request, response);
    });
    const first = fetch(`${cached.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await arrived.promise;
    const others = Array.from({ length: 4 }, () => ask(authorization, body));
    leaving.abort();
    await expect(first).rejects.toThrow();
    held.resolve();
    const answers = await Promise.all(others);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const { text } of answers) expect(text).toMatch(/Answer \d+/);
    const ended = async () => (await ledger.recordsOf(tenant)).length;
    await expect.poll(ended, { timeout: 15_000 }).toBe(5);
    // Each call of the provider is charged once, and what was given again is not.
    const records = await ledger.recordsOf(tenant);
    const [paid, free] = [true, false].map((isPaid) =>
      records.filter(({ charge }) => (charge !== 0) === isPaid),
    );
    expect(paid?.map(({ attempts }) => attempts.length)).toEqual(paid?.map(() => 1));
    expect(paid).toHaveLength(upstream.requests.length);
    expect(free?.every(({ replayed, attempts }) => replayed && attempts.length === 0)).toBe(true);
  },
);

const leak: Rule = { id: 'leak', kind: 'words', words: ['Answer'], on: ['output'], action: 'block' };
const people: Rule = { id: 'people', kind: 'pii', on: ['input', 'output'], action: 'redact' };

test.each([false, true])('streamed: %s, rules of output look at an answer each time', async (stream) => {
  const blocked = await newKey();
  await cached.guard(blocked.tenant, policyOf([leak]));
  const body = chat(newQuestion(), { stream });
  for (const _ of [1, 2]) {
    const { status, text } = await ask(blocked.authorization, body);
    expect(status).toBe(200);
    expect(text).toContain('content_filter');
    expect(text).not.toContain('Answer');
  }
});

test.each([false, true])(
  'streamed: %s, what was redacted is restored for each as it was sent',
  async (stream) => {
    const { authorization, tenant } = await newKey();
    await cached.guard(tenant, policyOf([people]));
    const question = newQuestion();
    upstream.script((request, response) => {
      cached.answer({ text: `You are ${/\[EMAIL_\d\]/.exec(request.text)?.[0]}.` });
      return cached.usual(request, response);
    });
    const asked = (email: string) => ask(authorization, chat(`${question}: I am ${email}.`, { stream }));
    const [ada, bob] = [await asked('ada@example.com'), await asked('bob@example.org')];
    expect(states(ada, bob)).toEqual([miss, hit]);
    expect([ada.text.includes('ada@example.com'), ada.text.includes('bob@')]).toEqual([true, false]);
    expect([bob.text.includes('bob@example.org'), bob.text.includes('ada@')]).toEqual([true, false]);
  },
);
