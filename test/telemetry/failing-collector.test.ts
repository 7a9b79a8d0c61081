/** Requests, sums and limits while a collector fails: they follow the ledger as if there were none. */
import { expect, test } from 'vitest';
import { captureLog } from '../harness/captured-log.ts';
import { openLedger } from '../harness/ledger.ts';
import { answerJson } from '../harness/upstream.ts';
import { use } from '../harness/use.ts';
import { chat, completion, startTracedGateway } from './traced-gateway.ts';

const traced = use(() =>
  startTracedGateway(({ url }) => ({
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_TIMEOUT: '100',
  })),
);
const ledger = use(openLedger);
const log = use(captureLog);

test('a collector that never answers, and then fails, changes no answer and no sum, and each batch counts once', async () => {
  traced.upstream.script(answerJson(completion));
  traced.receiver.script((response, path) => {
    // It never answers for spans, and refuses metrics.
    if (path === '/v1/metrics') response.writeHead(500).end('down');
    return 'answered';
  });
  for (const _ of [1, 2, 3]) expect((await traced.ask('/v1/chat/completions', chat())).status).toBe(200);
  expect(await ledger.sums('local')).toMatchObject({ requests: 3, promptTokens: 60, completionTokens: 21 });
  const lines = log.lines.map((line) => JSON.parse(line));
  expect(lines.filter(({ message }) => message === 'aggregation failed')).toEqual([]);
  const dropped = lines.filter(({ message }) => message === 'telemetry dropped');
  const countsOf = (name: string) =>
    dropped.filter(({ signal }) => signal === name).map(({ count, reason }) => [count, reason]);
  expect(countsOf('traces')).toEqual([
    [2, 'upstream_timeout'],
    [2, 'resting'],
    [2, 'resting'],
  ]);
  expect(countsOf('metrics').map(([, reason]) => reason)).toEqual(['refused', 'resting', 'resting']);
});
