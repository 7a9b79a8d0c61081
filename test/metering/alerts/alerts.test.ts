/** Alerts about budgets: when they are raised, how often, and where they go. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { LimitScope, LimitUsage } from '../../../lib/core/accounting/limits.ts';
import type { Alert, AlertPause } from '../../../lib/core/ports/alerts.ts';
import type { Limits } from '../../../lib/core/tenancy.ts';
import { type AlertTerms, createRaiseAlerts } from '../../../lib/metering/alerts/alerts.ts';
import { maxAlertsPerHour } from '../../../lib/metering/alerts/deliver.ts';
import { createSendEvent } from '../../../lib/metering/alerts/event-bus.ts';
import { createCountAlert, createMarkAlert } from '../../../lib/stores/limits/alerts.ts';
import { createLimitStore } from '../../../lib/stores/limits/limits.ts';
import { createAlertLog } from '../../../lib/stores/usage/alert-log.ts';
import { useTestDatabase } from '../../stores/database.ts';

/** A Friday. */
const start = Date.UTC(2026, 10, 20, 12);
const database = useTestDatabase('usage');
let time: number;
let posted: [string, number][];
let events: Alert[];
let pauses: AlertPause[];
let logged: [string, unknown][];
let scopes = 0;

beforeEach(() => {
  time = start;
  posted = [];
  events = [];
  pauses = [];
  logged = [];
});

const used = (amounts: Partial<LimitUsage>): LimitUsage => ({
  requests: 0,
  tokens: 0,
  minuteEnds: 0,
  dayCommitted: 0,
  weekCommitted: 0,
  committed: 0,
  totalCommitted: 0,
  usedCredit: 0,
  running: 0,
  held: 0,
  ...amounts,
});

const webhook = { url: 'https://hooks.example.com/', secret: 'whsec_AAAA' };

/** Alerts of a process of its own, for a scope that has been used. */
function openAlerts(terms: AlertTerms = {}, failing = false) {
  let ids = 0;
  return createRaiseAlerts({
    termsOf: async () => terms,
    mark: createMarkAlert({ call: database.call, table: 'usage' }),
    count: createCountAlert({ call: database.call, table: 'usage' }),
    alertLog: createAlertLog({ call: database.call, table: 'usage', now: () => time }),
    channels: [
      async (notice) => {
        if ('resumesAt' in notice) pauses.push(notice);
        else if ('percent' in notice) events.push(notice);
        if (failing) throw new Error('The bus is down.');
      },
    ],
    post: async ({ url }, notice) => void posted.push([url, 'percent' in notice ? notice.percent : 0]),
    log: {
      info: () => {},
      warn: (message, { percent }) => logged.push([message, percent]),
      error: (message, { reason }) => logged.push([message, reason]),
    },
    now: () => time,
    newId: (prefix) => `${prefix}${++ids}`,
  });
}

async function newScope({ kind = 'tenant' }: Partial<LimitScope> = {}): Promise<LimitScope> {
  const scope: LimitScope = { kind, id: `acme${++scopes}` };
  const none = { tokens: 0, amount: 0 };
  const wanted = { id: 'one', at: time, fixed: none, perOutputToken: none, output: { max: 0, min: 0 } };
  await createLimitStore({ call: database.call, table: 'usage', now: () => time }).reserve(scope, {}, wanted);
  return scope;
}

const of = (tenant: string, scope: LimitScope, limits: Limits, usage: Partial<LimitUsage>) => [
  { scope, tenant, limits, usage: used(usage) },
];
type Found = ReturnType<typeof of>;

const settled = (...found: [scope: LimitScope, limits: Limits, usage: Partial<LimitUsage>]) =>
  of('acme', ...found);

const percents = () => events.map(({ percent }) => percent);

test('an alert is raised at 50, 80 and 100 percent, once each, whichever process finds it', async () => {
  const scope = await newScope();
  const limits = { monthlyBudget: 1_000 };
  for (const committed of [100, 499, 500, 600, 799, 800, 994, 995, 1_000]) {
    await openAlerts()(settled(scope, limits, { committed }));
    await openAlerts()(settled(scope, limits, { committed }));
  }
  expect(percents()).toEqual([50, 80, 100]);
  // What rounds to a hundred is one.
  expect(events[2]).toMatchObject({ percent: 100, used: 995 });
  expect(events[0]).toEqual({
    id: 'alert_1',
    at: start,
    tenant: 'acme',
    scope,
    limit: 'monthlyBudget',
    percent: 50,
    used: 500,
    amount: 1_000,
    resetsAt: Date.UTC(2026, 11),
  });
  expect(logged).toEqual([50, 80, 100].map((percent) => ['limit alert', percent]));
});

test('processes that find it at the same time raise it once', async () => {
  const scope = await newScope();
  const found = settled(scope, { dailyBudget: 1_000 }, { dayCommitted: 850 });
  await Promise.all(Array.from({ length: 8 }, () => openAlerts()(found)));
  expect(percents()).toEqual([80]);
});

test('what is held for running requests is not used', async () => {
  const scope = await newScope();
  await openAlerts()(settled(scope, { monthlyBudget: 1_000 }, { committed: 900, held: 500 }));
  expect(events).toEqual([]);
});

test('in the next period, and for another amount, it is raised again', async () => {
  const scope = await newScope();
  const day = { dailyBudget: 1_000 };
  await openAlerts()(settled(scope, day, { dayCommitted: 900 }));
  time += 86_400_000;
  await openAlerts()(settled(scope, day, { dayCommitted: 500 }));
  await openAlerts()(settled(scope, { dailyBudget: 800 }, { dayCommitted: 500 }));
  await openAlerts()(settled(scope, { dailyBudget: 800 }, { dayCommitted: 700 }));
  expect(percents()).toEqual([80, 50, 50, 80]);
});

test('each budget and credit has alerts of its own', async () => {
  const scope = await newScope();
  const limits = { dailyBudget: 100, weeklyBudget: 100, totalBudget: 100, credit: 100 };
  const usage = { dayCommitted: 100, weekCommitted: 80, totalCommitted: 60, usedCredit: 40 };
  await openAlerts()(settled(scope, limits, usage));
  expect(events.map(({ limit, percent }) => [limit, percent])).toEqual([
    ['dailyBudget', 100],
    ['weeklyBudget', 80],
    ['totalBudget', 50],
  ]);
  expect(events.at(-1)).not.toHaveProperty('resetsAt');
});

test('a tenant chooses its thresholds and gets alerts at its webhook', async () => {
  const scope = await newScope();
  const raise = openAlerts({ alerts: [25, 90], webhook });
  for (const usedCredit of [300, 600, 950]) await raise(settled(scope, { credit: 1_000 }, { usedCredit }));
  expect(posted).toEqual([
    [webhook.url, 25],
    [webhook.url, 90],
  ]);
});

test('a storm of users is cut short in each hour, and hides no alert of the tenant', async () => {
  const tenant = 'storm';
  const found: Found = [];
  for (let users = 0; users < maxAlertsPerHour + 20; users += 1) {
    found.push(...of(tenant, await newScope({ kind: 'user' }), { dailyBudget: 10 }, { dayCommitted: 10 }));
  }
  await openAlerts({ webhook })(found);
  expect(events).toHaveLength(maxAlertsPerHour);
  expect(logged.filter(([message]) => message === 'limit alert')).toHaveLength(found.length);
  expect(pauses).toEqual([
    { id: expect.any(String), at: start, tenant, kind: 'user', sent: 100, resumesAt: start + 3_600_000 },
  ]);
  expect(posted).toHaveLength(maxAlertsPerHour + 1);

  await openAlerts()(of(tenant, await newScope(), { credit: 10 }, { usedCredit: 10 }));
  time += 3_600_000;
  await openAlerts()(of(tenant, await newScope({ kind: 'user' }), { credit: 10 }, { usedCredit: 10 }));
  expect(events).toHaveLength(maxAlertsPerHour + 2);
  expect(pauses).toHaveLength(1);
});

describe('a failure', () => {
  test('of one channel keeps no other from its alert', async () => {
    const scope = await newScope();
    await openAlerts({ webhook }, true)(settled(scope, { credit: 10 }, { usedCredit: 10 }));
    expect(posted).toHaveLength(1);
    expect(logged).toEqual([
      ['limit alert', 100],
      ['limit alert not delivered', 'The bus is down.'],
    ]);
  });

  test('a mark whose answer was lost, and that is set again, counts as set', async () => {
    const scope: LimitScope = { kind: 'tenant', id: 'lost-answer' };
    const store = createLimitStore({ call: database.call, table: 'usage', now: () => start });
    await store.seed(scope, { day: 1, week: 1, month: 1, total: 1 });
    // As the client of the database does, which repeats a call without an answer.
    const repeating: typeof database.call = async (...call) => {
      if (call[0].endsWith('UpdateItem')) await database.call(...call);
      return await database.call(...call);
    };
    const mark = { limit: 'monthlyBudget', period: '2026-11', percent: 80 } as const;
    expect(await createMarkAlert({ call: repeating, table: 'usage' })(scope, mark)).toBe(true);
    expect(await createMarkAlert({ call: database.call, table: 'usage' })(scope, mark)).toBe(false);
  });

  test('of the database does not reject', async () => {
    const broken = { kind: 'tenant', id: 'acme' } as const;
    const raise = createRaiseAlerts({
      termsOf: () => Promise.reject(new Error('down')),
      mark: async () => true,
      count: async () => 1,
      alertLog: { write: async () => {} },
      channels: [],
      post: async () => {},
      log: { info() {}, warn() {}, error: (message) => void logged.push([message, undefined]) },
      now: () => time,
      newId: () => '1',
    });
    await raise(settled(broken, { credit: 10 }, { usedCredit: 10 }));
    expect(logged).toEqual([['limit alert failed', undefined]]);
  });
});

test('an event has what a rule can match and a mail can say', async () => {
  const calls: unknown[] = [];
  const send = createSendEvent(async (action, input) => {
    calls.push([action, input]);
    return { FailedEntryCount: calls.length - 1 };
  });
  const alert: Alert = {
    id: 'alert_1',
    at: start,
    tenant: 'acme',
    scope: { kind: 'key', id: 'key_1' },
    limit: 'weeklyBudget',
    percent: 80,
    used: 4_000_000_000,
    amount: 5_000_000_000,
  };
  await send(alert);
  const [[action, input]] = calls as [[string, { Entries: [{ Detail: string }] }]];
  expect(action).toBe('AWSEvents.PutEvents');
  expect(input.Entries).toMatchObject([{ Source: 'model-gateway', DetailType: 'Limit Alert' }]);
  expect(JSON.parse(input.Entries[0].Detail)).toEqual({
    id: 'alert_1',
    message: '80 % of the weekly budget of key key_1 of tenant acme is used.',
    tenant: 'acme',
    scope: 'key',
    scope_id: 'key_1',
    limit: 'weekly_budget',
    percent: 80,
    used_usd: '4.00',
    limit_usd: '5.00',
    resets_at: null,
    text: '80 % of the weekly budget of key key_1 of tenant acme is used. Used: 4.00 of 5.00 USD.',
  });
  await expect(send(alert)).rejects.toThrow('event bus');
});
