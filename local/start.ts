/** The command `npm start`: reads the settings, starts the local gateway, prints how to call it, and stops it cleanly. */
import { existsSync } from 'node:fs';
import { showProgress } from '../build/progress.ts';
import { isLoopback, loopback } from '../server/addresses.ts';
import { databaseDirectory, defaultDataDirectory, exitOnDamage } from './database-files.ts';
import type { LocalGateway } from './gateway.ts';

const defaultPort = 8787;

/** Of the command line, too. */
const environmentFile = '.env';

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

function readPort(text: string | undefined): number {
  if (text === undefined || text === '') return defaultPort;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    fail('PORT must be a number from 0 to 65535; 0 takes any free port.');
  }
  return port;
}

interface Place {
  readonly port: number;
  readonly host: string;
  readonly dataDirectory: string;
}

function explain(thrown: unknown, { port, host, dataDirectory }: Place): string {
  const { code, syscall }: NodeJS.ErrnoException = thrown instanceof Error ? thrown : new Error();
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use. Stop the process that uses it, or choose another port: PORT=0 npm start`;
  }
  if (code === 'EEXIST' || code === 'ENOTDIR') {
    return `${dataDirectory} is not a directory. Choose another GATEWAY_DATA_DIR.`;
  }
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL') {
    return `HOST is ${host}, which is no address of this machine. Without it, the gateway listens on ${loopback}.`;
  }
  if (code === 'EACCES' && syscall === 'listen')
    return `This user may not listen on port ${port}. Choose a port above 1023.`;
  return `The gateway could not start. ${thrown instanceof Error ? thrown.message : String(thrown)}`;
}

async function start({ port, host, dataDirectory }: Place): Promise<void> {
  exitOnDamage(databaseDirectory(dataDirectory));
  const endProgress = showProgress('Starting the gateway...');
  // Loaded here because they take most of the time until the gateway is ready.
  const [
    { startGateway },
    { describe, openWarning, reminderOf },
    { startRequestLog },
    { readLogLevel },
    { resumeDeliveries },
    { resumeOpenBatches },
  ] = await Promise.all([
    import('./gateway.ts'),
    import('./terminal/greeting.ts'),
    import('./terminal/request-log.ts'),
    import('../lib/runtime/log.ts'),
    import('../lib/runtime/webhook-runtime.ts'),
    import('../functions/start-batch.ts'),
  ]);
  await readLogLevel(process.env);
  const isReadable = process.stdout.isTTY && process.env.LOG_FORMAT !== 'json';
  let reminder = '';
  const log = isReadable ? startRequestLog(() => reminder) : undefined;
  const gateway = await startGateway({
    port,
    host,
    dataDirectory,
    environment: process.env,
    environmentFile,
    ...(log && { onRequest: log.onRequest }),
  });
  endProgress();
  stopOnSignal(gateway);
  reminder = reminderOf(gateway);
  console.log(describe(gateway));
  if (!isLoopback(host)) console.warn(openWarning(host));
  await Promise.all([resumeDeliveries(gateway.variables), resumeOpenBatches(gateway.variables)]);
}

/** The first signal stops the gateway after its running requests; a second one stops it at once. */
function stopOnSignal(gateway: Pick<LocalGateway, 'runningRequests' | 'close'>): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) process.exit(1);
    stopping = true;
    const running = gateway.runningRequests();
    if (running > 0) console.error(waiting(running));
    await gateway.close();
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

const waiting = (running: number) =>
  `\nWaiting for ${running} request${running === 1 ? '' : 's'}... Press Ctrl-C again to stop now.`;

// Files that are made from now on, such as those of the database, are for this user alone.
process.umask(0o077);
// Does not replace variables that are set already.
if (existsSync(environmentFile)) process.loadEnvFile(environmentFile);
const port = readPort(process.env.PORT);
const dataDirectory = process.env.GATEWAY_DATA_DIR || defaultDataDirectory;
const place: Place = { port, host: process.env.HOST || loopback, dataDirectory };
try {
  await start(place);
} catch (thrown) {
  fail(explain(thrown, place));
}
