/** What changes of the ledger settle in limits: the difference between what is held for a request and what it came to. */
import type { LedgerChange } from '../../core/accounting/journal.ts';
import { type LedgerRecord, listCostOf, sumOfAmounts, usageOf } from '../../core/accounting/ledger.ts';
import type { Amounts, Hold, Settlement } from '../../core/accounting/limits.ts';
import { totalTokens } from '../../core/generation/usage.ts';

interface TenantSettlement extends Settlement {
  /** The tenant of the request. */
  readonly tenant: string;
}

/**
 * Each hold is settled with the final record of its request. A record that changes after that, because it got another cost or
 * because its request had only seemed interrupted, settles the difference. `before` and `after` have the same first holds: a
 * request adds holds and never replaces them.
 *
 * What is held for a job of a batch is one reservation of all of its lines. The record of each settles its own part of it, and that of
 * the first line, which is the last one, what remains: then nothing is held any more.
 */
export function settlementsOf(changes: readonly LedgerChange[]): readonly TenantSettlement[] {
  return changes.flatMap(({ sequence, before, after }) => {
    if (after?.state !== 'done') return [];
    const { record } = after;
    const { tenant, holds = [] } = record;
    const old = before?.state === 'done' ? before.record : undefined;
    const settled = old?.holds?.length ?? 0;
    return holds.flatMap((hold, index): readonly TenantSettlement[] => {
      const isNew = index >= settled;
      const isEnd = isNew && !hold.isPart;
      const counted = old && !isNew ? partOf(old, index) : hold;
      const actual = partOf(record, index);
      const tokens = actual.tokens - counted.tokens;
      const amount = actual.amount - counted.amount;
      if (!isEnd && tokens === 0 && amount === 0) return [];
      return [{ hold, tokens, amount, isEnd, sequence, tenant }];
    });
  });
}

/** What counts for one hold: the first one of its scope has what the whole request came to. */
function partOf(record: LedgerRecord, index: number): Amounts {
  const { holds = [] } = record;
  const hold = holds[index];
  const ofScope = holds.filter((other) => hold && isSameScope(other, hold));
  if (!hold || ofScope[0] !== hold) return { tokens: 0, amount: 0 };
  const { tokens, amount } = actualUse(record, ofScope);
  const { isPart, inParts } = hold;
  if (!isPart && inParts === undefined) return { tokens, amount };
  // Lines of a batch do not count as tokens of a minute.
  return { tokens: 0, amount: amount + (inParts ?? 0) };
}

const isSameScope = (one: Hold, other: Hold) => one.kind === other.kind && one.id === other.id;

/** What is not known, or may be more than estimated, counts as what was held for it. */
function actualUse(record: LedgerRecord, holds: readonly Hold[]): Amounts {
  const usage = usageOf(record);
  // Not the first one, if something was reserved before it was known what is called.
  const withOwnKeys = holds.some(({ includesOwnKeys }) => includesOwnKeys);
  const amounts = [record.charge, withOwnKeys ? listCostOf(record.attempts) : 0];
  const amount = sumOfAmounts(amounts);
  const known = {
    tokens: usage ? totalTokens(usage) : 0,
    amount: amount ?? knownAmount(record, withOwnKeys),
  };
  if (amount !== null && !record.attempts.some(({ isFloor }) => isFloor)) return known;
  const inParts = holds.reduce((sum, hold) => sum + (hold.inParts ?? 0), 0);
  const held = { tokens: sumOf(holds, 'tokens'), amount: sumOf(holds, 'amount') - inParts };
  return { tokens: Math.max(known.tokens, held.tokens), amount: Math.max(known.amount, held.amount) };
}

const knownAmount = ({ attempts }: LedgerRecord, withOwnKeys: boolean) =>
  attempts.reduce(
    (sum, { charge, listCost }) => sum + (charge ?? 0) + (withOwnKeys ? (listCost ?? 0) : 0),
    0,
  );

const sumOf = (holds: readonly Hold[], name: keyof Amounts) =>
  holds.reduce((sum, hold) => sum + hold[name], 0);
