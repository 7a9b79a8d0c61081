/** While providers attack, light requests of others take at most three times as long. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GatewayProcess, startGatewayProcess } from '../harness/gateways/gateway-process.ts';
import type { Order } from './attacker.ts';
import { delayDuring, light } from './light.ts';
import { megabyte, peakOf } from './memory.ts';

let attacker: Worker;
let gateway: GatewayProcess;

beforeAll(async () => {
  attacker = new Worker(new URL('./attacker.ts', import.meta.url));
  const [url] = await once(attacker, 'message');
  gateway = await startGatewayProcess({
    environment: { OPENAI_UPSTREAM_URL: url, OPENAI_API_KEY: 'a-provider-key' },
  });
  for (let count = 0; count < 100; count++) await light(gateway);
});
afterAll(async () => {
  await attacker?.terminate();
  await gateway?.stop();
});

const attacks = ['a line without end', 'events without end', 'a hundred thousand calls of tools'] as const;

test.each(attacks)('%s', { timeout: 120_000 }, async (answer) => {
  const order = (answer: Order['answer']) =>
    attacker.postMessage({ baseUrl: gateway.baseUrl, apiKey: gateway.apiKey, answer } satisfies Order);
  peakOf(gateway.pid);
  const before = peakOf(gateway.pid);
  const attack = { begin: () => order(answer), end: () => order(undefined) };
  expect(await delayDuring(attack, gateway, 3)).toBeLessThanOrEqual(3);
  expect(peakOf(gateway.pid) - before).toBeLessThan(250 * megabyte);
});
