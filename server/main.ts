/** The entry of the server: `npm run serve`, the container image. */
import { createLog } from '../lib/runtime/log.ts';
import { gracefully } from './drain.ts';
import { readSettings } from './settings.ts';
import { startWorker } from './worker.ts';

const log = createLog();
try {
  const settings = readSettings(process.env);
  const server = await startWorker(settings, log);
  log.info('server listens', { url: server.url });
  const stop = async () => {
    if (server.isDraining()) process.exit(1);
    await server.drain(gracefully(settings.drainMs));
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
} catch (thrown) {
  log.error('server did not start', { reason: thrown instanceof Error ? thrown.message : 'unknown' });
  process.exitCode = 1;
}
