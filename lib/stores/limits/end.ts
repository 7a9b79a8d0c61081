/** The end of a request at its pool, as the process reports it, and a change of what a hold counts. */
import type { Hold } from '../../core/accounting/limits.ts';
import type { UpdateFields } from '../dynamodb/update-expression.ts';
import { type Counts, none } from './counts.ts';
import { minuteOf } from './periods.ts';
import { maxTries, type PoolAccess } from './pool/pool.ts';
import { addition } from './pool/pool-change.ts';
import { differenceIn, type QuotaPool, turnOf } from './pool/pool-item.ts';

interface HoldChange {
  readonly requests: number;
  readonly tokens: number;
  readonly amount: number;
  /** How many holds are no longer held: one or none. */
  readonly released: 0 | 1;
  /** Whether the ledger says so. */
  readonly isRecorded: boolean;
}

/** What a change of a hold adds to the counts, where their periods are still those of the hold. */
export const differenceOf = (
  { isPrepaid, amount: held, running }: Hold,
  { requests, tokens, amount, released, isRecorded }: HoldChange,
): Counts => ({
  ...none,
  requests,
  tokens,
  dayCommitted: amount,
  held: -released * held,
  heldNoCredit: isPrepaid ? 0 : -released * held,
  heldRunning: -released * running,
  releases: isRecorded ? released : 0,
  weekCommitted: amount,
  committed: amount,
  totalCommitted: amount,
  usedCredit: isPrepaid ? amount : 0,
});

/** Undoes an admission. */
export async function cancelAt(pool: PoolAccess, hold: Hold): Promise<void> {
  const { tokens, amount, isFurther } = hold;
  await releaseAt(pool, hold, { requests: isFurther ? 0 : -1, tokens: -tokens, amount: -amount });
}

/** The end of a request that counts as one and costs nothing. The ledger does not know of it. */
export async function endUnrecordedAt(pool: PoolAccess, hold: Hold): Promise<void> {
  await releaseAt(pool, hold, { requests: 0, tokens: 0, amount: 0 });
}

/** Releases what no record will release. */
async function releaseAt(
  pool: PoolAccess,
  hold: Hold,
  change: Pick<HoldChange, 'requests' | 'tokens' | 'amount'>,
): Promise<void> {
  const all = differenceOf(hold, { ...change, released: 1, isRecorded: false });
  await changeAt(pool, (seen) => {
    const turn = turnOf(seen, Math.min(hold.minute, minuteOf(pool.now())));
    const more = { ...differenceIn(turn, hold, all), running: -Math.min(hold.running, turn.counts.running) };
    return addition(seen, turn, more);
  });
}

/** Counts the end of a running request. Never below zero: an end that was taken for lost may be reported late. */
export async function endAt(pool: PoolAccess): Promise<void> {
  await pool.update({
    add: [
      ['running', -1],
      ['ended', 1],
    ],
    where: [{ path: ['running'], is: '>=', value: 1 }],
  });
}

/** Undefined if there is nothing to change. */
export async function changeAt(
  pool: PoolAccess,
  changeOf: (seen: QuotaPool | undefined) => UpdateFields | undefined,
): Promise<QuotaPool | undefined> {
  let seen = pool.seen() ?? (await pool.read());
  for (let tries = 0; tries < maxTries; tries += 1) {
    const change = changeOf(seen);
    if (!change) return undefined;
    const written = await pool.update(change);
    if (written) return written;
    seen = await pool.read();
  }
  throw new Error('Too many writes to the limits of one scope at once.');
}
