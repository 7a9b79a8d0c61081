/**
 * The command `npm start`: reads the settings, starts the local gateway, says how to call it, and stops it cleanly.
 */
import { existsSync } from 'node:fs';
import { type LocalGateway, startGateway } from './gateway.ts';
import { describe } from './greeting.ts';

const defaultPort = 8787;

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

function readPort(text: string | undefined): number {
  if (text === undefined || text === '') return defaultPort;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    fail('PORT must be a number from 0 to 65535; 0 takes any free port.');
  return port;
}

function explain(thrown: unknown, port: number): string {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use. Stop what uses it, or choose another one: PORT=0 npm start`;
  }
  if (code === 'EACCES') return `This user may not listen on port ${port}. Choose one above 1023.`;
  return `The gateway could not start. ${thrown instanceof Error ? thrown.message : String(thrown)}`;
}

function stopOnSignal(gateway: LocalGateway): void {
  let stopping = false;
  const stop = async () => {
    // Who asks twice does not want to wait for running requests.
    if (stopping) process.exit(1);
    stopping = true;
    await gateway.close();
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

// Never takes the place of a variable that is set already.
if (existsSync('.env')) process.loadEnvFile('.env');
const port = readPort(process.env.PORT);
try {
  const gateway = await startGateway({ port, dataDirectory: process.env.GATEWAY_DATA_DIR || '.local' });
  stopOnSignal(gateway);
  console.log(describe(gateway));
} catch (thrown) {
  fail(explain(thrown, port));
}
