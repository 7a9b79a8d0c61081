/** The server as it is run in production: the bundle of `npm run serve`, one worker, asked for its own metrics. */
import { join } from 'node:path';
import type { Environment } from '../contenders.ts';
import { freeUrl } from './announce.ts';
import { functionEnvironment } from './function-environment.ts';
import { usageOfTree } from './process-usage.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/** What its metrics report. */
export interface Metrics {
  /** Milliseconds that 99 of 100 turns of the event loop were late at most, in its last minute. */
  readonly delay: number;
  /** Bytes of the process, and of the objects in it. */
  readonly resident: number;
  readonly heap: number;
  /** Requests for which there was no memory. */
  readonly refused: number;
}

export interface Served {
  readonly url: string;
  /** What it has used, all its processes have. */
  readonly process: ServerProcess;
  metrics(): Promise<Metrics>;
}

export async function startServed(
  { upstreamUrl, tablesUrl, bundles }: Environment,
  nodeOptions: readonly string[] = [],
): Promise<Served> {
  const [url, metricsUrl] = [await freeUrl(), await freeUrl()];
  const server = await startServer({
    program: join(bundles, 'server', 'index.mjs'),
    nodeOptions,
    environment: {
      ...functionEnvironment(upstreamUrl, tablesUrl),
      PORT: new URL(url).port,
      GATEWAY_METRICS_PORT: new URL(metricsUrl).port,
      GATEWAY_DRAIN_SECONDS: '0',
    },
    url: `${url}/healthz`,
  });
  return {
    url,
    process: { ...server, usage: async () => usageOfTree(server.pid) },
    async metrics() {
      const answer = await fetch(`${metricsUrl}/metrics`);
      return readMetrics(await answer.text());
    },
  };
}

/** @throws Error that names a metric that is missing. */
export function readMetrics(text: string): Metrics {
  const figureOf = (name: string, label = '') => {
    const line = text.split('\n').find((one) => one.startsWith(name) && one.includes(label));
    if (line === undefined) throw new Error(`The server has no metric ${name}.`);
    return Number(line.slice(line.lastIndexOf(' ')));
  };
  return {
    delay: figureOf('gateway_event_loop_delay_seconds', 'quantile="0.99"') * 1_000,
    resident: figureOf('gateway_resident_memory_bytes'),
    heap: figureOf('gateway_heap_used_bytes'),
    refused: figureOf('gateway_refused_requests_total'),
  };
}
