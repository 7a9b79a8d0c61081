import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayOf } from '../../lib/core/accounting/counters.ts';
import { formatDollars } from '../../lib/core/accounting/money.ts';
import type { Limits } from '../../lib/core/tenancy.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { startTestGateway, type TestGateway } from '../harness/gateways/gateway.ts';
import { openLedger } from '../harness/ledger.ts';
import { newDirectory } from '../harness/new-directory.ts';
import { runCommand } from '../harness/operator-command.ts';
import { postJson } from '../harness/post.ts';
import { type FaultyStore, startFaultyStore } from '../harness/store-faults.ts';
import { answerJson, startUpstream, type Upstream } from '../harness/upstream.ts';
import { exportedCharges, exportFormats } from './exports.ts';
import { billedModel, putBilledModels } from './models.ts';
import { listPrice, type RawUsage } from './price-list.ts';

const model = 'billed/chat';
const realNow = Date.now;
let time = realNow();

const directory = newDirectory();
let store: FaultyStore;
let upstream: Upstream;
let gateway: TestGateway;

beforeAll(async () => {
  Date.now = () => time;
  store = await startFaultyStore(directory);
  upstream = await startUpstream();
  gateway = await startTestGateway(
    { DEEPSEEK_UPSTREAM_URL: upstream.url, DEEPSEEK_API_KEY: 'test' },
    { database: store },
  );
  await putBilledModels();
});
afterAll(async () => {
  Date.now = realNow;
  await gateway?.close();
  await upstream?.close();
  await store?.close();
});

/** What the provider counts for the request of a name: each is different. */
const usageOf = (name: string): RawUsage => {
  const [, number = '1'] = /(\d+)$/.exec(name) ?? [];
  return { prompt_tokens: 10 + Number(number), completion_tokens: 3, total_tokens: 13 + Number(number) };
};
const chargeOf = (name: string): number => Number(listPrice('chat', usageOf(name), billedModel(model).price));
const sumOf = (names: readonly string[]): number => names.map(chargeOf).reduce((sum, one) => sum + one, 0);

/** Answers all requests at once, but those of the names that are held until the function that this gives is called. */
function serve(held: readonly string[] = []): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  upstream.script(async (request, response) => {
    const [, name = ''] = /named (\S+)\./.exec(JSON.stringify(request.body)) ?? [];
    if (held.includes(name)) await promise;
    const message = { role: 'assistant', content: 'Yes.' };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    const answer = { id: 'one', object: 'chat.completion', created: 1, model: 'one', choices };
    await answerJson({ ...answer, usage: usageOf(name) })(request, response);
  });
  return resolve;
}

interface Tenant {
  readonly name: string;
  readonly secret: string;
}

async function createTenant(name: string, limits: Limits): Promise<Tenant> {
  const access = { call: store.call, table: 'access' };
  await createTenantStore(access).create(name, { limits });
  const { secret } = await createKeyStore(access).create({ tenant: name });
  return { name, secret };
}

/** The status of the answer, once it is counted. */
async function ask({ secret }: Tenant, name: string): Promise<number> {
  const response = await postJson(
    `${gateway.url}/v1/chat/completions`,
    secret,
    {
      model,
      max_completion_tokens: 40,
      messages: [{ role: 'user', content: `A request named ${name}.` }],
    },
    { headers: { 'x-gateway-user-id': name } },
  );
  await response.text();
  await gateway.settled();
  return response.status;
}

/** Until a limit refuses; gives the names of those that were served. */
async function askUntilRefused(tenant: Tenant, prefix: string): Promise<readonly string[]> {
  const served: string[] = [];
  for (;;) {
    const name = `${prefix}-${served.length + 1}`;
    const status = await ask(tenant, name);
    if (status !== 200) {
      expect([429, 402]).toContain(status);
      return served;
    }
    served.push(name);
    expect(served.length).toBeLessThan(60);
  }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** What the tenant is shown of one day, in nano-dollars. */
async function shownOf({ secret }: Tenant, day: string): Promise<unknown> {
  const response = await fetch(`${gateway.url}/v1/usage?from=${day}&to=${day}`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  const { total } = (await response.json()) as { readonly total: Readonly<Record<string, unknown>> };
  return total.cost_nano_usd;
}

const asExported = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, formatDollars(chargeOf(name))]));

async function exportOf(format: (typeof exportFormats)[number], from: string, to: string, prefix: string) {
  const all = await exportedCharges(directory, format, { from, to });
  return Object.fromEntries([...all].filter(([user]) => user.startsWith(prefix)));
}

const budget = 1_200_000;

interface Edge {
  readonly name: string;
  /** The first moment after it. */
  readonly at: string;
  readonly limits: Limits;
  /** Which sums of a scope begin again at this edge. */
  readonly begins: readonly ('day' | 'week' | 'month')[];
}

const edges: readonly Edge[] = [
  { name: 'minute', at: '2027-03-10T10:30:00Z', limits: { requestsPerMinute: 4 }, begins: [] },
  { name: 'week', at: '2027-03-15T00:00:00Z', limits: { weeklyBudget: budget }, begins: ['day', 'week'] },
  { name: 'month', at: '2027-04-01T00:00:00Z', limits: { monthlyBudget: budget }, begins: ['day', 'month'] },
  { name: 'leap-day', at: '2028-02-29T00:00:00Z', limits: { dailyBudget: budget }, begins: ['day'] },
  {
    name: 'year',
    at: '2029-01-01T00:00:00Z',
    limits: { monthlyBudget: budget },
    begins: ['day', 'week', 'month'],
  },
];

describe.each(edges)('a $name that begins while a request runs', ({ name, at, limits, begins }) => {
  const edge = Date.parse(at);
  const days = { before: dayOf(edge - 1), after: dayOf(edge) };
  let tenant: Tenant;
  let before: readonly string[] = [];
  let after: readonly string[] = [];

  beforeAll(async () => {
    time = edge - 2_000;
    tenant = await createTenant(`edge-${name}`, limits);
    const crossing = `${name}-crossing-7`;
    const release = serve([crossing]);
    const crossed = ask(tenant, crossing);
    await until(() => upstream.requests.length === 1);
    before = [crossing, ...(await askUntilRefused(tenant, `${name}-before`))];
    time = edge + 1_000;
    const first = `${name}-after-50`;
    expect(await ask(tenant, first)).toBe(200);
    release();
    expect(await crossed).toBe(200);
    after = [first, ...(await askUntilRefused(tenant, `${name}-after`))];
  });

  test('the limit is used up before it, and is whole again after it', () => {
    expect(before.length).toBeGreaterThan(2);
    // What began before the edge and ended after it takes nothing from the new period.
    expect(after.length).toBeGreaterThanOrEqual(before.length);
  });

  test('each request counts in the period in which it began', async () => {
    const { call } = store;
    const scope = { kind: 'tenant', id: tenant.name } as const;
    const usage = await createLimitStore({ call, table: 'usage', now: Date.now }).read(scope);
    const of = (period: 'day' | 'week' | 'month') =>
      sumOf(begins.includes(period) ? after : [...before, ...after]);
    if (name === 'minute') expect(usage?.requests).toBe(after.length);
    else
      expect(usage).toMatchObject({
        dayCommitted: of('day'),
        weekCommitted: of('week'),
        committed: of('month'),
        held: 0,
      });
  });

  test('the sums and exports of both sides are those of the price list', async () => {
    if (days.before !== days.after) {
      expect(await shownOf(tenant, days.before)).toBe(sumOf(before));
      expect(await shownOf(tenant, days.after)).toBe(sumOf(after));
    }
    for (const format of exportFormats) {
      const ofDay = (day: string) => exportOf(format, day, day, `${name}-`);
      if (days.before === days.after) {
        expect(await ofDay(days.after)).toEqual(asExported([...before, ...after]));
        continue;
      }
      expect(await ofDay(days.before)).toEqual(asExported(before));
      expect(await ofDay(days.after)).toEqual(asExported(after));
    }
  });
});

describe('a month that is closed', () => {
  const month = '2030-06';
  const edge = Date.parse('2030-07-01T00:00:00Z');
  let tenant: Tenant;
  const inMonth = ['closed-1', 'closed-2', 'closed-3'];
  const run = (command: string) => runCommand(directory, command);
  const close = () => run(`usage close ${month} --tenant ${tenant.name} --by ann`);

  async function invoiced(): Promise<{ readonly status: string; readonly total_usd: string }> {
    return JSON.parse((await run(`usage invoice ${tenant.name} ${month} --json`)).output.join('\n'));
  }

  beforeAll(async () => {
    time = edge - 2_000;
    tenant = await createTenant('closing', {});
    const release = serve(['closed-3']);
    for (const name of inMonth.slice(0, 2)) expect(await ask(tenant, name)).toBe(200);
    const crossed = ask(tenant, 'closed-3');
    await until(() => upstream.requests.length === 3);
    time = edge + 1_000;
    expect((await close()).stderr).toContain('is not over');
    release();
    expect(await crossed).toBe(200);
    expect(await ask(tenant, 'next-4')).toBe(200);
  });

  test('has what began in it, with a request that ended after it', async () => {
    time = edge + 21 * 60_000;
    const { code, output } = await close();
    const total = formatDollars(sumOf(inMonth));
    expect({ code, output }).toEqual({
      code: 0,
      output: [`Closed ${month} of tenant ${tenant.name}: ${total} USD.`],
    });
    expect(await invoiced()).toMatchObject({ status: 'closed', total_usd: total });
  });

  test('keeps its invoice when a record comes late, whose request the ledger and the exports have', async () => {
    const ledger = openLedger();
    const span = { from: edge - 60_000, to: edge };
    const [like] = await ledger.recordsOf(tenant.name, span);
    if (!like) throw new Error('There is no record.');
    // As it is replayed from the log: the database had failed.
    const late = { ...like, requestId: like.requestId.replace(/.{12}$/, '000000000001'), user: 'closed-9' };
    await ledger.write({ ...late, cost: chargeOf('closed-1'), charge: chargeOf('closed-1') });
    await ledger.close();
    const { stderr } = await run(`usage invoice ${tenant.name} ${month} --json`);
    expect(stderr).toContain('have changed since');
    expect((await invoiced()).total_usd).toBe(formatDollars(sumOf(inMonth)));
    expect(await shownOf(tenant, dayOf(edge - 1))).toBe(sumOf([...inMonth, 'closed-1']));
    expect(await shownOf(tenant, dayOf(edge))).toBe(sumOf(['next-4']));
    const exported = await exportOf('jsonl', `${month}-30`, `${month}-30`, 'closed-');
    expect(exported).toEqual({ ...asExported(inMonth), 'closed-9': formatDollars(chargeOf('closed-1')) });
  });
});
