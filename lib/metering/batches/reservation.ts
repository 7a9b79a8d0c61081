/** Reserves what the lines of a job may be charged: the same in every scope, for all of its lines or the first ones that fit. */
import type { Hold, LimitStore } from '../../core/accounting/limits.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { Limited } from '../limits/limited.ts';
import { refusalOf } from '../limits/limits-refusal.ts';

export interface ReservationParts {
  readonly limits: Pick<LimitStore, 'reserve' | 'cancel'>;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** A random id with this prefix. */
  readonly newId: (prefix: string) => string;
}

interface Reservation {
  readonly holds: readonly Hold[];
  /** So many of the lines, the first ones, are reserved for. */
  readonly lines: number;
}

/** Each time, what is left has changed since it was found. */
const maxTries = 5;

/** `amounts`: of each line, in nano-dollars. Rejects with GatewayError if fewer than `atLeast` lines fit. */
export async function reserveLines(
  parts: ReservationParts,
  limited: readonly Limited[],
  amounts: readonly number[],
  atLeast: number,
): Promise<Reservation> {
  const least = sumOf(amounts.slice(0, atLeast));
  let lines = amounts.length;
  // What costs nothing needs nothing, however much is used.
  if (sumOf(amounts) === 0) return { holds: [], lines };
  for (let tries = 0; tries < maxTries; tries += 1) {
    const wanted = sumOf(amounts.slice(0, lines));
    const held = await holdAll(parts, limited, { least, wanted });
    if (held.granted === wanted) return { holds: held.holds, lines };
    // What is held is exactly what the lines may come to.
    await cancelAll(parts, held.holds);
    lines = linesWithin(amounts, held.granted);
  }
  throw new GatewayError('rate_limited', 'Too many simultaneous requests for the limits of this caller.');
}

/** How many of the lines, the first ones, an amount is enough for. */
export function linesWithin(amounts: readonly number[], amount: number): number {
  let sum = 0;
  const tooMany = amounts.findIndex((one) => {
    sum += one;
    return sum > amount;
  });
  return tooMany < 0 ? amounts.length : tooMany;
}

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

interface Wanted {
  readonly least: number;
  readonly wanted: number;
}

/** What the last scope grants, and what is held for it: where a scope has less than those before it, they hold more. */
async function holdAll(
  parts: ReservationParts,
  limited: readonly Limited[],
  { least, wanted }: Wanted,
): Promise<{ readonly holds: readonly Hold[]; readonly granted: number }> {
  const holds: Hold[] = [];
  let granted = wanted;
  try {
    for (const one of limited) {
      const hold = await holdAt(parts, one, { least, wanted: granted });
      holds.push(hold);
      granted = hold.amount;
    }
  } catch (error) {
    await cancelAll(parts, holds);
    throw error;
  }
  return { holds, granted };
}

async function holdAt(
  { limits: store, now, newId }: ReservationParts,
  { scope, limits }: Limited,
  { least, wanted }: Wanted,
): Promise<Hold> {
  // Each nano-dollar is one that the scope may grant or not, as it does with tokens of output.
  const output = { min: least, max: wanted };
  const admission = await store
    .reserve(scope, limits, {
      id: newId(''),
      at: now(),
      isFurther: true,
      fixed: { tokens: 0, amount: 0 },
      perOutputToken: { tokens: 0, amount: 1 },
      output,
    })
    .catch((cause) => {
      throw new GatewayError(
        'limits_unavailable',
        'The limits of this caller cannot be checked at the moment. Try again soon.',
        { cause },
      );
    });
  const { hold, refusedBy = 'contention', isHeld, usage } = admission;
  if (hold) return { ...hold, inParts: 0 };
  throw refusalOf({
    kind: scope.kind,
    limits,
    refusedBy,
    usage,
    output: { min: 0, max: 0 },
    now: now(),
    ...(isHeld && { isHeld }),
  });
}

/** What cannot be cancelled counts until it is found to be leaked. */
async function cancelAll({ limits }: ReservationParts, holds: readonly Hold[]): Promise<void> {
  await Promise.all(holds.map((hold) => limits.cancel(hold).catch(() => {})));
}
