/** A gateway of several regions, in one that does not serve callers with credit: it could be spent once in each. */
import { expect, test } from 'vitest';
import { maxCost, useLimitedGateway } from './limited-gateway.ts';

const gateway = useLimitedGateway(() => ({ GATEWAY_CREDIT_REGION: 'eu-west-1' }));

test.each(['key', 'tenant'] as const)('the credit of a %s is not spent here', async (subject) => {
  const { secret, ...scopes } = await gateway.newKey({ [subject]: { credit: 10 * maxCost } });
  const response = await gateway.ask(secret);
  expect(response.status).toBe(403);
  expect(((await response.json()) as { error: unknown }).error).toMatchObject({
    type: 'permission_denied_error',
    code: 'wrong_region',
    message: expect.stringContaining('eu-west-1'),
  });
  expect(gateway.upstream.requests).toEqual([]);
  expect(await gateway.usageOf(scopes[subject])).toBeUndefined();
});

test('a budget counts in each region', async () => {
  const { secret } = await gateway.newKey({ tenant: { monthlyBudget: 10 * maxCost } });
  expect((await gateway.ask(secret)).status).toBe(200);
});
