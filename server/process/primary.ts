/**
 * The primary process: it serves no request itself. It starts the workers, which share its port, puts others in the place of those
 * that end or fail, and passes signals on. It loads no functions, so it is small, and nothing of a request can end it.
 */
import cluster, { type Worker } from 'node:cluster';
import type { Log } from '../../lib/core/ports/log.ts';
import { startMetrics } from '../metrics/metrics.ts';
import type { ServerSettings } from '../settings.ts';
import { createBackOff } from './back-off.ts';
import { maxEndMs } from './drain.ts';
import type { Figures } from './figures.ts';
import { reportMs, type ToPrimary, type ToWorker } from './messages.ts';
import { explainStart } from './start-problem.ts';

interface Running {
  readonly worker: Worker;
  /** Unix milliseconds. */
  readonly startedAt: number;
  state: 'starting' | 'ready' | 'failing' | 'leaving';
  figures?: Figures;
  /** Reports that were due since the last one. */
  missedReports: number;
}

/**
 * The workers take connections themselves, as many at a time as wait. With the default of Node, the primary process hands a worker one
 * connection in each turn of its event loop: a busy one would take 28 in a second, and callers and probes would wait for seconds.
 */
cluster.schedulingPolicy = cluster.SCHED_NONE;

/** After so many, half a minute, a worker hangs: it serves nothing any more. */
export const maxMissedReports = 6;

/** For workers to end after their requests have. */
const marginMs = 5_000;

/** Resolves when the first workers have been started. */
export async function runPrimary(
  settings: ServerSettings,
  log: Log,
  patience = maxMissedReports,
): Promise<void> {
  const { workers: wanted, drainMs, metricsPort, host } = settings;
  const running = new Map<number, Running>();
  const backOff = createBackOff();
  let started = 0;
  let hasServed = false;
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;

  const count = (...states: Running['state'][]) =>
    [...running.values()].filter(({ state }) => states.includes(state)).length;

  function send({ worker }: Running, message: ToWorker): void {
    if (worker.isConnected()) worker.send(message);
  }

  function killAll(): never {
    for (const { worker } of running.values()) worker.process.kill('SIGKILL');
    process.exit(1);
  }

  function start(): void {
    const worker = cluster.fork();
    const one: Running = { worker, startedAt: Date.now(), state: 'starting', missedReports: 0 };
    started += 1;
    running.set(worker.id, one);
    worker.on('message', (message: ToPrimary) => onMessage(one, message));
    worker.once('exit', (code, signal) => onExit(one, { code, signal }));
    // Such as a message to one that has just ended. One that could not be started has no other event.
    worker.on('error', () => worker.process.pid === undefined && onExit(one, { code: null, signal: null }));
  }

  /** Starts what is missing, and lets those that fail go when enough others serve. There are never more than twice as many as wanted. */
  function balance(): void {
    if (isStopping) return;
    const isMissing = count('starting', 'ready') < wanted && running.size < 2 * wanted;
    if (isMissing && timer === undefined) {
      timer = setTimeout(() => {
        timer = undefined;
        start();
        balance();
      }, backOff.delay());
    }
    if (count('ready') < wanted) return;
    for (const one of running.values()) {
      if (one.state !== 'failing') continue;
      one.state = 'leaving';
      send(one, { type: 'retire' });
    }
  }

  function onMessage(one: Running, message: ToPrimary): void {
    if (message.type === 'figures') {
      one.figures = message.figures;
      one.missedReports = 0;
      return;
    }
    if (one.state === 'leaving') return;
    if (message.type === 'failing') backOff.note(Date.now() - one.startedAt);
    one.state = message.type;
    const { id, process } = one.worker;
    if (message.type === 'ready') {
      log.info('worker ready', { worker: id, pid: process.pid });
      if (!hasServed && count('ready') === wanted) {
        hasServed = true;
        log.info('server listens', { url: message.url, workers: wanted });
      }
    }
    balance();
  }

  function onExit(one: Running, { code, signal }: { code: number | null; signal: string | null }): void {
    const { worker, state, startedAt } = one;
    if (!running.delete(worker.id)) return;
    // One that ends by itself has ended its requests, too.
    const isWell = signal === null && (state === 'leaving' || (isStopping && code === 0));
    if (!isWell) log.error('worker ended', { worker: worker.id, code, signal });
    if (isStopping) {
      if (!isWell) process.exitCode = 1;
      if (running.size === 0) process.exit();
      return;
    }
    if (!hasServed) killAll();
    if (state !== 'leaving' && state !== 'failing') backOff.note(Date.now() - startedAt);
    balance();
  }

  function stop(signal: string): void {
    if (isStopping) killAll();
    isStopping = true;
    clearTimeout(timer);
    log.info('server stops', { signal, drain_seconds: drainMs / 1_000 });
    if (running.size === 0) process.exit(0);
    for (const one of running.values()) send(one, { type: 'stop' });
    setTimeout(killAll, drainMs + 2 * maxEndMs + marginMs);
  }

  /** Counts, and does not compare times: after a machine has slept, no worker is to blame. */
  function watch(): void {
    for (const one of running.values()) {
      if (one.state === 'starting') continue;
      one.missedReports += 1;
      if (one.missedReports <= patience) continue;
      log.error('worker hangs', { worker: one.worker.id, pid: one.worker.process.pid });
      one.worker.process.kill('SIGKILL');
    }
  }

  const read = () => {
    const known = [...running.values()].flatMap(({ worker, figures }) =>
      figures ? [[worker.id, figures] as const] : [],
    );
    return { workers: new Map(known), ready: count('ready'), started };
  };

  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (metricsPort !== undefined) {
    await startMetrics(metricsPort, host, read).catch((thrown) => {
      const place = { variable: 'GATEWAY_METRICS_PORT', port: metricsPort, host };
      throw new Error(explainStart(thrown, place));
    });
  }
  setInterval(watch, reportMs);
  for (let index = 0; index < wanted; index++) start();
}
