/** The address of the metrics, on a port of its own: what is there is for the operator, and not for callers. */

import { listen } from '../http/listen.ts';
import { createServer } from '../http/node-http.ts';
import { metricsContentType, metricsText, type ServerFigures } from './metrics-text.ts';

/** Connections at a time: a collector of metrics needs one. */
const maxMetricsConnections = 16;

export async function startMetrics(port: number, host: string, read: () => ServerFigures): Promise<void> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': metricsContentType }).end(metricsText(read()));
  });
  server.maxConnections = maxMetricsConnections;
  await listen(server, port, host);
}
