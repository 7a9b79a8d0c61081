/** How a process that serves is doing: for a line of the log each minute, and for the metrics. */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Log } from '../../lib/core/ports/log.ts';
import { minuteMs } from '../../lib/core/time.ts';
import type { ConnectionCounts } from '../http/connections.ts';
import type { CountedSeries } from '../metrics/request-counts.ts';
import type { MemoryBudget } from './memory-budget.ts';
import type { RunningCounts } from './running.ts';

/** How much later than it could the process has turned to what was ready. In milliseconds. */
interface EventLoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface Figures {
  /** Of the last whole minute; in the first one, since the start. */
  readonly eventLoopDelay: EventLoopDelay;
  readonly running: number;
  readonly connections: ConnectionCounts;
  /** Since the start. */
  readonly counted: CountedSeries;
  /** Since the start. */
  readonly requests: number;
  /** For want of memory, since the start. */
  readonly refused: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
  /** Infinity where there is none. */
  readonly budgetBytes: number;
  readonly budgetUsedBytes: number;
}

interface Measured {
  readonly requests: () => RunningCounts;
  readonly connections: () => ConnectionCounts;
  readonly counted: () => CountedSeries;
  readonly memory: MemoryBudget;
  readonly log: Pick<Log, 'info'>;
}

/** How often the delay is measured. */
const resolutionMs = 20;

export function startFigures({ requests, connections, counted, memory, log }: Measured): () => Figures {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  let lastMinute: EventLoopDelay | undefined;
  const read = (): Figures => {
    const { running, all } = requests();
    const { rss, heapUsed } = process.memoryUsage();
    return {
      eventLoopDelay: lastMinute ?? delayIn(histogram),
      running,
      connections: connections(),
      counted: counted(),
      requests: all,
      refused: memory.refused(),
      residentBytes: rss,
      heapBytes: heapUsed,
      budgetBytes: memory.bytes,
      budgetUsedBytes: memory.used(),
    };
  };
  setInterval(() => {
    lastMinute = delayIn(histogram);
    histogram.reset();
    log.info('server', toFields(read()));
  }, minuteMs).unref();
  return read;
}

/** Node counts from one measurement to the next, so without any delay there is one resolution. Without measurements, all is 0. */
function delayIn(histogram: ReturnType<typeof monitorEventLoopDelay>): EventLoopDelay {
  const toMs = (nanoseconds: number) => Math.max(0, round(nanoseconds / 1e6 - resolutionMs));
  return {
    p50: toMs(histogram.percentile(50)),
    p99: toMs(histogram.percentile(99)),
    max: toMs(histogram.max),
  };
}

const round = (value: number) => Math.round(value * 100) / 100;

const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20);

function toFields({ eventLoopDelay: delay, ...figures }: Figures): Readonly<Record<string, number>> {
  return {
    pid: process.pid,
    event_loop_delay_p50_ms: delay.p50,
    event_loop_delay_p99_ms: delay.p99,
    event_loop_delay_max_ms: delay.max,
    running_requests: figures.running,
    open_connections: figures.connections.open,
    requests: figures.requests,
    refused_requests: figures.refused,
    resident_mb: megabytes(figures.residentBytes),
    heap_mb: megabytes(figures.heapBytes),
    budget_used_mb: megabytes(figures.budgetUsedBytes),
  };
}
