/** A pattern as the steps of an automaton (Thompson's construction), forwards or backwards. */
import { type Assertion, type Pattern, PatternError, type Ranges } from './syntax.ts';

type Step =
  | { readonly type: 'unit'; readonly set: number; readonly next: number }
  | { readonly type: 'assertion'; readonly assertion: Assertion; readonly next: number }
  | { readonly type: 'split'; readonly next: readonly number[] }
  | { readonly type: 'match' };

export interface Program {
  readonly steps: readonly Step[];
  readonly start: number;
  /** What the units of a step are compared with. */
  readonly sets: readonly Ranges[];
}

/** Repetitions count as often as they are repeated. */
const maxSteps = 2_000;

/** The same of groups, of which an empty one has no step. */
const maxParts = 20_000;

/** @throws PatternError for a pattern with too many steps. */
export function programOf(pattern: Pattern, direction: 'forwards' | 'backwards'): Program {
  const steps: Step[] = [{ type: 'match' }];
  const sets: Ranges[] = [];
  const setOf = new Map<Ranges, number>();
  const add = (step: Step): number => {
    if (steps.length >= maxSteps) throw new PatternError('is too long, or repeats too much');
    steps.push(step);
    return steps.length - 1;
  };
  let left = maxParts;
  const compile = (item: Pattern, next: number): number => {
    left -= 1;
    if (left < 0) throw new PatternError('repeats too much');
    switch (item.type) {
      case 'set': {
        const set = setOf.get(item.ranges) ?? sets.push(item.ranges) - 1;
        setOf.set(item.ranges, set);
        return add({ type: 'unit', set, next });
      }
      case 'assertion':
        return add({ type: 'assertion', assertion: item.assertion, next });
      case 'sequence': {
        // The last one is compiled first: each knows what follows it.
        const items = direction === 'forwards' ? item.items.toReversed() : item.items;
        return items.reduce((after, one) => compile(one, after), next);
      }
      case 'choice':
        return add({ type: 'split', next: item.items.map((one) => compile(one, next)) });
      case 'repeat':
        return repeat(item, next);
    }
  };
  const repeat = (
    { item, min, max }: Extract<Pattern, { readonly type: 'repeat' }>,
    next: number,
  ): number => {
    let after = next;
    if (max === Number.POSITIVE_INFINITY) {
      const again: number[] = [next];
      after = add({ type: 'split', next: again });
      again.push(compile(item, after));
    } else {
      for (let more = max - min; more > 0; more -= 1)
        after = add({ type: 'split', next: [next, compile(item, after)] });
    }
    for (let must = min; must > 0; must -= 1) after = compile(item, after);
    return after;
  };
  const start = compile(pattern, 0);
  return { steps, start, sets };
}
