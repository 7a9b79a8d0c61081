/**
 * The gateway as it is measured: the built functions behind the HTTP server, in a process without database and upstream.
 *
 * The server is the real one, because a second one would have to simulate API Gateway too. What it does
 * for a request (events as API Gateway makes them, the runtime's response stream) counts against the gateway here,
 * though in AWS it is not the function that does it.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { operations } from '../../../lib/core/operations.ts';
import { startServer } from '../../../server/http/server.ts';
import { loadInProcessEngine } from '../../../server/in-process.ts';
import { announce } from './announce.ts';

const bundles = process.env.BENCH_BUNDLES;
if (bundles === undefined) throw new Error('BENCH_BUNDLES is missing.');

const invoke = await loadInProcessEngine(operations, async ({ name }) => {
  const { handler } = await import(pathToFileURL(join(bundles, name, 'index.mjs')).href);
  return handler;
});
const { url } = await startServer({ operations, invoke, port: 0 });
process.on('SIGINT', () => process.exit(0));

announce({ url });
