/** What the lines of a batch have used together. */
import { type LedgerRecord, sumOfAmounts, usageOf } from '../../core/accounting/ledger.ts';
import type { BatchUse } from '../../core/batches.ts';

export const noUse: BatchUse = {
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  cost: 0,
  charge: 0,
};

/** Of one line, by its record. */
export function useOf(record: LedgerRecord): BatchUse {
  const usage = usageOf(record);
  return {
    inputTokens: usage?.promptTokens ?? 0,
    cachedTokens: usage?.cachedTokens ?? 0,
    outputTokens: usage?.completionTokens ?? 0,
    reasoningTokens: usage?.reasoningTokens ?? 0,
    cost: record.cost,
    charge: record.charge,
  };
}

export const addUse = (one: BatchUse, other: BatchUse): BatchUse => ({
  inputTokens: one.inputTokens + other.inputTokens,
  cachedTokens: one.cachedTokens + other.cachedTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  reasoningTokens: one.reasoningTokens + other.reasoningTokens,
  cost: sumOfAmounts([one.cost, other.cost]),
  charge: sumOfAmounts([one.charge, other.charge]),
});
