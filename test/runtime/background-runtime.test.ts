/** Where the workers of background responses run, and what they take of it. */
import { expect, test } from 'vitest';
import type { RequestMemory } from '../../lib/core/ports/memory.ts';
import { responsesEndpoint } from '../../lib/operations/responses/endpoint.ts';
import { runsHere, shareMemory, startRunOf } from '../../lib/runtime/background-runtime.ts';
import { responsesRuntime } from '../../lib/runtime/responses-runtime.ts';
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

const never = () => Promise.reject(new Error('It is not loaded.'));

test('a process of Lambda, which stands still between requests, runs none, and refuses to create any', () => {
  const variables = { AWS_REGION: 'us-east-1', AWS_LAMBDA_FUNCTION_NAME: 'responses' };
  const start = startRunOf(variables, never);
  expect(start).toBeUndefined();
  const runtime = responsesRuntime(variables);
  const endpoint = responsesEndpoint({ ...runtime, background: { ...runtime.background, start } });
  expect(() => endpoint.read({ model: 'acme/one', input: 'Hi', background: true })).toThrow(
    "'background' is not supported",
  );
});

test('a worker that cannot be loaded is no start', async () => {
  const start = startRunOf({ AWS_REGION: 'us-east-1' }, never);
  await expect(start?.({ tenant: 'acme', id: 'resp_1' })).rejects.toThrow('It is not loaded.');
});
