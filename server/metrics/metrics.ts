/**
 * The figures of all workers as Prometheus reads them, on a port of its own: what is there is for the operator, and not for callers.
 */
import { createServer, listen } from '../http/node-http.ts';
import type { Figures } from '../process/figures.ts';

/** Connections at a time: a collector of metrics needs one. */
const maxMetricsConnections = 16;

export async function startMetrics(port: number, host: string, read: () => ServerFigures): Promise<void> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': metricsContentType }).end(metricsText(read()));
  });
  server.maxConnections = maxMetricsConnections;
  await listen(server, port, host);
}

/** Of the whole server. */
interface ServerFigures {
  /** The last ones of each worker, by its number. */
  readonly workers: ReadonlyMap<number, Figures>;
  readonly ready: number;
  /** Workers that were started, with the first ones. */
  readonly started: number;
}

/** Source: prometheus.io/docs/instrumenting/exposition_formats. */
const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8';

type MetricType = 'gauge' | 'counter';

/** By their labels, beside the worker. */
type Values = (figures: Figures) => Readonly<Record<string, number>>;

type Metric = readonly [name: string, type: MetricType, help: string, values: Values];

const one =
  (value: (figures: Figures) => number): Values =>
  (figures) => ({ '': value(figures) });

const metrics: readonly Metric[] = [
  [
    'gateway_event_loop_delay_seconds',
    'gauge',
    'Delay of the event loop in the last minute.',
    ({ eventLoopDelay: { p50, p99, max } }) => ({
      'quantile="0.5"': p50 / 1_000,
      'quantile="0.99"': p99 / 1_000,
      'quantile="1"': max / 1_000,
    }),
  ],
  ['gateway_running_requests', 'gauge', 'Requests that run.', one(({ running }) => running)],
  ['gateway_requests_total', 'counter', 'Requests that have come.', one(({ requests }) => requests)],
  [
    'gateway_connections',
    'gauge',
    'Connections of clients: those that wait for their client, and the others.',
    ({ connections: { open, waiting } }) => ({
      'state="waiting"': waiting,
      'state="busy"': open - waiting,
    }),
  ],
  [
    'gateway_responses_total',
    'counter',
    'Responses by operation and status; 499 for a client that left.',
    ({ counted }) => counted.responses,
  ],
  [
    'gateway_refusals_total',
    'counter',
    'Requests that ended with an error before a provider was called, by its reason.',
    ({ counted }) => counted.refusals,
  ],
  ['gateway_provider_calls_total', 'counter', 'Calls of providers.', ({ counted }) => counted.providerCalls],
  [
    'gateway_provider_failures_total',
    'counter',
    'Calls of providers that failed.',
    ({ counted }) => counted.providerFailures,
  ],
  [
    'gateway_refused_requests_total',
    'counter',
    'Requests that were refused for want of memory.',
    one(({ refused }) => refused),
  ],
  [
    'gateway_memory_budget_bytes',
    'gauge',
    'Memory that requests may use together.',
    one(({ budgetBytes }) => budgetBytes),
  ],
  [
    'gateway_memory_budget_used_bytes',
    'gauge',
    'Memory of the budget that is in use.',
    one(({ budgetUsedBytes }) => budgetUsedBytes),
  ],
  [
    'gateway_resident_memory_bytes',
    'gauge',
    'Memory of the process.',
    one(({ residentBytes }) => residentBytes),
  ],
  [
    'gateway_heap_used_bytes',
    'gauge',
    'Memory of the JavaScript objects in the process.',
    one(({ heapBytes }) => heapBytes),
  ],
];

function metricsText({ workers, ready, started }: ServerFigures): string {
  const own = [
    ...head('gateway_ready_workers', 'gauge', 'Workers that serve requests.'),
    `gateway_ready_workers ${ready}`,
    ...head('gateway_started_workers_total', 'counter', 'Workers that were started.'),
    `gateway_started_workers_total ${started}`,
  ];
  const ofWorkers = metrics.flatMap(([name, type, help, values]) => [
    ...head(name, type, help),
    ...[...workers].flatMap(([worker, figures]) =>
      Object.entries(values(figures)).map(
        ([labels, value]) => `${name}{worker="${worker}"${labels && `,${labels}`}} ${numberText(value)}`,
      ),
    ),
  ]);
  return `${[...own, ...ofWorkers].join('\n')}\n`;
}

const head = (name: string, type: MetricType, help: string) => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

const numberText = (value: number) => (value === Number.POSITIVE_INFINITY ? '+Inf' : `${value}`);
