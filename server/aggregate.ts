/**
 * The entry of the aggregator where there is no Lambda: sums and limits follow the stream of the usage table. It needs no port to work;
 * `/healthz` and `/readyz` say how it is.
 */

import type { AddressInfo } from 'node:net';
import { create } from '../functions/aggregate.ts';
import { foundationOf } from '../lib/runtime/foundation.ts';
import { createLog, readLogLevel } from '../lib/runtime/log.ts';
import { createLedgerStream, ledgerStopMs } from '../lib/runtime/records/ledger-stream-runtime.ts';
import { createServer, listen } from './http/node-http.ts';
import { createHealth } from './metrics/health.ts';
import { readSettings } from './settings.ts';

/** How often the log has a line about the stream. */
const reportMs = 60_000;

/** A database that has not answered for so long is reported as missing. */
const unavailableMs = 60_000;

const log = createLog();
const stop = new AbortController();
try {
  await readLogLevel(process.env);
  const { port, host } = readSettings(process.env);
  const stream = createLedgerStream(create(process.env), { foundation: foundationOf(process.env) });
  const health = createHealth({
    isDraining: () => stop.signal.aborted,
    checkDatabase: async () => stream.state().unavailableMs < unavailableMs,
    now: Date.now,
  });
  const server = createServer((request, response) => {
    if (!health.answer(request.url ?? '/', response)) response.writeHead(404).end();
  });
  await listen(server, port, host);
  log.info('aggregator listens', { port: (server.address() as AddressInfo).port });
  const report = setInterval(() => log.info('stream', { ...stream.state() }), reportMs);
  const onSignal = () => {
    if (stop.signal.aborted) process.exit(1);
    stop.abort();
    setTimeout(() => {
      log.warn('aggregator ends in the middle', { waited_ms: ledgerStopMs });
      process.exit(0);
    }, ledgerStopMs).unref();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  await stream.follow(stop.signal);
  clearInterval(report);
  server.close();
  server.closeAllConnections();
} catch (thrown) {
  log.error('aggregator did not start', { reason: thrown instanceof Error ? thrown.message : 'unknown' });
  process.exitCode = 1;
}
