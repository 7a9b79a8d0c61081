/** The entry of the server: the primary process, and each worker, which is this file again. */
import cluster from 'node:cluster';
import { adminOperations } from '../lib/core/admin/admin-operations.ts';
import { operations } from '../lib/core/operations.ts';
import { createLog, readLogLevel } from '../lib/runtime/log.ts';
import { journalDirectory } from './process/journal-directory.ts';
import { checkTables, readSettings } from './settings.ts';

const log = createLog();
try {
  await readLogLevel(process.env);
  const settings = readSettings(process.env);
  checkTables(process.env);
  if (cluster.isPrimary) {
    const { runPrimary } = await import('./process/primary.ts');
    await runPrimary(settings, log);
  } else {
    const [
      { useServerClient },
      { writeLogInTurns },
      { keepServerRecords },
      { resumeDeliveries },
      { runWorker },
      { startService },
      { functionsOf },
      { resumeOpenBatches },
    ] = await Promise.all([
      import('../lib/runtime/server-client.ts'),
      import('../lib/runtime/log-in-turns.ts'),
      import('../lib/runtime/records/server-records.ts'),
      import('../lib/runtime/webhook-runtime.ts'),
      import('./process/worker.ts'),
      import('./service.ts'),
      import('./functions.ts'),
      import('../functions/start-batch.ts'),
    ]);
    useServerClient(process.env);
    writeLogInTurns();
    keepServerRecords(process.env, settings.journalDirectory ?? journalDirectory(process.env));
    const served = settings.dashboard ? [...operations, ...adminOperations] : operations;
    const start = () =>
      startService({ operations: served, load: functionsOf(process.env) }, settings, log, process.env);
    await runWorker(settings, log, start);
    await Promise.all([resumeDeliveries(process.env), resumeOpenBatches(process.env)]);
  }
} catch (thrown) {
  log.error('server did not start', { reason: thrown instanceof Error ? thrown.message : 'unknown' });
  process.exit(1);
}
