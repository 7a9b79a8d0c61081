/** The aggregator of hosts without Lambda, as a process: it sends spans and metrics of what the stream brings. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tables } from '../../lib/core/tables.ts';
import { spawnServer } from '../harness/gateways/served-gateway.ts';
import { openLedger, testRecord } from '../harness/ledger.ts';
import { attributesByName, startReceiver } from '../harness/otlp/receiver.ts';
import { startStreamsEngine } from '../harness/streams-engine.ts';

test('a record that ends is sent, and the process ends when it is asked to', async () => {
  const engine = await startStreamsEngine();
  onTestFinished(() => engine.close());
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const aggregator = spawnServer(join(import.meta.dirname, '../../server/aggregate.ts'), {
    ...Object.fromEntries(Object.entries(tables).map(([name, row]) => [row.environmentVariable, name])),
    DYNAMODB_ENDPOINT: engine.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    PORT: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_SERVICE_NAME: 'served',
  });
  onTestFinished(() => void aggregator.child.kill('SIGKILL'));
  await aggregator.line('stream followed');
  const ledger = openLedger(engine.endpoint);
  onTestFinished(() => ledger.close());
  await ledger.write(testRecord());
  await expect.poll(() => receiver.bodies.length, { timeout: 60_000 }).toBe(2);
  expect(receiver.problems).toEqual([]);
  expect(receiver.spans.map(({ name }) => name)).toEqual(['POST /v1/chat/completions', 'chat acme/one']);
  expect(attributesByName(receiver.bodies[0]?.resource ?? [])).toMatchObject({ 'service.name': 'served' });
  aggregator.signal('SIGTERM');
  expect(await aggregator.ended).toBe(0);
});
