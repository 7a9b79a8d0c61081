/** The limits of a request's key and tenant: rejections, releases, and failures of the store. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { LimitScope } from '../../lib/core/accounting/limits.ts';
import type {
  Reservation,
  ReservationAdmission,
  ReservationUsage,
  Use,
} from '../../lib/core/accounting/reservations.ts';
import type { ApiKey } from '../../lib/core/ports/api-keys.ts';
import type { MaxUse } from '../../lib/core/ports/metering.ts';
import type { Limits } from '../../lib/core/tenancy.ts';
import { createOpenLimits } from '../../lib/metering/limits.ts';

const now = Date.UTC(2026, 10, 20, 12, 0, 48);
const minuteEnds = now + 12_000;

const usage: ReservationUsage = {
  requests: 1,
  tokens: 300,
  minuteEnds,
  committed: 0,
  usedCredit: 0,
  running: 1,
};

const most: MaxUse = {
  fixed: { tokens: 100, amount: 1_000 },
  perOutputToken: { tokens: 1, amount: 20 },
  output: { most: 200, least: 16 },
};
const unpriced: MaxUse = { ...most, perOutputToken: { tokens: 1, amount: null } };

let done: unknown[][];
let logged: string[];

beforeEach(() => {
  done = [];
  logged = [];
});

type Answers = Partial<
  Record<LimitScope['kind'], Partial<ReservationAdmission> | (() => Promise<ReservationAdmission>)>
>;

const fails = () => Promise.reject(new Error('down'));

/** The limits of one request, on a store that answers as scripted and records its calls. */
function open(limits: { key?: Limits; tenant?: Limits }, answers: Answers = {}) {
  const key: ApiKey = {
    id: 'key_1',
    tenant: 'acme',
    ...(limits.key && { keyPolicy: { limits: limits.key } }),
    ...(limits.tenant && { tenantPolicy: { limits: limits.tenant } }),
  };
  const note = (name: string, { kind }: LimitScope, ...rest: unknown[]) => done.push([name, kind, ...rest]);
  const openLimits = createOpenLimits({
    store: {
      async reserve(scope, _limits, reservation: Reservation) {
        note('reserve', scope, reservation.tokens, reservation.cost, reservation.isPrepaid);
        const answer = answers[scope.kind];
        return typeof answer === 'function' ? await answer() : { usage, ...answer };
      },
      async finalize(scope, _reservation, use: Use) {
        note('finalize', scope, use);
        return true;
      },
    },
    log: {
      info: () => {},
      warn: (message, fields) => logged.push(`${message}: ${fields.reason}`),
      error: () => {},
    },
    now: () => now,
    newId: (prefix) => `${prefix}1`,
  });
  const request = openLimits(key, 'request');
  if (!request) throw new Error('This test needs limits.');
  return request;
}

const none = { requests: 0, tokens: 0, cost: 0 };
const both = { key: { credit: 1e9 }, tenant: { credit: 1e9 } };

test('requests without limits cause no call of the store', () => {
  const openLimits = createOpenLimits({
    store: { reserve: fails, finalize: fails },
    log: { info: () => {}, warn: () => {}, error: () => {} },
    now: () => now,
    newId: () => '',
  });
  expect(openLimits({ id: 'key_1', tenant: 'acme' }, 'request')).toBeUndefined();
  expect(
    openLimits({ id: 'key_1', tenant: 'acme', keyPolicy: { limits: {} }, tenantPolicy: {} }, 'request'),
  ).toBeUndefined();
});

test('the maximum use is reserved, then replaced by the actual use', async () => {
  const request = open({ tenant: { credit: 1e9 } });
  await request.admit(most);
  await request.release({ tokens: 30, cost: 70 });
  expect(done).toEqual([
    ['reserve', 'tenant', 300, 5_000, true],
    ['finalize', 'tenant', { requests: 1, tokens: 30, cost: 70 }],
  ]);
});

test.each([
  ['that reached no provider is not counted', undefined, none],
  [
    'with an unknown cost counts with its maximum cost',
    { tokens: 30, cost: null },
    { requests: 1, tokens: 30, cost: 5_000 },
  ],
])('a request %s', async (_, actual, use) => {
  const request = open({ key: { credit: 1e9 } });
  await request.admit(most);
  await request.release(actual);
  expect(done.at(-1)).toEqual(['finalize', 'key', use]);
});

describe('a key and its tenant', () => {
  test('are checked in this order, and both are finalized', async () => {
    const request = open(both);
    await request.admit(most);
    await request.release({ tokens: 1, cost: 1 });
    expect(done.map(([name, kind]) => `${name} ${kind}`)).toEqual([
      'reserve key',
      'reserve tenant',
      'finalize key',
      'finalize tenant',
    ]);
  });

  test('prepaid credit is used only where the tenant or key has credit', async () => {
    await open({ key: { monthlyBudget: 1e9 }, tenant: { credit: 1e9 } }).admit(most);
    expect(done).toEqual([
      ['reserve', 'key', 300, 5_000, false],
      ['reserve', 'tenant', 300, 5_000, true],
    ]);
  });

  test('the tenant is not checked if the key rejects the request, and nothing is finalized', async () => {
    const request = open(both, { key: { refusedBy: 'credit' } });
    await expect(request.admit(most)).rejects.toThrow("the API key's remaining credit");
    await request.release(undefined);
    expect(done).toEqual([['reserve', 'key', 300, 5_000, true]]);
  });

  test('the key’s reservation is released if the tenant rejects the request', async () => {
    const limits = { key: { requestsPerMinute: 5 }, tenant: { monthlyBudget: 1e9 } };
    const request = open(limits, { tenant: { refusedBy: 'monthlyBudget' } });
    await expect(request.admit(most)).rejects.toThrow("the tenant's remaining monthly budget");
    await request.release(undefined);
    expect(done.slice(2)).toEqual([['finalize', 'key', none]]);
    expect(request.headers()['x-ratelimit-remaining-requests']).toBe('5');
  });
});

describe('a rejection', () => {
  const limits: Limits = {
    requestsPerMinute: 3,
    tokensPerMinute: 1_000,
    concurrentRequests: 2,
    monthlyBudget: 1e9,
    credit: 1e9,
  };
  test.each([
    ['requestsPerMinute', 429, 'rate_limit_exceeded', 12_000, /tenant's limit is 3 requests per minute/],
    ['tokensPerMinute', 429, 'rate_limit_exceeded', 12_000, /tenant's limit is 1000 tokens per minute/],
    ['concurrentRequests', 429, 'rate_limit_exceeded', 1_000, /tenant's limit is 2 concurrent requests/],
    ['contention', 429, 'rate_limit_exceeded', 1_000, /too many simultaneous requests/],
    ['monthlyBudget', 402, 'insufficient_quota', undefined, /exceed the tenant's remaining monthly budget/],
    ['credit', 402, 'insufficient_quota', undefined, /exceed the tenant's remaining credit/],
  ] as const)('by %s is a %i and says so', async (refusedBy, status, code, retryAfterMs, message) => {
    const request = open({ tenant: limits }, { tenant: { refusedBy } });
    const refused = request.admit(most);
    await expect(refused).rejects.toMatchObject({ status, code, retryAfterMs });
    await expect(refused).rejects.toThrow(message);
  });

  test.each([
    [
      'for more tokens than the limit of a minute',
      { tokensPerMinute: 299 },
      most,
      400,
      'tokens_per_minute_exceeded',
    ],
    ['for a budget without a known price', { monthlyBudget: 1 }, unpriced, 403, 'price_unknown'],
    ['for credit where no price is known', { credit: 1 }, unpriced, 403, 'price_unknown'],
  ])('%s needs no call of the store', async (_, limited, use, status, code) => {
    await expect(open({ key: limited }).admit(use)).rejects.toMatchObject({ status, code });
    expect(done).toEqual([]);
  });

  test('does not happen for a missing price if cost is not limited', async () => {
    const request = open({ key: { requestsPerMinute: 1 } });
    await request.admit(unpriced);
    expect(done).toEqual([['reserve', 'key', 300, 1_000, false]]);
  });
});

describe('headers', () => {
  test('report the use of the minute in OpenAI’s format', async () => {
    const request = open({ key: { requestsPerMinute: 5, tokensPerMinute: 1_000 } });
    await request.admit(most);
    expect(request.headers()).toEqual({
      'x-ratelimit-limit-requests': '5',
      'x-ratelimit-remaining-requests': '4',
      'x-ratelimit-reset-requests': '12s',
      'x-ratelimit-limit-tokens': '1000',
      'x-ratelimit-remaining-tokens': '700',
      'x-ratelimit-reset-tokens': '12s',
    });
  });

  test('report the tighter limit, separately for requests and tokens', async () => {
    const limits = {
      key: { requestsPerMinute: 5, tokensPerMinute: 10_000 },
      tenant: { requestsPerMinute: 50, tokensPerMinute: 1_000 },
    };
    const request = open(limits, { tenant: { usage: { ...usage, requests: 49 } } });
    await request.admit(most);
    expect(request.headers()).toMatchObject({
      'x-ratelimit-limit-requests': '50',
      'x-ratelimit-remaining-requests': '1',
      'x-ratelimit-limit-tokens': '1000',
    });
  });

  test('never report negative values, and report a full minute as one minute', async () => {
    const full = { ...usage, requests: 7, minuteEnds: now + 60_000 };
    const request = open({ key: { requestsPerMinute: 5 } }, { key: { usage: full } });
    await request.admit(most);
    expect(request.headers()).toMatchObject({
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '1m0s',
    });
  });

  test.each([
    ['unlimited requests and tokens', { monthlyBudget: 1e9 }],
    ['budget or credit', { credit: 1e9 }],
  ])('do not report %s', async (_, limits) => {
    const request = open({ key: limits });
    await request.admit(most);
    expect(request.headers()).toEqual({});
  });
});

describe('if the store', () => {
  test('fails, the request is admitted and the failure is logged', async () => {
    const request = open({ key: { credit: 1e9 } }, { key: fails });
    await request.admit(most);
    expect(logged).toEqual(['limits not checked: Error']);
    expect(request.headers()).toEqual({});
  });

  test('fails for the key, the tenant is still checked', async () => {
    const request = open(both, { key: fails, tenant: { refusedBy: 'credit' } });
    await expect(request.admit(most)).rejects.toMatchObject({ status: 402 });
  });

  test('does not report the outcome of a reservation, the actual use is counted once', async () => {
    let isDown = true;
    const request = open(
      { key: { credit: 1e9 } },
      { key: () => (isDown ? fails() : Promise.resolve({ usage })) },
    );
    await request.admit(most);
    isDown = false;
    await request.release({ tokens: 1, cost: 2 });
    expect(done.slice(1)).toEqual([
      ['reserve', 'key', 300, 5_000, true],
      ['finalize', 'key', { requests: 1, tokens: 1, cost: 2 }],
    ]);
  });

  test('fails when a request is finalized, finalizing is retried', async () => {
    let tries = 0;
    const openLimits = createOpenLimits({
      store: {
        reserve: async () => ({ usage }),
        async finalize() {
          tries += 1;
          return tries < 3 ? await fails() : true;
        },
      },
      log: { info: () => {}, warn: () => {}, error: () => {} },
      now: () => now,
      newId: () => '1',
    });
    const request = openLimits(
      { id: 'key_1', tenant: 'acme', keyPolicy: { limits: { credit: 1e9 } } },
      'request',
    );
    await request?.admit(most);
    await request?.release({ tokens: 1, cost: 2 });
    expect(tries).toBe(3);
  });
});
