/** What changes at a bank after an admission: it is cancelled, its request ends, and the ledger settles what it held. */

import type { StreamBatch } from '../../core/accounting/changes.ts';
import type { Hold, SettledScope, Settlement } from '../../core/accounting/limits.ts';
import type { UpdateFields } from '../dynamodb/update-expression.ts';
import { hasSeen, isAfter, watermarkOf } from '../dynamodb/watermark.ts';
import { type BankAccess, maxTries } from './bank.ts';
import { addition } from './bank-change.ts';
import { type Bank, differenceIn, sumOf, turnOf } from './bank-item.ts';
import { type Counts, toLimitUsage } from './counts.ts';

/** What a change of a hold adds to the counts, where their periods are still those of the hold. */
const differenceOf = (
  { isPrepaid }: Hold,
  {
    requests,
    tokens,
    amount,
    released,
  }: { requests: number; tokens: number; amount: number; released: number },
): Counts => ({
  requests,
  tokens,
  dayCommitted: amount,
  held: -released,
  weekCommitted: amount,
  committed: amount,
  totalCommitted: amount,
  usedCredit: isPrepaid ? amount : 0,
  running: 0,
});

/** Undoes an admission. */
export async function cancelAt(bank: BankAccess, hold: Hold): Promise<void> {
  const { tokens, amount, running, isFurther } = hold;
  const all = differenceOf(hold, {
    requests: isFurther ? 0 : -1,
    tokens: -tokens,
    amount: -amount,
    released: amount,
  });
  await changeAt(bank, (seen) => {
    const turn = turnOf(seen, hold.minute);
    const more = { ...differenceIn(turn.to, hold, all), running: -Math.min(running, turn.counts.running) };
    return addition(seen, turn, more);
  });
}

/** Counts the end of a running request. Never below zero: an end that was taken for lost may be reported late. */
export async function endAt(bank: BankAccess): Promise<void> {
  await bank.update({
    add: [
      ['running', -1],
      ['ended', 1],
    ],
    where: [{ path: ['running'], is: '>=', value: 1 }],
  });
}

export async function settleAt(
  bank: BankAccess,
  batch: StreamBatch,
  settlements: readonly Settlement[],
): Promise<SettledScope | undefined> {
  const [{ hold } = {}] = settlements;
  if (!hold) return undefined;
  const inOrder = settlements.toSorted((one, other) => (isAfter(one.sequence, other.sequence) ? 1 : -1));
  const settled = await changeAt(bank, (seen) => {
    const unseen = inOrder.filter(({ sequence }) => !hasSeen(seen?.stored, batch, sequence));
    return unseen.length === 0 ? undefined : settlementOf(seen, batch, unseen);
  });
  if (!settled) return undefined;
  const { kind, id } = hold;
  return { scope: { kind, id }, usage: toLimitUsage(settled, settled.minute), limits: settled.limits };
}

function settlementOf(
  seen: Bank | undefined,
  batch: StreamBatch,
  settlements: readonly Settlement[],
): UpdateFields {
  const turn = turnOf(seen, Math.max(...settlements.map(({ hold }) => hold.minute)));
  const more = sumOf(
    settlements.map(({ hold, tokens, amount, isEnd }) => {
      const released = isEnd ? hold.amount : 0;
      return differenceIn(turn.to, hold, differenceOf(hold, { requests: 0, tokens, amount, released }));
    }),
  );
  const first = settlements[0]?.sequence ?? '';
  const last = settlements.at(-1)?.sequence ?? '';
  const watermark = watermarkOf(batch, { first, last });
  const { set, add, where } = addition(seen, turn, more);
  const ended = settlements.filter(({ hold, isEnd }) => isEnd && hold.running === 1).length;
  const minute = Math.floor(batch.now / 60_000);
  const begins = ended > 0 && minute > (seen?.settledMinute ?? 0);
  return {
    set: [
      ...set,
      watermark.set,
      ...(begins
        ? [[['settledMinute'], minute] as const, [['settledBefore'], seen?.settled ?? 0] as const]
        : []),
    ],
    add: [...add, ['settled', ended]],
    where: [...where, watermark.where],
  };
}

/** Undefined if there is nothing to change. */
export async function changeAt(
  bank: BankAccess,
  changeOf: (seen: Bank | undefined) => UpdateFields | undefined,
): Promise<Bank | undefined> {
  let seen = bank.seen() ?? (await bank.read());
  for (let tries = 0; tries < maxTries; tries += 1) {
    const change = changeOf(seen);
    if (!change) return undefined;
    const written = await bank.update(change);
    if (written) return written;
    seen = await bank.read();
  }
  throw new Error('Too many writes to the limits of one scope at once.');
}
