/** A process that serves requests until its primary process has it stop. */
import cluster from 'node:cluster';
import { operations } from '../../lib/core/operations.ts';
import type { Log } from '../../lib/core/ports/log.ts';
import type { Service } from '../service.ts';
import type { ServerSettings } from '../settings.ts';
import { watchCrashes } from './crashes.ts';
import { gracefully, immediately } from './drain.ts';
import { reportMs, type ToPrimary, type ToWorker } from './messages.ts';
import { explainStart } from './start-problem.ts';

/** The longest that any request may run: a worker that is replaced has no reason to cut one. */
const longestRequestMs = 1_000 * Math.max(...operations.map(({ timeoutSeconds }) => timeoutSeconds));

/** `start` loads what it serves, and listens. */
export async function runWorker(
  settings: ServerSettings,
  log: Log,
  start: () => Promise<Service>,
): Promise<void> {
  const report = (message: ToPrimary) => void process.send?.(message, () => {});
  let service: Service | undefined;
  let exitCode = 0;
  const leave = async (times = gracefully(settings)) => {
    report({ type: 'leaving' });
    await service?.drain(times);
    process.exit(exitCode);
  };
  const stop = () => void leave();
  watchCrashes(log, () => {
    exitCode = 1;
    if (service) report({ type: 'failing' });
    else process.exit(exitCode);
  });
  process.on('message', ({ type }: ToWorker) => {
    if (type === 'stop') stop();
    else void leave(immediately(longestRequestMs));
  });
  // Without its primary process, it gets no connections. Node would end it at once, with what runs.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  process.on('disconnect', stop);
  // Of a terminal or a supervisor that signals every process. The primary process then does, too.
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  try {
    service = await start();
  } catch (thrown) {
    log.error('server did not start', { reason: explainStart(thrown, { ...settings, variable: 'PORT' }) });
    process.exit(1);
  }
  const { url, figures } = service;
  report({ type: 'ready', url });
  const reportFigures = () => report({ type: 'figures', figures: figures() });
  reportFigures();
  setInterval(reportFigures, reportMs).unref();
}
