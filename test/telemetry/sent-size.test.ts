/** What spans and metrics of a request add to the traffic: the cost model has the size. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { sentSpan } from '../../cli/cost/sizes.ts';
import { testRecord } from '../harness/ledger.ts';
import { createSending, endOf } from './sending.ts';

const random = (most: number): number => Math.ceil(Math.random() * most);

/** As traffic has them: of equal records, less would be left once they are compressed. */
const someRecord = () =>
  testRecord({
    requestId: crypto.randomUUID(),
    trace: `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`,
    totalMs: random(20_000),
    at: Date.now() - random(100_000),
    finishReasons: ['stop'],
    usage: {
      promptTokens: random(5_000),
      cachedTokens: 0,
      cacheWriteTokens: 0,
      completionTokens: random(2_000),
      reasoningTokens: 0,
    },
  });

test('a request in a batch of a hundred sends about as many bytes as are paid for', async () => {
  let bytes = 0;
  const { send } = createSending(
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' },
    {
      sendForText: ({ body = '' }) => {
        bytes += Buffer.byteLength(body);
        return Promise.resolve({ status: 200, headers: {}, text: '{}' });
      },
    },
  );
  const count = 100;
  await send('shard', endOf(...Array.from({ length: count }, someRecord)));
  expect(bytes / count / sentSpan).toBeGreaterThan(0.8);
  expect(bytes / count / sentSpan).toBeLessThan(1.2);
});
