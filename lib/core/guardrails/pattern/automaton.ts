/**
 * Finds a pattern in a text, in a time that depends on the length of the text alone. Backwards over the text, an automaton marks where
 * matches begin; from each mark, another one goes forwards to the end of the longest. Their states are made when they are needed.
 */
import { type Program, programOf } from './program.ts';
import { type Assertion, type Pattern, PatternError } from './syntax.ts';

/** What stands beside a position: the edge of the text, a character of a word, the end of a line, or something else. */
const edge = 0;
const inWord = 1;
const lineEnd = 2;
const other = 3;
type Kind = typeof edge | typeof inWord | typeof lineEnd | typeof other;

/** The longest match, in code units. */
const maxMatch = 1_000;

/** The steps of all states, of which a pattern may have as many as texts have parts: more are forgotten, and made again. */
const maxSize = 100_000;

/** After so many characters there is a pause. Each may cost as much as its pattern is long. */
const charactersOfTurn = 64;

const holds: Readonly<Record<Assertion, (left: Kind, right: Kind) => boolean>> = {
  lineStart: (left) => left === edge || left === lineEnd,
  lineEnd: (_left, right) => right === edge || right === lineEnd,
  boundary: (left, right) => (left === inWord) !== (right === inWord),
  noBoundary: (left, right) => (left === inWord) === (right === inWord),
};

function kindOf(unit: number): Kind {
  if (unit === 10) return lineEnd;
  const isWord =
    (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || unit === 95 || (unit >= 97 && unit <= 122);
  return isWord ? inWord : other;
}

/** Units that every transition treats alike are one class. */
interface Classes {
  readonly count: number;
  of(unit: number): number;
  /** A unit of the class. */
  readonly samples: readonly number[];
}

function classesOf({ sets }: Program): Classes {
  const words = [48, 58, 65, 91, 95, 96, 97, 123, 10, 11];
  const starts = new Set([0, ...words, ...sets.flat().flatMap(([first, last]) => [first, last + 1])]);
  const samples = [...starts].filter((start) => start <= 0xffff).toSorted((one, next) => one - next);
  const search = (unit: number): number => {
    let low = 0;
    let high = samples.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((samples[middle] ?? 0) <= unit) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const latin = Uint16Array.from({ length: 256 }, (_, unit) => search(unit));
  return { count: samples.length, samples, of: (unit) => latin[unit] ?? search(unit) };
}

interface State {
  /** The steps that it is at, before what costs no unit. */
  readonly at: readonly number[];
  /** Of the unit that was read last. */
  readonly read: Kind;
  /** By the class of the next unit; the last one is the edge of the text. */
  readonly next: (State | undefined)[];
  /** Whether a match ends before that unit. */
  readonly ends: boolean[];
}

function createMachine(program: Program, isBackwards: boolean) {
  const { steps, start, sets } = program;
  const classes = classesOf(program);
  const known = new Map<string, State>();
  let size = 0;
  const stateOf = (at: readonly number[], read: Kind): State => {
    const key = `${read} ${at.join(' ')}`;
    const found = known.get(key);
    if (found) return found;
    if (size > maxSize) known.clear();
    size = (known.size > 0 ? size : 0) + at.length + classes.count;
    const state: State = { at, read, next: [], ends: [] };
    known.set(key, state);
    return state;
  };
  const isIn = (set: number, unit: number) =>
    sets[set]?.some(([first, last]) => unit >= first && unit <= last) ?? false;
  /** The steps that are reached without a unit. */
  const reached = (at: readonly number[], read: Kind, coming: Kind): ReadonlySet<number> => {
    const seen = new Set<number>();
    const waiting = [...at];
    const [left, right] = isBackwards ? [coming, read] : [read, coming];
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      if (seen.has(index)) continue;
      seen.add(index);
      const step = steps[index];
      if (step?.type === 'split') waiting.push(...step.next);
      if (step?.type === 'assertion' && holds[step.assertion](left, right)) waiting.push(step.next);
    }
    return seen;
  };
  const grow = (state: State, group: number): void => {
    const unit = classes.samples[group];
    const coming = unit === undefined ? edge : kindOf(unit);
    const now = reached(state.at, state.read, coming);
    const after: number[] = [];
    for (const index of now) {
      const step = steps[index];
      if (step?.type === 'unit' && unit !== undefined && isIn(step.set, unit)) after.push(step.next);
    }
    // Backwards, a match may end at every position.
    if (isBackwards) after.push(start);
    state.ends[group] = now.has(0);
    state.next[group] = stateOf(
      [...new Set(after)].toSorted((one, next) => one - next),
      coming,
    );
  };
  return {
    edge: classes.count,
    classOf: classes.of,
    begin: (read: Kind) => stateOf([start], read),
    next(state: State, group: number): State {
      if (!state.next[group]) grow(state, group);
      return state.next[group] as State;
    },
    /** Whether a match ends before a unit of the class. */
    endsAt(state: State, group: number): boolean {
      if (state.ends[group] === undefined) grow(state, group);
      return state.ends[group] as boolean;
    },
    isEmpty: () =>
      [edge, inWord, lineEnd, other].some((read) =>
        [edge, inWord, lineEnd, other].some((coming) =>
          reached([start], read as Kind, coming as Kind).has(0),
        ),
      ),
  };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

interface Automaton {
  /** The matches that begin in a part of the text, the longest of each position, none within another. Yields where it may pause. */
  find(text: string, from: number, to: number): Generator<void, readonly Range[]>;
}

/** @throws PatternError for a pattern that is too long, or that matches an empty text. */
export function automatonOf(pattern: Pattern): Automaton {
  const forwards = createMachine(programOf(pattern, 'forwards'), false);
  const backwards = createMachine(programOf(pattern, 'backwards'), true);
  if (forwards.isEmpty()) throw new PatternError('matches an empty text');
  const groupAt = ({ classOf, edge: outside }: typeof forwards, text: string, at: number) =>
    at < 0 || at >= text.length ? outside : classOf(text.charCodeAt(at));
  const kindAt = (text: string, at: number): Kind =>
    at < 0 || at >= text.length ? edge : kindOf(text.charCodeAt(at));

  /** Notes where matches begin, from `at` down to `until`; the state there. */
  const mark = (begun: State, text: string, at: number, until: number, note: (at: number) => void): State => {
    let state = begun;
    for (let position = at; position >= until; position -= 1) {
      const group = groupAt(backwards, text, position - 1);
      if (backwards.endsAt(state, group)) note(position);
      state = backwards.next(state, group);
    }
    return state;
  };
  /** Whether a match begins, for each position from `from`. */
  function* marks(text: string, from: number, to: number): Generator<void, Uint8Array> {
    const last = Math.min(text.length, to + maxMatch);
    const begins = new Uint8Array(to - from);
    const note = (at: number) => {
      if (at < to) begins[at - from] = 1;
    };
    let state = backwards.begin(kindAt(text, last));
    for (let at = last; at >= from; at -= charactersOfTurn) {
      state = mark(state, text, at, Math.max(from, at - charactersOfTurn + 1), note);
      yield;
    }
    return begins;
  }
  /** The end of the longest match; undefined where it is longer than matches may be. */
  function* endOf(text: string, start: number): Generator<void, number | undefined> {
    let end: number | undefined;
    let state = forwards.begin(kindAt(text, start - 1));
    for (let at = start; at <= text.length && at - start <= maxMatch && state.at.length > 0; at += 1) {
      const group = groupAt(forwards, text, at);
      if (forwards.endsAt(state, group)) end = at;
      state = forwards.next(state, group);
      if (at % charactersOfTurn === 0) yield;
    }
    return end;
  }
  return {
    *find(text, from, to) {
      const found: Range[] = [];
      const begins = yield* marks(text, from, Math.min(to, text.length));
      for (let index = begins.indexOf(1); index >= 0; index = begins.indexOf(1, index)) {
        const start = from + index;
        const end = yield* endOf(text, start);
        if (end !== undefined) found.push({ start, end });
        index += Math.max(1, (end ?? start) - start);
      }
      return found;
    },
  };
}
