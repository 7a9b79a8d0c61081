/** `GET /v1/usage`: a tenant sees its own usage, grouped and paged, and no other tenant's. */
import { beforeEach, describe, expect, test } from 'vitest';
import { formatDollars } from '../../lib/core/accounting/money.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { useGateway } from '../harness/gateways/use-gateway.ts';
import { openLedger, testRecord } from '../harness/ledger.ts';
import { settled } from '../harness/settled.ts';
import { use } from '../harness/use.ts';

const gateway = useGateway();
const ledger = use(() => openLedger());
let tenant = '';
let secret = '';
let tenants = 0;

beforeEach(async () => {
  tenants += 1;
  tenant = `tenant-${tenants}`;
  secret = await newKey(tenant);
});

const keys = () => createKeyStore({ call: ledger.call, table: 'access' });
const newKey = async (name: string) => (await keys().create({ tenant: name })).secret;

interface Sum {
  readonly object: string;
  readonly day?: string;
  readonly model?: string;
  readonly key?: string;
  readonly user?: string | null;
  readonly session?: string | null;
  readonly requests: number;
  readonly cost: string;
  readonly cost_nano_usd: number;
}

interface Page {
  readonly data: readonly Sum[];
  readonly has_more: boolean;
  readonly next_after: string | null;
  readonly source: string;
  readonly from: string;
  readonly to: string;
  readonly complete_from: string;
  readonly total: Sum;
}

async function ask(query: string, apiKey = secret) {
  const response = await fetch(`${gateway().url}/v1/usage${query}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  return { status: response.status, body: (await response.json()) as { error: { message: string } } };
}

async function page(query: string, apiKey = secret): Promise<Page> {
  const { status, body } = await ask(query, apiKey);
  expect([status, body]).toMatchObject([200, { object: 'list' }]);
  return body as unknown as Page;
}

async function pages(query: string): Promise<readonly Page[]> {
  const read = [await page(query)];
  for (let after = read[0]?.next_after; after; ) {
    const next = await page(`${query}&after=${after}`);
    read.push(next);
    after = next.next_after;
  }
  return read;
}

const dayMs = 86_400_000;
const midnight = Math.floor(Date.now() / dayMs) * dayMs;
const dayBefore = (days: number) => new Date(midnight - days * dayMs).toISOString().slice(0, 10);
const at = (daysAgo: number, hour = 12) => midnight - daysAgo * dayMs + hour * 3_600_000;
/** The last ten days. */
const lately = `from=${dayBefore(9)}&to=${dayBefore(0)}`;
const record = (changes: Parameters<typeof testRecord>[0] = {}) => testRecord({ tenant, ...changes });

describe('sums', () => {
  test('are by day by default, for every class of tokens and to the nano-dollar', async () => {
    await ledger.write(
      record({ at: at(2), cost: 1_000_000_001, estimated: true }),
      record({ at: at(2), cost: null }),
      record({
        at: at(1),
        status: 500,
        error: 'provider_error',
        usage: {
          promptTokens: 7,
          cachedTokens: 0,
          cacheWriteTokens: 0,
          completionTokens: 9,
          reasoningTokens: 0,
          inputImageTokens: 3,
          outputImageTokens: 8,
          webSearches: 2,
        },
        cost: 125,
      }),
    );
    expect(await page(`?${lately}`)).toEqual({
      object: 'list',
      from: `${dayBefore(9)}T00:00:00.000Z`,
      to: `${dayBefore(-1)}T00:00:00.000Z`,
      source: 'daily_counters',
      complete_from: `${dayBefore(9)}T00:00:00.000Z`,
      group_by: ['day'],
      data: [
        {
          object: 'usage',
          day: dayBefore(2),
          requests: 2,
          failed_requests: 0,
          unpriced_requests: 1,
          estimated_requests: 1,
          prompt_tokens: 200,
          cached_tokens: 80,
          cache_write_tokens: 20,
          input_image_tokens: 0,
          completion_tokens: 100,
          reasoning_tokens: 40,
          output_image_tokens: 0,
          web_searches: 0,
          search_units: 0,
          input_images: 0,
          characters: 0,
          audio_ms: 0,
          cost: '1.000000001',
          cost_nano_usd: 1_000_000_001,
          estimated_cost: '1.000000001',
          estimated_cost_nano_usd: 1_000_000_001,
        },
        {
          object: 'usage',
          day: dayBefore(1),
          requests: 1,
          failed_requests: 1,
          unpriced_requests: 0,
          estimated_requests: 0,
          prompt_tokens: 7,
          cached_tokens: 0,
          cache_write_tokens: 0,
          input_image_tokens: 3,
          completion_tokens: 9,
          reasoning_tokens: 0,
          output_image_tokens: 8,
          web_searches: 2,
          search_units: 0,
          input_images: 0,
          characters: 0,
          audio_ms: 0,
          cost: '0.000000125',
          cost_nano_usd: 125,
          estimated_cost: '0.00',
          estimated_cost_nano_usd: 0,
        },
      ],
      has_more: false,
      next_after: null,
      total: expect.objectContaining({
        requests: 3,
        prompt_tokens: 207,
        output_image_tokens: 8,
        cost: '1.000000126',
        cost_nano_usd: 1_000_000_126,
      }),
    });
  });

  test.each([
    ['group_by=model', [['model'], [['a/one'], ['a/two']]], 'daily_counters'],
    [
      'group_by=key,model',
      [
        ['key', 'model'],
        [
          ['key_a', 'a/one'],
          ['key_a', 'a/two'],
          ['key_b', 'a/one'],
        ],
      ],
      'daily_counters',
    ],
    [
      'group_by=day&group_by=key',
      [
        ['day', 'key'],
        [
          [dayBefore(2), 'key_a'],
          [dayBefore(1), 'key_a'],
          [dayBefore(1), 'key_b'],
        ],
      ],
      'daily_counters',
    ],
    ['group_by[]=user', [['user'], [[null], ['ann'], ['bob']]], 'ledger'],
    [
      'group_by=session,user',
      [
        ['session', 'user'],
        [
          [null, null],
          ['s1', 'ann'],
          ['s1', 'bob'],
        ],
      ],
      'ledger',
    ],
  ] as const)('%s', async (query, [names, expected], source) => {
    await ledger.write(
      record({ at: at(2), key: 'key_a', model: 'a/two' }),
      record({ at: at(2), key: 'key_a', model: 'a/one', user: 'ann', session: 's1' }),
      record({ at: at(1), key: 'key_a', model: 'a/one', user: 'bob', session: 's1' }),
      record({ at: at(1), key: 'key_b', model: 'a/one', user: 'ann', session: 's1' }),
    );
    const answer = await page(`?${lately}&${query}`);
    expect(answer.data.map((sum) => names.map((name) => sum[name]))).toEqual(expected);
    expect([answer.source, answer.total.requests]).toEqual([source, 4]);
    expect(answer.data.reduce((sum, { cost_nano_usd }) => sum + cost_nano_usd, 0)).toBe(6_000);
  });

  test('include a real request', async () => {
    const messages = [{ role: 'user', content: 'Hello.' }];
    const headers = { authorization: `Bearer ${secret}`, 'x-gateway-user-id': 'ann' };
    const body = { model: 'openai/gpt-4.1', messages };
    const answered = await gateway().post('/v1/chat/completions', body, headers);
    const { usage } = (await answered.json()) as {
      usage: { prompt_tokens: number; completion_tokens: number };
    };
    await settled();
    for (const [query, names] of [
      ['', { day: dayBefore(0) }],
      ['?group_by=user,model', { user: 'ann', model: 'openai/gpt-4.1' }],
    ] as const) {
      const { data } = await page(query);
      expect(data).toMatchObject([
        {
          ...names,
          requests: 1,
          prompt_tokens: usage.prompt_tokens,
          completion_tokens: usage.completion_tokens,
        },
      ]);
      expect(data[0]?.cost_nano_usd).toBeGreaterThan(0);
      expect(data[0]?.cost).toBe(formatDollars(data[0]?.cost_nano_usd ?? 0));
    }
  });

  test('are empty without usage, and the total is zero', async () => {
    expect(await page('')).toMatchObject({ data: [], has_more: false, total: { requests: 0, cost: '0.00' } });
  });
});

describe('the time span', () => {
  test('is the current month by default', async () => {
    const answer = await page('');
    expect([answer.from, answer.to]).toEqual([
      `${dayBefore(0).slice(0, 7)}-01T00:00:00.000Z`,
      `${dayBefore(-1)}T00:00:00.000Z`,
    ]);
  });

  test('includes the whole day for a date', async () => {
    await ledger.write(
      ...[0, 12, 23.999].map((hour) => record({ at: at(1, hour) })),
      record({ at: at(0, 0) }),
    );
    const answer = await page(`?from=${dayBefore(1)}&to=${dayBefore(1)}`);
    expect([answer.from, answer.to]).toEqual([1, 0].map((days) => `${dayBefore(days)}T00:00:00.000Z`));
    expect([answer.source, answer.total.requests]).toEqual(['daily_counters', 3]);
  });

  test('includes `from` and excludes `to` for times, in any zone', async () => {
    await ledger.write(record({ at: at(2, 0) }), record({ at: at(1, 0) }), record({ at: at(1, 6) }));
    const spans = [
      `from=${dayBefore(2)}T00:00:00Z&to=${dayBefore(1)}T00:00:00Z`,
      `from=${dayBefore(1)}T00:00:00Z&to=${dayBefore(1)}T06:00:00Z`,
      `from=${dayBefore(1)}T02:00:00%2B02:00&to=${dayBefore(1)}T08:00:00.001%2B02:00`,
    ];
    const answers = await Promise.all(spans.map((span) => page(`?${span}`)));
    expect(answers.map(({ source, total }) => [source, total.requests])).toEqual([
      ['daily_counters', 1],
      ['ledger', 1],
      ['ledger', 2],
    ]);
  });

  test('records that have expired are not counted, and the answer says from when it is complete', async () => {
    const old = record({ at: at(100), user: 'ann' });
    await ledger.write(old, record({ at: at(3), user: 'ann' }));
    const from = dayBefore(120);
    const byUser = await page(`?from=${from}&to=${dayBefore(0)}&group_by=user`);
    expect(byUser).toMatchObject({
      from: `${from}T00:00:00.000Z`,
      complete_from: `${dayBefore(89)}T00:00:00.000Z`,
    });
    expect(byUser.total.requests).toBe(1);
    const byDay = await page(`?from=${from}&to=${dayBefore(0)}`);
    expect([byDay.complete_from, byDay.total.requests]).toEqual([`${from}T00:00:00.000Z`, 2]);
  });

  test('may cover the months of a whole year', async () => {
    await ledger.write(...[0, 30, 60, 200, 364].map((days) => record({ at: at(days) })));
    expect((await page(`?from=${dayBefore(364)}`)).data).toHaveLength(5);
  });
});

describe('pages', () => {
  test.each([
    ['group_by=day,model', 'daily_counters'],
    ['group_by=user', 'ledger'],
  ])('%s: no group is missing or repeated, and every page has the same total', async (query, source) => {
    const of = (index: number) => ({ model: `a/m${index}`, user: `user ${index}`, cost: index + 1 });
    const records = Array.from({ length: 23 }, (_, index) => record({ at: at(1), ...of(index) }));
    await ledger.write(...records, record({ at: at(1), model: 'a/none', cost: 0 }));
    const whole = await page(`?${lately}&${query}&limit=1000`);
    const read = await pages(`?${lately}&${query}&limit=5`);
    expect(read.map(({ data, has_more }) => [data.length, has_more])).toEqual([
      ...Array(4).fill([5, true]),
      [4, false],
    ]);
    expect(read.flatMap(({ data }) => data)).toEqual(whole.data);
    for (const one of read) expect([one.source, one.total]).toEqual([source, whole.total]);
  });

  test('eight hundred requests of four hundred users are summed up completely', async () => {
    const records = Array.from({ length: 800 }, (_, index) =>
      record({ at: at(index % 2), user: `user-${String(index % 400).padStart(4, '0')}`, cost: 1 }),
    );
    for (let start = 0; start < records.length; start += 100)
      await Promise.all(
        records.slice(start, start + 100).map((one) => ledger.usage.record(one, `write_${one.requestId}`)),
      );
    const read = await pages(`?${lately}&group_by=user&limit=250`);
    const sums = read.flatMap(({ data }) => data);
    expect([read.length, sums.length, new Set(sums.map(({ user }) => user)).size]).toEqual([2, 400, 400]);
    expect(sums.every(({ requests, cost_nano_usd }) => requests === 2 && cost_nano_usd === 2)).toBe(true);
    expect(read[0]?.total.requests).toBe(800);
  });
});

describe('access to usage is denied', () => {
  test('for another tenant, with any cursor', async () => {
    const other = `${tenant}-other`;
    await ledger.write(
      ...['b', 'd', 'f'].map((user) =>
        testRecord({ tenant: other, at: at(1), user, model: `other/${user}` }),
      ),
      ...['a', 'c', 'e'].map((user) => record({ at: at(1), user, model: `mine/${user}` })),
    );
    const theirs = await newKey(other);
    for (const query of [`?${lately}&group_by=user`, `?${lately}&group_by=model`]) {
      const cursors = await Promise.all(
        [1, 2].map(async (limit) => (await page(`${query}&limit=${limit}`, theirs)).next_after),
      );
      const own = JSON.stringify((await page(query)).data);
      for (const cursor of cursors) {
        const { data, total } = await page(`${query}&after=${cursor}`);
        for (const sum of data) expect(own).toContain(JSON.stringify(sum));
        expect(total.requests).toBe(3);
      }
    }
  });

  test.each(['', 'Bearer nonsense', `Bearer mgw_${'a'.repeat(40)}`])(
    'without a valid key: %s',
    async (authorization) => {
      const response = await fetch(`${gateway().url}/v1/usage`, { headers: { authorization } });
      expect(response.status).toBe(401);
    },
  );

  test('to a key without the permission', async () => {
    const own = await keys().create({ tenant, operations: ['chat-completions'] });
    const { status, body } = await ask('', own.secret);
    expect([status, body]).toMatchObject([403, { error: { type: 'permission_denied_error' } }]);
    const allowed = await keys().create({ tenant, operations: ['usage-retrieve'] });
    expect((await ask('', allowed.secret)).status).toBe(200);
  });

  test('with a wrong method', async () => {
    const response = await gateway().post('/v1/usage', {});
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('an invalid query is a 400 that names the field', () => {
  const cursor = (names: object | string) => Buffer.from(JSON.stringify(names)).toString('base64url');
  test.each([
    ['from=yesterday', 'from'],
    ['from=2026-02-30', 'from'],
    ['from=2026-01-01T00:00:00', 'from'],
    ['to=1700000000', 'to'],
    ['to=', 'to'],
    ['from=2026-01-02T00:00:00Z&to=2026-01-02T00:00:00Z', 'from'],
    ['from=2026-01-03&to=2026-01-02T12:00:00Z', 'from'],
    ['from=2026-01-02&to=2026-01-01', 'from'],
    ['from=2024-01-01&to=2026-01-01', 'from'],
    ['from=2026-01-01&from=2026-01-02', 'from'],
    ['group_by=week', 'group_by'],
    ['group_by=', 'group_by'],
    ['group_by=day,tenant', 'group_by'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=many', 'limit'],
    ['after=nonsense', 'after'],
    [`after=${cursor('day')}`, 'after'],
    [`after=${cursor({ model: 'a/one' })}`, 'after'],
    [`after=${cursor({ day: 7 })}`, 'after'],
    [`after=${cursor({ day: '2026-01-01', tenant: 'other' })}`, 'after'],
    ['tenant=other', 'tenant'],
    ['groupby=user', 'groupby'],
  ])('%s', async (query, param) => {
    const { status, body } = await ask(`?${query}`);
    expect([status, body]).toMatchObject([400, { error: { type: 'invalid_request_error', param } }]);
    expect(body.error.message).toMatch(
      /^('\w+' must be |Unknown parameter: '\w+'\.|Invalid (type|value) for '\w+': expected )/,
    );
  });
});
