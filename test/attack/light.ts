/** Requests of others, which an attack must not delay. */
import { expect } from 'vitest';
import type { GatewayProcess } from '../harness/gateways/gateway-process.ts';

type Served = Pick<GatewayProcess, 'baseUrl'>;

/** A request that does little. */
export async function light({ baseUrl }: Served): Promise<void> {
  const response = await fetch(`${baseUrl}/models/openai/gpt-4.1-mini`);
  await response.arrayBuffer();
  expect(response.status).toBe(200);
}

/** In milliseconds, of a hundred and fifty light requests. */
export async function p99(gateway: Served): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < 150; count++) {
    const before = performance.now();
    await light(gateway);
    times.push(performance.now() - before);
  }
  return times.toSorted((a, b) => a - b)[148] ?? 0;
}
