/** Where the workers of background responses run, and what they take of it. */
import { expect, test } from 'vitest';
import type { RequestMemory } from '../../lib/core/ports/memory.ts';
import { runsHere, shareMemory, startRunOf } from '../../lib/runtime/background-runtime.ts';
import { createMemoryBudget } from '../../server/process/memory-budget.ts';

test('a worker in a server takes of the memory of its requests, and gives it back at its end', async () => {
  const variables = { AWS_REGION: 'eu-central-1' };
  const budget = createMemoryBudget(1_000_000);
  shareMemory(variables, budget);
  const gate = Promise.withResolvers<void>();
  const began = Promise.withResolvers<RequestMemory | undefined>();
  const start = startRunOf(variables, async () => ({
    create: () => async (_ref, host) => {
      began.resolve(host.memory);
      await gate.promise;
    },
  }));
  await start?.({ tenant: 'acme', id: 'resp_1' });
  const memory = await began.promise;
  expect([memory?.admit(500_000), memory?.admit(600_000), budget.used()]).toEqual([true, false, 500_000]);
  gate.resolve();
  await runsHere(variables).ended(1_000);
  expect(budget.used()).toBe(0);
});
