/** Gemini's cached content: what is stored, when it is used again, and what happens when Google refuses it. */
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import type { CacheControl, JsonObject, Message } from '../../lib/core/generation/request.ts';
import type { Counted } from '../../lib/core/generation/usage.ts';
import type { HttpResponse } from '../../lib/core/ports/http.ts';
import type { SharedCache } from '../../lib/core/ports/shared-cache.ts';
import { callWithCache } from '../../lib/providers/google/cached-content.ts';
import { google } from '../../lib/providers/google/provider.ts';
import { testRequest, testTarget } from '../harness/matrix/model.ts';
import { assistant, text, user } from '../protocols/requests.ts';

type Answer = readonly [status: number, body: object | string];

function answerWith([status, body]: Answer): HttpResponse {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const stream = async function* () {
    yield bytes;
  };
  return { status, headers: {}, body: stream() };
}

function createCache() {
  const entries = new Map<string, { readonly text: string; readonly lifetimeMs: number }>();
  const cache: SharedCache = {
    find: async (key) => entries.get(key)?.text,
    set: async (key, text, lifetimeMs) => void entries.set(key, { text, lifetimeMs }),
    delete: async (key) => void entries.delete(key),
    async claim(key, lifetimeMs) {
      if (entries.has(key)) return false;
      entries.set(key, { text: '', lifetimeMs });
      return true;
    },
  };
  return { cache, stored: () => [...entries.values()], keys: () => [...entries.keys()] };
}

const conversation = (cacheControl?: CacheControl): readonly Message[] => [
  { role: 'system', content: text('Be brief.') },
  { ...user('One?'), ...(cacheControl && { cacheControl }) },
  assistant('One.'),
  user('Two?'),
];
const marker: CacheControl = { type: 'ephemeral' };
const createTime = '2026-11-22T10:00:00Z';
const madeAt = Date.parse(createTime);
const created: Answer = [200, { name: 'cachedContents/one', createTime }];
const counted: Answer = [
  200,
  { name: 'cachedContents/one', createTime, usageMetadata: { totalTokenCount: 1_500 } },
];
const stored = { name: 'cachedContents/one', tokens: 0, created: madeAt, seconds: 300 };
const answered: Answer = [200, { candidates: [] }];

interface Given {
  readonly messages?: readonly Message[];
  readonly store?: ReturnType<typeof createCache>;
  readonly account?: string;
  readonly tenant?: string;
  readonly patched?: Answer | Error;
  readonly create?: Answer | Error;
  readonly answers?: readonly Answer[];
  readonly maxCacheSeconds?: number;
}

/** One call, with the answers of Google: to the request for cached content, and to the requests for an answer. */
async function call(given: Given) {
  const { messages = conversation(marker), store = createCache(), create = created, patched } = given;
  const answers = [...(given.answers ?? [answered])];
  const used: Counted[] = [];
  const posted: { readonly path: string; readonly body: JsonObject }[] = [];
  const { response, changes } = await callWithCache({
    protocol: google.generation.protocol,
    target: testTarget(),
    request: testRequest({}, { messages }),
    sharedCache: store.cache,
    maxCacheSeconds: given.maxCacheSeconds ?? 3_600,
    noteUse: (counted) => void used.push(counted),
    scope: '',
    signal: new AbortController().signal,
    read: () => expect.fail('Nothing is read.'),
    beside: () => expect.fail('Nothing is called beside.'),
    tenant: given.tenant ?? 'tenant',
    patch: async (path, body) => {
      posted.push({ path, body });
      if (patched instanceof Error) throw patched;
      return answerWith(patched ?? [200, { updateTime: '2026-11-22T10:01:00Z' }]);
    },
    account: given.account ?? 'account',
    post: async (path, body) => {
      posted.push({ path, body });
      if (path !== '/cachedContents') return answerWith(answers.shift() ?? answered);
      if (create instanceof Error) throw create;
      return answerWith(create);
    },
  });
  const pieces: Uint8Array[] = [];
  for await (const piece of response.body) pieces.push(piece);
  const answer = { status: response.status, text: Buffer.concat(pieces).toString() };
  return { answer, changes, used, posted, paths: posted.map(({ path }) => path), store };
}

const creation = '/cachedContents';
const generation = '/models/one:generateContent';

describe('a marked prefix', () => {
  test('is stored, and left out of the request', async () => {
    const { posted, changes, answer, store } = await call({});
    expect(posted).toEqual([
      {
        path: creation,
        body: expect.objectContaining({
          model: 'models/one',
          ttl: '300s',
          systemInstruction: { parts: [{ text: 'Be brief.' }] },
          contents: [{ role: 'user', parts: [{ text: 'One?' }] }],
        }),
      },
      { path: generation, body: expect.objectContaining({ cachedContent: 'cachedContents/one' }) },
    ]);
    expect(JSON.stringify(posted[1])).not.toContain('One?');
    expect(posted[1]?.body).not.toHaveProperty('systemInstruction');
    expect(changes).toMatchObject([
      { param: 'messages.1.cache_control', action: 'override', after: { type: 'ephemeral', ttl: '300s' } },
    ]);
    expect(answer).toEqual({ status: 200, text: JSON.stringify(answered[1]) });
    expect(store.stored()).toEqual([{ text: JSON.stringify(stored), lifetimeMs: 270_000 }]);
  });

  test('is used again by the same tenant and account only', async () => {
    const { store } = await call({});
    expect((await call({ store })).paths).toEqual([generation]);
    expect((await call({ store, tenant: 'other' })).paths).toEqual([creation, generation]);
    expect((await call({ store, account: 'other' })).paths).toEqual([creation, generation]);
    const longer = [
      ...conversation().slice(0, 1),
      { ...user('Another'), cacheControl: marker },
      assistant('A'),
      user('B'),
    ];
    expect((await call({ store, messages: longer })).paths).toEqual([creation, generation]);
    for (const key of store.keys()) expect(key).toMatch(/^google-cached-content#[0-9a-f]{64}$/);
  });

  test.each([
    ['1h', 300, 270_000],
    ['5m', 300, 270_000],
    ['40s', 40, 30_000],
    ['0s', 1, 750],
    ['soon', 300, 270_000],
  ])('is stored for a short time first, where %s is asked for', async (ttl, seconds, lifetimeMs) => {
    const { posted, store } = await call({ messages: conversation({ ...marker, ttl }) });
    expect(posted[0]?.body.ttl).toBe(`${seconds}s`);
    expect(store.stored()).toEqual([{ text: JSON.stringify({ ...stored, seconds }), lifetimeMs }]);
  });

  const override = (before: CacheControl, ttl: string, reason: string) => ({
    param: 'messages.1.cache_control',
    action: 'override',
    before,
    after: { ...marker, ttl },
    reason,
  });
  const once =
    'Content is kept for the time of its marker (10 minutes without one) once it is used a second time.';

  test.each([
    ['999999999h', 3_600],
    ['31536000s', 3_600],
    ['2h', 3_600],
    ['1h', 600],
  ])('is stored no longer than the gateway is set up for: %s, at most %i s', async (ttl, most) => {
    const messages = conversation({ ...marker, ttl });
    const first = await call({ messages, maxCacheSeconds: most, create: counted });
    const limit = `The gateway is set up to cache content for at most ${most} seconds.`;
    const capped = override({ ...marker, ttl }, `${most}s`, limit);
    expect(first.changes).toEqual([capped, override({ ...marker, ttl: `${most}s` }, '300s', once)]);
    const second = await call({ messages, maxCacheSeconds: most, store: first.store });
    expect(second.posted).toContainEqual({
      path: '/cachedContents/one',
      body: { expireTime: new Date(madeAt + most * 1000).toISOString() },
    });
    expect(second.changes).toEqual([capped]);
  });

  test('without a time is stored for less where no more is allowed', async () => {
    const { posted, changes } = await call({ maxCacheSeconds: 60 });
    expect([posted[0]?.body.ttl, changes]).toEqual(['60s', []]);
  });

  test('costs its tokens and their storage, when it is made', async () => {
    const { used, store } = await call({ create: counted });
    expect(used.map(({ usage }) => usage)).toEqual([
      {
        promptTokens: 1_500,
        cachedTokens: 0,
        cacheWriteTokens: 1_500,
        completionTokens: 0,
        reasoningTokens: 0,
        cacheStorage: { tokens: 1_500, seconds: 300 },
      },
    ]);
    expect(store.stored()).toHaveLength(1);
  });

  test('is kept for longer from its second use on, which costs only the storage', async () => {
    const { store } = await call({ create: counted });
    const second = await call({ store });
    expect(second.paths.toSorted()).toEqual(['/cachedContents/one', generation]);
    expect(second.used.map(({ usage }) => usage)).toEqual([
      {
        promptTokens: 0,
        cachedTokens: 0,
        cacheWriteTokens: 0,
        completionTokens: 0,
        reasoningTokens: 0,
        cacheStorage: { tokens: 1_500, seconds: 300 },
      },
    ]);
    // Ten minutes since it was made, of which one is over.
    expect(store.stored()).toMatchObject([{ lifetimeMs: 510_000 }]);
    const third = await call({ store });
    expect([third.paths, third.used]).toEqual([[generation], []]);
    const longer = await call({ store, messages: conversation({ ...marker, ttl: '1h' }) });
    expect(longer.used.map(({ usage }) => usage.cacheStorage)).toEqual([{ tokens: 1_500, seconds: 3_000 }]);
  });

  test('is kept for longer once, and that costs once, where several requests use it at the same time', async () => {
    const { store } = await call({ create: counted });
    const uses = await Promise.all(Array.from({ length: 5 }, () => call({ store })));
    expect(uses.flatMap(({ used }) => used)).toHaveLength(1);
    expect(uses.flatMap(({ paths }) => paths).filter((path) => path !== generation)).toHaveLength(1);
  });

  test('is not shortened or paid for again by a process that remembers it as it was', async () => {
    const { store } = await call({ create: counted });
    const [before] = store.stored();
    await call({ store, messages: conversation({ ...marker, ttl: '1h' }) });
    const find: SharedCache['find'] = async (key, { isFresh } = { isFresh: false }) =>
      isFresh ? await store.cache.find(key) : before?.text;
    const { paths, used } = await call({ store: { ...store, cache: { ...store.cache, find } } });
    expect([paths, used]).toEqual([[generation], []]);
  });

  test.each<[string, Answer | Error]>([
    ['refused', [404, {}]],
    ['no answer', new GatewayError('upstream_timeout', 'No answer.')],
  ])('is used as it is where its time cannot be changed: %s', async (_, patched) => {
    const { store } = await call({ create: counted });
    const before = store.stored();
    const { paths, used, changes, answer } = await call({ store, patched });
    expect(paths.toSorted()).toEqual(['/cachedContents/one', generation]);
    expect([used, changes, answer.status]).toEqual([[], [], 200]);
    expect(store.stored()).toEqual(before);
  });

  test('costs the same where the request after it fails', async () => {
    const { used } = await call({ create: counted, answers: [[500, { error: {} }]] });
    expect(used).toHaveLength(1);
  });

  test('with sound in it counts as audio', async () => {
    const sound: Message = {
      role: 'user',
      content: [{ type: 'audio', url: 'data:audio/wav;base64,AAAA' }],
      cacheControl: marker,
    };
    const { used } = await call({ create: counted, messages: [sound, assistant('One.'), user('Two?')] });
    expect(used[0]?.usage.inputAudioTokens).toBe(1_500);
  });

  test('of the instructions needs no message', async () => {
    const [first, ...rest] = conversation();
    const messages = first ? [{ ...first, cacheControl: marker }, ...rest] : [];
    const { posted } = await call({ messages });
    expect(posted[0]?.body).toHaveProperty('systemInstruction');
    expect(JSON.stringify(posted[0]?.body)).not.toContain('One?');
    expect(JSON.stringify(posted[1]?.body)).toContain('One?');
  });
});

test('a request without a marker is sent alone', async () => {
  const { paths, changes, store } = await call({ messages: conversation() });
  expect({ paths, changes, stored: store.stored() }).toEqual({
    paths: [generation],
    changes: [],
    stored: [],
  });
});

describe('a prefix that Google does not store', () => {
  test.each<[string, Answer | Error, number]>([
    ['because it is too short', [400, { error: {} }], 1],
    ['because of too many requests', [429, {}], 0],
    ['because of a failure', [500, { name: 'cachedContents/none' }], 0],
    ['without a name', [200, {}], 0],
    ['without an answer', new GatewayError('upstream_timeout', 'No answer.'), 0],
  ])('%s is sent in the request, on record', async (_, create, remembered) => {
    const { paths, posted, changes, store } = await call({ create });
    expect(paths).toEqual([creation, generation]);
    expect(JSON.stringify(posted[1]?.body)).toContain('One?');
    expect(posted[1]?.body).not.toHaveProperty('cachedContent');
    expect(changes).toEqual([
      {
        param: 'messages.1.cache_control',
        action: 'strip',
        before: marker,
        after: null,
        reason: 'The provider did not cache the prefix.',
      },
    ]);
    expect(store.stored()).toEqual(Array(remembered).fill({ text: '', lifetimeMs: 300_000 }));
    if (remembered > 0) expect((await call({ store, create })).paths).toEqual([generation]);
  });

  test('because the client has left ends the request', async () => {
    const left = new GatewayError('client_closed', 'The client closed the connection.');
    await expect(call({ create: left })).rejects.toBe(left);
  });
});

describe('cached content that Google no longer has', () => {
  test.each<[Answer]>([
    [[403, { error: {} }]],
    [[404, { error: {} }]],
    [[400, { error: { message: 'CachedContent not found' } }]],
    [[400, { error: { message: 'The cached content is expired.' } }]],
  ])('is sent in the request, on record: %j', async (gone) => {
    const { store } = await call({});
    const { paths, posted, changes, answer } = await call({ store, answers: [gone, answered] });
    expect(paths).toEqual([generation, generation]);
    expect(posted[1]?.body).not.toHaveProperty('cachedContent');
    expect(changes).toMatchObject([{ reason: 'The cached content has expired at the provider.' }]);
    expect(answer.status).toBe(200);
    expect(store.stored()).toEqual([]);
  });

  test.each<[Answer]>([
    [[400, { error: { message: 'Invalid value.' } }]],
    [[429, { error: { message: 'cached content' } }]],
    [[500, { error: {} }]],
  ])('is not what this failure says: %j', async (failure) => {
    const { paths, answer, changes, store } = await call({ answers: [failure] });
    expect(paths).toEqual([creation, generation]);
    expect(answer).toEqual({ status: failure[0], text: JSON.stringify(failure[1]) });
    expect(changes).toMatchObject([{ action: 'override', after: { ttl: '300s' } }]);
    expect(store.stored()).toHaveLength(1);
  });
});
