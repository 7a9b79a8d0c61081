/** The arithmetic of a charge comes to that charge, or is not shown. */
import { expect, test } from 'vitest';
import { chargeLines } from '../../lib/metering/cost/charge-lines.ts';
import { testRecord } from '../harness/ledger.ts';

const usage = {
  promptTokens: 100,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  completionTokens: 0,
  reasoningTokens: 0,
};
const price = { input: 10, output: 20, cachedInput: null, cacheWrite: null };
const [attempt] = testRecord().attempts;

test('terms that were changed for a time before do not explain what was charged then', () => {
  if (!attempt) throw new Error('A record has an attempt.');
  const charged = { ...attempt, usage, cost: 1_000, charge: 1_200 };
  const linesAt = (markup: number) => chargeLines(charged, price, [{ from: 0, markup }], attempt.at);
  expect(linesAt(2_000)).toMatchObject([{ what: 'input', amount: '0.0000012' }]);
  expect(linesAt(5_000)).toBeNull();
});
