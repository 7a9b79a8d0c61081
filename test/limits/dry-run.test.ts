/** What a dry run says of limits: what a request would be granted then, without taking any of it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Limits } from '../../lib/core/tenancy.ts';
import {
  maxCost,
  maxInputCost,
  maxTokens,
  outputCost,
  question,
  useLimitedGateway,
} from './limited-gateway.ts';

const gateway = useLimitedGateway();

async function dryRun(secret: string, body: object = question) {
  const response = await gateway.ask(secret, { ...body, extra: { dry_run: true } });
  const { debug, error } = (await response.json()) as {
    readonly debug?: { readonly dry_run: Readonly<Record<string, unknown>> };
    readonly error?: { readonly code: string };
  };
  const { fits, sent, ...report } = debug?.dry_run ?? {};
  return { status: response.status, code: error?.code, fits, sent, ...report };
}

test('it counts as one request, and nothing is held or used', async () => {
  const { secret, key, tenant } = await gateway.newKey({
    key: { requestsPerMinute: 3, tokensPerMinute: 10 * maxTokens },
    tenant: { monthlyBudget: 10 * maxCost, concurrentRequests: 1 },
  });
  for (const _ of [1, 2, 3]) {
    expect(await dryRun(secret)).toMatchObject({
      fits: true,
      granted_output: 50,
      highest_cost: maxCost / 1e9,
    });
  }
  expect(await gateway.usageOf(key)).toMatchObject({ requests: 3, tokens: 0, held: 0 });
  expect(await gateway.usageOf(tenant)).toMatchObject({ requests: 3, held: 0, committed: 0, running: 0 });
  expect(await dryRun(secret)).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
  expect(gateway.upstream.requests).toEqual([]);
});

test('what a budget would refuse does not fit, also where it is used up', async () => {
  const { secret, key } = await gateway.newKey({ key: { monthlyBudget: maxInputCost - 1 } });
  const refused = { status: 200, fits: false, granted_output: null, highest_cost: maxCost / 1e9 };
  expect(await dryRun(secret)).toMatchObject(refused);
  expect((await gateway.ask(secret)).status).toBe(429);
  const again = await dryRun(secret);
  expect(again).toMatchObject({ ...refused, refused_by: { code: 'insufficient_quota' } });
  expect(await gateway.usageOf(key)).toMatchObject({ requests: 2, held: 0 });
});

test('what is left of a budget lowers the output of both', async () => {
  const { secret } = await gateway.newKey({ key: { monthlyBudget: maxInputCost + 20 * outputCost } });
  const report = await dryRun(secret);
  expect(report).toMatchObject({ fits: true, granted_output: 20, sent: { max_completion_tokens: 20 } });
  await (await gateway.ask(secret)).text();
  expect(gateway.upstream.requests[0]?.body).toEqual(report.sent);
});

test('it fits where the database is away and the tenant is served all the same', async () => {
  const { secret } = await gateway.newKey({ key: { monthlyBudget: 10 * maxCost } });
  gateway.store.setFaults((_name, table) => (table === 'usage' ? 'failed' : undefined));
  expect(await dryRun(secret)).toMatchObject({ fits: true, granted_output: 50 });
});

test('the call is admitted as the dry run says, for any limits', async () => {
  const limits: fc.Arbitrary<Limits> = fc.record(
    {
      monthlyBudget: fc.integer({ min: 1, max: 2 * maxCost }),
      credit: fc.integer({ min: 1, max: 2 * maxCost }),
      tokensPerMinute: fc.integer({ min: 1, max: 2 * maxTokens }),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(limits, limits, fc.integer({ min: 1, max: 60 }), async (key, tenant, max) => {
      const body = { ...question, max_completion_tokens: max };
      const { secret } = await gateway.newKey({ key, tenant });
      const report = await dryRun(secret, body);
      const before = gateway.upstream.total;
      const response = await gateway.ask(secret, body);
      await response.text();
      expect(response.status === 200).toBe(report.fits);
      expect(gateway.upstream.total - before).toBe(report.fits ? 1 : 0);
      if (report.fits) expect(gateway.upstream.requests.at(-1)?.body).toEqual(report.sent);
    }),
    { numRuns: 25 },
  );
});
