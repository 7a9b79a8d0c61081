/** A gateway without an endpoint for spans: requests, records and calls of providers are as if there were none. */
import { expect, test } from 'vitest';
import { openLedger } from '../harness/ledger.ts';
import { answerJson } from '../harness/upstream.ts';
import { use } from '../harness/use.ts';
import { chat, completion, startTracedGateway } from './traced-gateway.ts';

const gateway = use(() =>
  startTracedGateway(() => ({
    OTEL_SERVICE_NAME: 'alone',
    OTEL_EXPORTER_OTLP_ENDPOINT: '',
    GATEWAY_TRACE_PROVIDERS: 'all',
  })),
);
const ledger = use(openLedger);

test('the record has nothing for spans, providers get no trace, and nothing is sent', async () => {
  gateway.upstream.script(answerJson(completion));
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const response = await gateway.ask('/v1/chat/completions', chat(), { traceparent, tracestate: 'a=1' });
  expect(response.status).toBe(200);
  const [record] = await ledger.recordsOf('local');
  expect(record).toMatchObject({ status: 200, operation: 'chat-completions' });
  for (const name of ['finishReasons', 'trace', 'traceState']) expect(record).not.toHaveProperty(name);
  const [request] = gateway.upstream.requests;
  for (const name of ['traceparent', 'tracestate']) expect(request?.headers).not.toHaveProperty(name);
  expect(gateway.receiver.requests()).toBe(0);
});
