/** What a provider may charge for without an answer uses up its reservation: another attempt needs one of its own. */
import { describe, expect, test } from 'vitest';
import type { UpstreamScript } from '../harness/upstream.ts';
import { answers, costOfAnswer, question, until, usage, useLimitedGateway } from './limited-gateway.ts';

const gateway = useLimitedGateway();

/** An answer whose content cannot be read, and whose counts can. */
const unreadable: UpstreamScript = (_request, response) => {
  const body = JSON.stringify({ choices: 'none', usage });
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
};
const failing: UpstreamScript = (_request, response) => void response.writeHead(500).end();

/** The first script answers the first call, the second one those after it. */
function scripts(first: UpstreamScript, others: UpstreamScript): void {
  let calls = 0;
  gateway.upstream.script((request, response) => {
    calls += 1;
    return (calls === 1 ? first : others)(request, response);
  });
}

/** What the question reserves. */
async function reserved(): Promise<{ readonly amount: number; readonly tokens: number }> {
  const { secret, key } = await gateway.newKey({ key: { credit: 1_000_000_000 } });
  const release = gateway.hold();
  const asked = gateway.ask(secret, question);
  await until(() => gateway.upstream.requests.length === 1);
  const { usedCredit = 0, tokens = 0 } = (await gateway.usageOf(key)) ?? {};
  release();
  await (await asked).text();
  return { amount: usedCredit, tokens };
}

const settled = { timeout: 10_000 };

async function ask(limits: Parameters<typeof gateway.newKey>[0]) {
  const { secret, key } = await gateway.newKey(limits);
  const response = await gateway.ask(secret, question);
  const body = (await response.json()) as { error?: { code: string; message: string } };
  return { status: response.status, error: body.error, calls: gateway.upstream.requests.length, key };
}

describe('after an attempt that costs something', () => {
  test('another one is not made where the budget is enough for one: the failure says so', async () => {
    const { amount } = await reserved();
    scripts(unreadable, answers);
    const { status, error, calls, key } = await ask({ key: { credit: amount + 1 } });
    expect([status, error?.code, calls]).toEqual([500, 'provider_invalid_answer', 1]);
    expect(error?.message).toMatch(/It was not tried again: .*remaining credit/);
    await expect
      .poll(() => gateway.usageOf(key), settled)
      .toMatchObject({ usedCredit: costOfAnswer, requests: 1 });
  });

  test('another one is made where the budget is enough for two, and both are paid for', async () => {
    const { amount } = await reserved();
    scripts(unreadable, answers);
    const { status, calls, key } = await ask({ key: { credit: 2 * amount } });
    expect([status, calls]).toEqual([200, 2]);
    await expect
      .poll(() => gateway.usageOf(key), settled)
      .toMatchObject({
        usedCredit: 2 * costOfAnswer,
        requests: 1,
        held: 0,
      });
  });

  test('its tokens need a reservation, too, and it counts as one request that runs', async () => {
    const { tokens } = await reserved();
    scripts(unreadable, answers);
    const limits = { tokensPerMinute: 2 * tokens, requestsPerMinute: 1, concurrentRequests: 1 };
    const { status, calls, key } = await ask({ key: limits });
    expect([status, calls]).toEqual([200, 2]);
    await expect
      .poll(() => gateway.usageOf(key), settled)
      .toMatchObject({ tokens: 30, requests: 1, running: 0 });
    scripts(unreadable, answers);
    const refused = await ask({ key: { tokensPerMinute: tokens + 10 } });
    expect([refused.status, refused.calls]).toEqual([500, 1]);
  });
});

test('after one that costs nothing, the same reservation is enough', async () => {
  const { amount } = await reserved();
  scripts(failing, answers);
  const { status, calls, key } = await ask({ key: { credit: amount } });
  expect([status, calls]).toEqual([200, 2]);
  await expect.poll(() => gateway.usageOf(key), settled).toMatchObject({ usedCredit: costOfAnswer, held: 0 });
});
