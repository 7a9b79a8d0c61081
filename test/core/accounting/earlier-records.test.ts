/** Records of earlier versions: what was not known of their cost is still not known. */
import { expect, test } from 'vitest';
import { readLedgerRecord } from '../../../lib/core/accounting/ledger-record.ts';
import { costOfAttempt } from '../../../lib/metering/cost/bill.ts';

const counts = {
  promptTokens: 9,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  completionTokens: 4,
  reasoningTokens: 0,
};

const earlier = (more: object) => ({
  requestId: 'old',
  at: 1_000,
  tenant: 'acme',
  key: 'key_1',
  operation: 'chat-completions',
  requestedModel: 'acme/one',
  model: 'acme/one',
  provider: 'acme',
  region: 'global',
  attempts: 1,
  status: 200,
  streamed: false,
  usage: { ...counts, ...more },
  priceFrom: 0,
  cost: null,
  totalMs: 5,
  normalizations: 0,
});

const price = { input: 1, output: 1, cachedInput: null, cacheWrite: null };

test.each([
  ['of a service tier without a price', { otherTierTokens: 13 }, null],
  ['of a tool without a price', { hostedCalls: 2 }, null],
  ['of tokens alone', {}, 13],
])('a record %s', (_, more, cost) => {
  const [attempt] = readLedgerRecord(earlier(more))?.attempts ?? [];
  if (!attempt) throw new Error('Not read');
  expect(costOfAttempt(attempt, { from: 0, price })).toBe(cost);
});
