/**
 * Decides on a request from what is left of its limits: how much output it is granted, or which limit refuses it.
 *
 * A request whose caller set a limit of output gets that, or what is left. Any other gets the default output of its model, or a
 * small share of what is left if that is more: so that many requests at once fit into a budget, also where each is decided on from
 * counts that the others have changed since.
 */
import type { LimitName, Wanted } from '../../core/accounting/limits.ts';
import type { Limits } from '../../core/tenancy.ts';
import { type Counts, limitsSet, type Need, needOf, type Unit } from './counts.ts';

type Decision =
  | { readonly output: number; readonly need: Need; readonly isWhole: boolean }
  | { readonly refusedBy: LimitName; readonly isHeld: boolean; readonly isUsedUp: boolean };

/** How many requests without a limit of their own can at least be admitted at once. */
const sharers = 32;

export function decide(counts: Counts, limits: Limits, wanted: Wanted): Decision {
  const { min, max, expected } = wanted.output;
  const isRunning = limits.concurrentRequests !== undefined;
  const set = limitsSet(limits).map(({ limit, max, counter, unit }) => {
    const left = max - counts[counter];
    return { limit, unit, left, output: outputWithin(wanted, unit, left) };
  });
  const refusing = set.filter(({ output }) => output < min);
  const [first] = refusing;
  if (first) {
    const need = needOf(wanted, min, isRunning);
    const fitsLater = refusing.every(({ unit, left }) =>
      isWithin(need[unit], left + (unit === 'amount' ? counts.held : 0)),
    );
    return { refusedBy: first.limit, isHeld: fitsLater, isUsedUp: isUsedUp(first, counts) };
  }
  const fitting = Math.min(...set.map(({ output }) => output), Number.POSITIVE_INFINITY);
  const asked =
    expected === undefined ? max : Math.min(max, Math.max(expected, Math.floor(fitting / sharers)));
  const output = Math.min(asked, fitting);
  return { output, need: needOf(wanted, output, isRunning), isWhole: output === asked };
}

/** Tokens are estimates until they are settled, and running requests end: neither is used up. */
function isUsedUp({ unit, left }: { readonly unit: Unit; readonly left: number }, { held }: Counts): boolean {
  return unit === 'requests' ? left <= 0 : unit === 'amount' && left + held <= 0;
}

/** What costs nothing fits, even where more is used than a limit allows. */
const isWithin = (need: number, left: number) => need === 0 || need <= left;

/** The most output whose need of a unit is within what is left; -1 if the input alone is not. */
function outputWithin(wanted: Wanted, unit: Unit, left: number): number {
  const fits = (output: number) => isWithin(needOf(wanted, output, true)[unit], left);
  if (!fits(0)) return -1;
  const each = unit === 'amount' || unit === 'tokens' ? wanted.perOutputToken[unit] : 0;
  if (each <= 0) return Number.POSITIVE_INFINITY;
  const fixed = unit === 'amount' ? wanted.fixed.amount : wanted.fixed.tokens;
  const output = Math.floor((left - fixed) / each);
  // A division may be off by one in the last digit.
  return fits(output) ? output : output - 1;
}
