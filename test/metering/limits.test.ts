/** The limits of a request's key, user and tenant: what is held, refusals, and a database that is unavailable. */
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type Admission,
  type Hold,
  type LimitScope,
  type LimitUsage,
  scopeOfUser,
  type Wanted,
} from '../../lib/core/accounting/limits.ts';
import type { ApiKey } from '../../lib/core/ports/api-keys.ts';
import type { MaxUse } from '../../lib/core/ports/metering.ts';
import type { Limits, TenantTerms } from '../../lib/core/tenancy.ts';
import { createOpenLimits } from '../../lib/metering/limits/limits.ts';
import { silent } from './aggregator.ts';

/** A Friday. */
const now = Date.UTC(2026, 10, 20, 12, 0, 48);
const minuteEnds = now + 12_000;

const usage: LimitUsage = {
  requests: 1,
  tokens: 300,
  minuteEnds,
  dayCommitted: 0,
  weekCommitted: 0,
  committed: 0,
  totalCommitted: 0,
  usedCredit: 0,
  running: 1,
  held: 0,
};

const max: MaxUse = {
  fixed: { tokens: 100, amount: 1_000 },
  perOutputToken: { tokens: 1, amount: 20 },
  output: { max: 200, min: 16 },
};
const unpriced: MaxUse = { ...max, perOutputToken: { tokens: 1, amount: null } };

let done: unknown[][];
let logged: string[];

beforeEach(() => {
  done = [];
  logged = [];
});

type Kind = LimitScope['kind'];
type Answers = Partial<Record<Kind, Partial<Admission> | (() => Promise<Admission>)>>;

const fails = () => Promise.reject(new Error('down'));

const holdOf = (
  { kind, id }: LimitScope,
  { fixed, perOutputToken }: Wanted,
  output: number,
  running: 0 | 1,
): Hold => ({
  kind,
  id,
  minute: Math.floor(now / 60_000),
  day: Math.floor(now / 86_400_000),
  tokens: fixed.tokens + output * perOutputToken.tokens,
  amount: fixed.amount + output * perOutputToken.amount,
  running,
});

interface Case {
  readonly key?: Limits;
  readonly tenant?: Limits;
  readonly terms?: TenantTerms;
  readonly user?: string;
}

/** The limits of one request, on a store that answers as scripted and records its calls. */
function open({ key, tenant, terms, user }: Case, answers: Answers = {}) {
  const caller: ApiKey = {
    id: 'key_1',
    tenant: 'acme',
    ...(key && { keyPolicy: { limits: key } }),
    tenantPolicy: { ...(tenant && { limits: tenant }), ...terms },
  };
  const openLimits = createOpenLimits({
    store: {
      async reserve(scope, limits, wanted, sharding) {
        const { fixed, output, isFurther } = wanted;
        const known = {
          ...(isFurther && { isFurther }),
          ...(sharding?.shards && { shards: sharding.shards }),
        };
        done.push([
          'reserve',
          scope.kind,
          fixed.amount,
          output,
          ...(Object.keys(known).length > 0 ? [known] : []),
        ]);
        const answer = answers[scope.kind];
        if (typeof answer === 'function') return await answer();
        if (answer?.refusedBy) return { usage, output: 0, ...answer };
        const granted = answer?.output ?? output.max;
        const running = limits.concurrentRequests === undefined ? 0 : 1;
        return { usage, output: granted, hold: holdOf(scope, wanted, granted, running), ...answer };
      },
      preview: async () => undefined,
      async cancel({ kind, amount }) {
        done.push(['cancel', kind, amount]);
      },
      async endRunning({ kind }) {
        done.push(['end', kind]);
      },
      async endUnrecorded({ kind }) {
        done.push(['end unrecorded', kind]);
      },
    },
    log: {
      ...silent,
      warn: (message, fields) => logged.push(`${message}: ${fields.policy} ${fields.reason}`),
    },
    now: () => now,
    newId: (prefix) => `${prefix}1`,
  });
  const request = openLimits(caller, 'request', user);
  if (!request) throw new Error('This test needs limits.');
  return request;
}

const both = { key: { credit: 1e9 }, tenant: { credit: 1e9 } };
const all = { max: 200, min: 16 };

test('requests without limits cause no call of the store', () => {
  const openLimits = createOpenLimits({
    store: { reserve: fails, preview: fails, cancel: fails, endRunning: fails, endUnrecorded: fails },
    log: silent,
    now: () => now,
    newId: () => '',
  });
  const terms = { userLimits: { dailyBudget: 1 }, throughput: 5_000 };
  const unlimited: readonly ApiKey[] = [
    { id: 'key_1', tenant: 'acme' },
    { id: 'key_1', tenant: 'acme', keyPolicy: { limits: {} }, tenantPolicy: {} },
    { id: 'key_1', tenant: 'acme', tenantPolicy: terms },
  ];
  for (const key of unlimited) expect(openLimits(key, 'request')).toBeUndefined();
});

test('what is held is for the record, and a served request cancels nothing', async () => {
  const request = open({ tenant: { credit: 1e9 } });
  expect(await request.admit(max)).toBe(200);
  await request.release('recorded');
  expect(done).toEqual([['reserve', 'tenant', 1_000, all]]);
  expect(request.holds()).toMatchObject([{ kind: 'tenant', id: 'acme', tokens: 300, amount: 5_000 }]);
});

test('a request that reached no provider is cancelled', async () => {
  const request = open(both);
  await request.admit(max);
  await request.release('not served');
  expect(done.slice(2)).toEqual([
    ['cancel', 'key', 5_000],
    ['cancel', 'tenant', 5_000],
  ]);
});

test('only a limit of concurrent requests is written once more at the end', async () => {
  const request = open({ key: { concurrentRequests: 5 }, tenant: { credit: 1e9 } });
  await request.admit(max);
  await request.release('recorded');
  expect(done.slice(2)).toEqual([['end', 'key']]);
});

test('what is held for a request without a record is given back at its end', async () => {
  const request = open({ key: { concurrentRequests: 5 }, tenant: { requestsPerMinute: 9 } });
  await request.admit(max);
  await request.release('unrecorded');
  expect(done.slice(2)).toEqual([['end unrecorded', 'key']]);
});

test('a further attempt holds more, and counts no further request', async () => {
  const request = open({ tenant: { credit: 1e9 } });
  await request.admit(max);
  await request.admit(max);
  expect(done[1]).toEqual(['reserve', 'tenant', 1_000, all, { isFurther: true }]);
  expect(request.holds()).toHaveLength(2);
});

describe('a key, a user and a tenant', () => {
  const terms = { userLimits: { dailyBudget: 1e9 } };

  test('are asked in this order, each with the output that those before it grant', async () => {
    const request = open({ ...both, terms, user: 'u1' }, { key: { output: 150 }, user: { output: 90 } });
    expect(await request.admit({ ...max, output: { max: 200, min: 16, expected: 100 } })).toBe(90);
    expect(done).toEqual([
      ['reserve', 'key', 1_000, { max: 200, min: 16, expected: 100 }],
      ['reserve', 'user', 1_000, { max: 150, min: 16, expected: 100 }],
      ['reserve', 'tenant', 1_000, { max: 90, min: 16, expected: 90 }],
    ]);
    expect(request.holds()[1]).toMatchObject(scopeOfUser('acme', 'u1'));
    expect(JSON.stringify(request.holds())).not.toContain('u1');
  });

  test('users of one name at two tenants are two', () => {
    expect(scopeOfUser('acme', 'u1').id).not.toBe(scopeOfUser('umbrella', 'u1').id);
  });

  test('a busy tenant is counted in shards, its users are not', async () => {
    await open({ ...both, terms: { ...terms, throughput: 5_000 }, user: 'u1' }).admit(max);
    expect(done.map((call) => call[4])).toEqual([{ shards: 10 }, undefined, { shards: 10 }]);
  });

  test('the tenant is not asked if the key refuses, and nothing is cancelled', async () => {
    const request = open(both, { key: { refusedBy: 'credit' } });
    await expect(request.admit(max)).rejects.toThrow("the API key's remaining credit");
    await request.release('not served');
    expect(done.map(([name, kind]) => `${name} ${kind}`)).toEqual(['reserve key']);
  });

  test('what the key holds is cancelled if the tenant refuses', async () => {
    const limits = { key: { requestsPerMinute: 5 }, tenant: { monthlyBudget: 1e9 } };
    const request = open(limits, { tenant: { refusedBy: 'monthlyBudget' } });
    await expect(request.admit(max)).rejects.toThrow("the tenant's remaining monthly budget");
    await request.release('not served');
    expect(done.slice(2)).toEqual([['cancel', 'key', 5_000]]);
    expect(request.headers()['x-ratelimit-remaining-requests']).toBe('5');
  });
});

describe('a refusal', () => {
  const limits: Limits = {
    requestsPerMinute: 3,
    tokensPerMinute: 1_000,
    concurrentRequests: 2,
    dailyBudget: 1e9,
    weeklyBudget: 1e9,
    monthlyBudget: 1e9,
    totalBudget: 1e9,
    credit: 1e9,
  };
  const day = 86_400_000;
  const midnight = Date.UTC(2026, 10, 21);
  const monday = Date.UTC(2026, 10, 23);
  const december = Date.UTC(2026, 11);

  test.each([
    ['requestsPerMinute', 429, 'rate_limit_exceeded', 12_000, /tenant's limit is 3 requests per minute/],
    ['tokensPerMinute', 429, 'rate_limit_exceeded', 12_000, /tenant's limit is 1000 tokens per minute/],
    ['concurrentRequests', 429, 'rate_limit_exceeded', 1_000, /tenant's limit is 2 concurrent requests/],
    ['contention', 429, 'rate_limit_exceeded', 1_000, /too many simultaneous requests/],
    ['totalBudget', 402, 'insufficient_quota', undefined, /exceed the tenant's remaining total budget\./],
    ['credit', 402, 'insufficient_quota', undefined, /exceed the tenant's remaining credit\./],
  ] as const)('by %s is a %i and says so', async (refusedBy, status, code, retryAfterMs, message) => {
    const request = open({ tenant: limits }, { tenant: { refusedBy } });
    const refused = request.admit(max);
    await expect(refused).rejects.toMatchObject({ status, code, retryAfterMs, resetsAt: undefined });
    await expect(refused).rejects.toThrow(message);
  });

  test.each([
    ['dailyBudget', midnight, 'daily budget, which starts again at 2026-11-21T00:00:00Z'],
    ['weeklyBudget', monday, 'weekly budget, which starts again at 2026-11-23T00:00:00Z'],
    ['monthlyBudget', december, 'monthly budget, which starts again at 2026-12-01T00:00:00Z'],
  ] as const)('by %s names when it starts again', async (refusedBy, resetsAt, words) => {
    const refused = open({ key: limits }, { key: { refusedBy } }).admit(max);
    const retryAfterMs = resetsAt - now;
    const type = 'insufficient_quota';
    await expect(refused).rejects.toMatchObject({ status: 429, type, code: type, retryAfterMs, resetsAt });
    await expect(refused).rejects.toThrow(`the API key's remaining ${words}`);
    expect(resetsAt - now).toBeLessThan(32 * day);
  });

  test('because of running requests is a short wait', async () => {
    const terms = { userLimits: { dailyBudget: 1 } };
    const answers: Answers = { user: { refusedBy: 'dailyBudget', isHeld: true } };
    const refused = open({ terms, user: 'u1' }, answers).admit(max);
    await expect(refused).rejects.toMatchObject({
      status: 429,
      code: 'rate_limit_exceeded',
      retryAfterMs: 3_000,
    });
    await expect(refused).rejects.toThrow("Running requests hold the user's remaining daily budget");
  });

  test.each([
    [
      'what may be lowered',
      { max: 9_000, min: 1_024 },
      'lower max_completion_tokens (Responses: max_output_tokens)',
    ],
    ['no limit that was lowered as far as possible', { max: 200, min: 16 }, 'ask the operator for more'],
    ['no limit of an answer without output', { max: 0, min: 0 }, 'ask the operator for more'],
  ])('names %s', async (_, output, words) => {
    const request = open({ tenant: limits }, { tenant: { refusedBy: 'credit' } });
    await expect(request.admit({ ...max, output })).rejects.toThrow(words);
  });

  test.each([
    [
      'for more tokens than the limit of a minute',
      { tokensPerMinute: 115 },
      max,
      400,
      'tokens_per_minute_exceeded',
    ],
    ['for a daily budget without a known price', { dailyBudget: 1 }, unpriced, 403, 'price_unknown'],
    ['for a budget without a known price', { monthlyBudget: 1 }, unpriced, 403, 'price_unknown'],
    ['for credit where no price is known', { credit: 1 }, unpriced, 403, 'price_unknown'],
  ])('%s needs no call of the store', async (_, limited, use, status, code) => {
    await expect(open({ key: limited }).admit(use)).rejects.toMatchObject({ status, code });
    expect(done).toEqual([]);
  });

  test('does not happen where less output fits into a minute, or amounts are not limited', async () => {
    await open({ key: { tokensPerMinute: 116 } }).admit(max);
    await open({ key: { requestsPerMinute: 1 } }).admit(unpriced);
    expect(done).toHaveLength(2);
  });
});

describe('headers', () => {
  test('report the use of the minute in OpenAI’s format', async () => {
    const request = open({ key: { requestsPerMinute: 5, tokensPerMinute: 1_000 } });
    await request.admit(max);
    expect(request.headers()).toEqual({
      'x-ratelimit-limit-requests': '5',
      'x-ratelimit-remaining-requests': '4',
      'x-ratelimit-reset-requests': '12s',
      'x-ratelimit-limit-tokens': '1000',
      'x-ratelimit-remaining-tokens': '700',
      'x-ratelimit-reset-tokens': '12s',
    });
  });

  test('report it in Anthropic’s format too, where a client reads that', async () => {
    const request = open({ key: { requestsPerMinute: 5, tokensPerMinute: 1_000 } });
    await request.admit(max);
    const reset = new Date(now + 12_000).toISOString().replace('.000Z', 'Z');
    const tokens = (name: string) => ({
      [`anthropic-ratelimit-${name}-limit`]: '1000',
      [`anthropic-ratelimit-${name}-remaining`]: '700',
      [`anthropic-ratelimit-${name}-reset`]: reset,
    });
    expect(request.headers('anthropic')).toEqual({
      ...request.headers(),
      'anthropic-ratelimit-requests-limit': '5',
      'anthropic-ratelimit-requests-remaining': '4',
      'anthropic-ratelimit-requests-reset': reset,
      ...tokens('tokens'),
      ...tokens('input-tokens'),
      ...tokens('output-tokens'),
    });
  });

  test('report the tighter limit, separately for requests and tokens', async () => {
    const limits = {
      key: { requestsPerMinute: 5, tokensPerMinute: 10_000 },
      tenant: { requestsPerMinute: 50, tokensPerMinute: 1_000 },
    };
    const request = open(limits, { tenant: { usage: { ...usage, requests: 49 } } });
    await request.admit(max);
    expect(request.headers()).toMatchObject({
      'x-ratelimit-limit-requests': '50',
      'x-ratelimit-remaining-requests': '1',
      'x-ratelimit-limit-tokens': '1000',
    });
  });

  test.each([
    [60_000, '1m0s'],
    [59_999, '1m0s'],
    [59_000, '59s'],
    [500, '1s'],
  ])('never report negative values, and %i ms of the minute as %s', async (left, reset) => {
    const full = { ...usage, requests: 7, minuteEnds: now + left };
    const request = open({ key: { requestsPerMinute: 5 } }, { key: { usage: full } });
    await request.admit(max);
    expect(request.headers()).toMatchObject({
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': reset,
    });
  });

  test.each([
    ['unlimited requests and tokens', { monthlyBudget: 1e9 }],
    ['budget or credit', { credit: 1e9 }],
  ])('do not report %s', async (_, limits) => {
    const request = open({ key: limits });
    await request.admit(max);
    expect(request.headers()).toEqual({});
  });
});

describe('while the database is unavailable', () => {
  test('a request is admitted, which is logged, and its actual use will count', async () => {
    const request = open({ key: { monthlyBudget: 1e9 } }, { key: fails });
    expect(await request.admit(max)).toBe(200);
    expect(logged).toEqual(['limits not checked: admit Error']);
    expect(request.headers()).toEqual({});
    expect(request.holds()).toMatchObject([{ kind: 'key', id: 'key_1', tokens: 0, amount: 0, running: 0 }]);
    await request.release('not served');
    expect(done).toHaveLength(1);
  });

  test('the other limits are still checked', async () => {
    const limits = { key: { monthlyBudget: 1e9 }, tenant: { totalBudget: 1e9 } };
    const request = open(limits, { key: fails, tenant: { refusedBy: 'totalBudget' } });
    await expect(request.admit(max)).rejects.toMatchObject({ status: 402 });
    expect(done.map(([name, kind]) => `${name} ${kind}`)).toEqual(['reserve key', 'reserve tenant']);
  });

  const refused = { status: 503, code: 'limits_unavailable', retryAfterMs: 5_000 };

  test.each<[string, Case, object | undefined]>([
    ['with credit', { tenant: { credit: 1e9 } }, refused],
    ['with credit of the key', { key: { credit: 1e9 } }, refused],
    ['without credit', { tenant: { monthlyBudget: 1e9 } }, undefined],
    [
      'with credit that says so',
      { tenant: { credit: 1e9 }, terms: { onDatabaseFailure: 'admit' } },
      undefined,
    ],
    [
      'without credit that says so',
      { key: { dailyBudget: 1 }, terms: { onDatabaseFailure: 'refuse' } },
      refused,
    ],
  ])('a tenant %s is admitted or refused', async (_, limits, expected) => {
    const asked = open(limits, { key: fails, tenant: fails }).admit(max);
    if (expected) await expect(asked).rejects.toMatchObject(expected);
    else expect(await asked).toBe(200);
  });

  test('what was held before is cancelled if the request is refused', async () => {
    const request = open(both, { tenant: fails });
    await expect(request.admit(max)).rejects.toMatchObject(refused);
    expect(done.at(-1)).toEqual(['cancel', 'key', 5_000]);
  });
});
