/** The figures of all workers as Prometheus reads them. Format: prometheus.io/docs/instrumenting/exposition_formats, version 0.0.4. */
import type { Figures } from '../process/figures.ts';

/** Of the whole server. */
export interface ServerFigures {
  /** The last ones of each worker, by its number. */
  readonly workers: ReadonlyMap<number, Figures>;
  readonly ready: number;
  /** Workers that were started, with the first ones. */
  readonly started: number;
}

export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8';

interface Metric {
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  readonly help: string;
  /** By its labels, beside the worker. */
  readonly values: (figures: Figures) => Readonly<Record<string, number>>;
}

const one =
  (value: (figures: Figures) => number): Metric['values'] =>
  (figures) => ({ '': value(figures) });

const metrics: readonly Metric[] = [
  {
    name: 'gateway_event_loop_delay_seconds',
    type: 'gauge',
    help: 'Delay of the event loop in the last minute.',
    values: ({ eventLoopDelay: { p50, p99, max } }) => ({
      'quantile="0.5"': p50 / 1_000,
      'quantile="0.99"': p99 / 1_000,
      'quantile="1"': max / 1_000,
    }),
  },
  {
    name: 'gateway_running_requests',
    type: 'gauge',
    help: 'Requests that run.',
    values: one(({ running }) => running),
  },
  {
    name: 'gateway_requests_total',
    type: 'counter',
    help: 'Requests that have come.',
    values: one(({ requests }) => requests),
  },
  {
    name: 'gateway_connections',
    type: 'gauge',
    help: 'Connections of clients: those that wait for their client, and the others.',
    values: ({ connections: { open, waiting } }) => ({
      'state="waiting"': waiting,
      'state="busy"': open - waiting,
    }),
  },
  {
    name: 'gateway_responses_total',
    type: 'counter',
    help: 'Responses by operation and status; 499 for a client that left.',
    values: ({ counted }) => counted.responses,
  },
  {
    name: 'gateway_refusals_total',
    type: 'counter',
    help: 'Requests that ended with an error before a provider was called, by its reason.',
    values: ({ counted }) => counted.refusals,
  },
  {
    name: 'gateway_provider_calls_total',
    type: 'counter',
    help: 'Calls of providers.',
    values: ({ counted }) => counted.providerCalls,
  },
  {
    name: 'gateway_provider_failures_total',
    type: 'counter',
    help: 'Calls of providers that failed.',
    values: ({ counted }) => counted.providerFailures,
  },
  {
    name: 'gateway_refused_requests_total',
    type: 'counter',
    help: 'Requests that were refused for want of memory.',
    values: one(({ refused }) => refused),
  },
  {
    name: 'gateway_memory_budget_bytes',
    type: 'gauge',
    help: 'Memory that requests may use together.',
    values: one(({ budgetBytes }) => budgetBytes),
  },
  {
    name: 'gateway_memory_budget_used_bytes',
    type: 'gauge',
    help: 'Memory of the budget that is in use.',
    values: one(({ budgetUsedBytes }) => budgetUsedBytes),
  },
  {
    name: 'gateway_resident_memory_bytes',
    type: 'gauge',
    help: 'Memory of the process.',
    values: one(({ residentBytes }) => residentBytes),
  },
  {
    name: 'gateway_heap_used_bytes',
    type: 'gauge',
    help: 'Memory of the JavaScript objects in the process.',
    values: one(({ heapBytes }) => heapBytes),
  },
];

export function metricsText({ workers, ready, started }: ServerFigures): string {
  const own = [
    ...head('gateway_ready_workers', 'gauge', 'Workers that serve requests.'),
    `gateway_ready_workers ${ready}`,
    ...head('gateway_started_workers_total', 'counter', 'Workers that were started.'),
    `gateway_started_workers_total ${started}`,
  ];
  const ofWorkers = metrics.flatMap(({ name, type, help, values }) => [
    ...head(name, type, help),
    ...[...workers].flatMap(([worker, figures]) =>
      Object.entries(values(figures)).map(
        ([labels, value]) => `${name}{worker="${worker}"${labels && `,${labels}`}} ${numberText(value)}`,
      ),
    ),
  ]);
  return `${[...own, ...ofWorkers].join('\n')}\n`;
}

const head = (name: string, type: Metric['type'], help: string) => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

const numberText = (value: number) => (value === Number.POSITIVE_INFINITY ? '+Inf' : `${value}`);
