/** Requests of others, which an attack must not delay. */
import { setTimeout as pause } from 'node:timers/promises';
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
async function p99(gateway: Served): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < 150; count++) {
    const before = performance.now();
    await light(gateway);
    times.push(performance.now() - before);
  }
  return times.toSorted((a, b) => a - b)[148] ?? 0;
}

/** How often an attack is compared with quiet: other work of the machine delays requests, too. */
const maxRounds = 8;

interface Attack {
  readonly begin: () => void;
  readonly end: () => void;
}

/** How many times as long light requests take during an attack: the first ratio that is at most `enough`, else the best of all rounds. */
export async function delayDuring({ begin, end }: Attack, gateway: Served, enough: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < maxRounds && best > enough; round++) {
    const quiet = await p99(gateway);
    begin();
    await pause(500);
    best = Math.min(best, (await p99(gateway)) / quiet);
    end();
    await pause(200);
  }
  return best;
}
