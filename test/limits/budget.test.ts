/** Budgets and credit, through the gateway: a caller that can pay for ten requests gets ten, however many are sent at once. */
import { describe, expect, test } from 'vitest';
import { scopeOfUser } from '../../lib/core/accounting/limits.ts';
import {
  costOfAnswer,
  maxCost,
  maxInputCost,
  outputCost,
  question,
  until,
  useLimitedGateway,
} from './limited-gateway.ts';

const gateway = useLimitedGateway();

/** Sends so many at once while upstream holds its answers back; gives the statuses, counted. */
async function ask(secrets: readonly string[], count: number): Promise<Record<number, number>> {
  // The keys are known before the requests meet: a busy machine could not look them up in time.
  for (const secret of secrets) await (await gateway.ask(secret, {})).text();
  const release = gateway.hold();
  const refused: number[] = [];
  const asked = Array.from({ length: count }, async (_, index) => {
    const response = await gateway.ask(secrets[index % secrets.length] ?? '');
    if (response.status !== 200) refused.push(response.status);
    await response.text();
    return response.status;
  });
  // All of them have been let in or refused before the first one is over.
  await until(() => refused.length + gateway.upstream.requests.length === count);
  release();
  const counted: Record<number, number> = {};
  for (const status of await Promise.all(asked)) counted[status] = (counted[status] ?? 0) + 1;
  return counted;
}

describe.each([
  ['a monthly budget', 'monthlyBudget', 'committed'],
  ['prepaid credit', 'credit', 'usedCredit'],
] as const)('of a hundred requests at once, %s for ten', (_, limit, counter) => {
  test.each([['key'], ['tenant']] as const)(
    'of the %s lets ten in, and then what those left',
    async (kind) => {
      const budget = 10 * maxCost + 1;
      const limited = await gateway.newKey({ [kind]: { [limit]: budget } });
      expect(await ask([limited.secret], 100)).toEqual({ 200: 10, 429: 90 });
      expect(gateway.upstream.requests).toHaveLength(10);
      expect(await gateway.settledUsageOf(limited[kind])).toMatchObject({ [counter]: 10 * costOfAnswer });

      const left = budget - 10 * costOfAnswer;
      const whole = Math.floor(left / maxCost);
      expect(whole).toBeLessThan(10);
      // The last one has less output, if what is left is of use.
      const more = whole + (left - whole * maxCost >= maxInputCost + 16 * outputCost ? 1 : 0);
      expect(await ask([limited.secret], 30)).toEqual({ 200: more, 429: 30 - more });
      const used = await gateway.settledUsageOf(limited[kind]);
      expect(used).toMatchObject({ [counter]: (10 + more) * costOfAnswer });
    },
  );
});

test('two keys of one tenant share its budget, and what the tenant refuses costs the key nothing', async () => {
  const name = 'shared';
  const tenant = { monthlyBudget: 10 * maxCost };
  const first = await gateway.newKey({ key: { credit: 1_000 * maxCost }, tenant, name });
  const second = await gateway.newKey({ key: { credit: 3 * maxCost }, name });
  const counted = await ask([first.secret, second.secret], 60);
  expect(counted).toEqual({ 200: 10, 429: 50 });
  const used = [await gateway.settledUsageOf(first.key), await gateway.settledUsageOf(second.key)];
  expect(used.reduce((sum, usage) => sum + (usage?.usedCredit ?? 0), 0)).toBe(10 * costOfAnswer);
  expect(used.reduce((sum, usage) => sum + (usage?.requests ?? 0), 0)).toBe(10);
  expect(used[1]?.requests).toBeLessThanOrEqual(3);
});

test('a refusal says whose budget is used up, and contains no amount', async () => {
  const { secret } = await gateway.newKey({ tenant: { credit: maxInputCost } });
  const response = await gateway.ask(secret);
  expect(response.status).toBe(402);
  expect(response.headers.get('retry-after')).toBeNull();
  const { error } = (await response.json()) as { error: { message: string } };
  expect(error).toMatchObject({ type: 'insufficient_quota', code: 'insufficient_quota', param: null });
  expect(error.message).toContain("tenant's remaining credit");
  expect(error.message).not.toMatch(/\d/);
  expect(gateway.upstream.requests).toHaveLength(0);
});

test('a budget that starts again is a 429 that names the time, and that the SDKs do not repeat', async () => {
  const { secret } = await gateway.newKey({ key: { dailyBudget: maxInputCost } });
  const asked = Date.now();
  const response = await gateway.ask(secret);
  const answered = Date.now();
  expect([response.status, response.headers.get('x-should-retry')]).toEqual([429, 'false']);
  const midnight = (Math.floor(asked / 86_400_000) + 1) * 86_400;
  const secondsAt = (time: number) => midnight - Math.floor(time / 1000);
  const after = Number(response.headers.get('retry-after'));
  expect(after).toBeLessThanOrEqual(secondsAt(asked));
  expect(after).toBeGreaterThanOrEqual(secondsAt(answered));
  const { error } = (await response.json()) as { error: { message: string } };
  expect(error).toMatchObject({
    type: 'insufficient_quota',
    code: 'insufficient_quota',
    resets_at: midnight,
  });
  expect(error.message).toContain("the API key's remaining daily budget");
});

test('each user of a tenant has a budget of its own, and requests without a user have none', async () => {
  const terms = { userLimits: { dailyBudget: maxInputCost + 20 * outputCost } };
  const { secret, tenant } = await gateway.newKey({ terms });
  const statusOf = async (user?: string) => {
    const response = await gateway.ask(secret, question, user === undefined ? {} : { user });
    await response.text();
    return response.status;
  };
  expect(await statusOf('u1')).toBe(200);
  expect(await gateway.settledUsageOf(scopeOfUser(tenant.id, 'u1'))).toMatchObject({
    dayCommitted: costOfAnswer,
  });
  for (let more = 0; more < 4; more += 1) await statusOf('u1');
  await gateway.settledUsageOf(scopeOfUser(tenant.id, 'u1'));
  expect(await statusOf('u1')).toBe(429);
  expect([await statusOf('u2'), await statusOf()]).toEqual([200, 200]);
});

describe('what was set aside comes back', () => {
  test('whole, where upstream failed', async () => {
    const { secret, key } = await gateway.newKey({ key: { credit: maxCost } });
    gateway.upstream.script((_request, response) => void response.writeHead(500).end());
    const response = await gateway.ask(secret);
    expect(response.status).toBe(500);
    await response.text();
    expect(await gateway.settledUsageOf(key)).toMatchObject({ usedCredit: 0, tokens: 0, requests: 1 });
  });

  test('not at all, where the caller leaves an answer that the provider may have made', async () => {
    const { secret, key } = await gateway.newKey({ key: { credit: maxCost } });
    gateway.hold();
    const leave = new AbortController();
    const left = gateway.ask(secret, question, { signal: leave.signal }).catch(() => 'left');
    await until(() => gateway.upstream.requests.length === 1);
    expect(await gateway.usageOf(key)).toMatchObject({ usedCredit: maxCost, held: maxCost });
    leave.abort();
    expect(await left).toBe('left');
    expect((await gateway.settledUsageOf(key))?.usedCredit).toBe(maxCost);
  });
});

describe('with a budget, what may have no price', () => {
  const claude = 'anthropic/claude-opus-5';
  const input = { input: 'Hello' };

  test.each([
    [
      'is served where it is left out: a tool',
      200,
      { model: claude, ...input, tools: [{ type: 'image_generation' }] },
    ],
    [
      'is served where it is left out: a tier',
      200,
      { model: 'deepseek/deepseek-v4-flash', ...input, service_tier: 'priority' },
    ],
    [
      'is refused where it is sent: a tool',
      403,
      { model: 'openai/gpt-5.5', ...input, tools: [{ type: 'image_generation' }] },
    ],
    [
      'is refused where it is sent: a tier',
      403,
      { model: 'openai/gpt-5.5', ...input, service_tier: 'scale' },
    ],
  ])('%s', async (_, status, body) => {
    const { secret } = await gateway.newKey({ tenant: { monthlyBudget: 1_000_000_000_000 } });
    const response = await gateway.ask(secret, { ...body, max_output_tokens: 50 }, { path: '/v1/responses' });
    await response.text();
    expect(response.status).toBe(status);
  });
});
