/**
 * The syntax of patterns: regular expressions without what takes more than linear time or a memory of what was found. What is read
 * is matched by an automaton (`automaton.ts`), so that no pattern can hold up a process.
 */

/** Sorted, and apart: the first and the last code unit of each range. */
export type Ranges = readonly (readonly [first: number, last: number])[];

export type Assertion = 'lineStart' | 'lineEnd' | 'boundary' | 'noBoundary';

export type Pattern =
  | { readonly type: 'set'; readonly ranges: Ranges }
  | { readonly type: 'assertion'; readonly assertion: Assertion }
  | { readonly type: 'sequence'; readonly items: readonly Pattern[] }
  | { readonly type: 'choice'; readonly items: readonly Pattern[] }
  | { readonly type: 'repeat'; readonly item: Pattern; readonly min: number; readonly max: number };

/** Why a text is no pattern. */
export class PatternError extends Error {}

const lastUnit = 0xffff;
const maxRepeat = 1_000;

const unit = (character: string): number => character.charCodeAt(0);
const range = (first: string, last: string) => [unit(first), unit(last)] as const;

const digits: Ranges = [range('0', '9')];
const wordUnits: Ranges = [range('0', '9'), range('A', 'Z'), range('_', '_'), range('a', 'z')];
const spaces: Ranges = [
  [9, 13],
  [32, 32],
  [0xa0, 0xa0],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const newline: Ranges = [[10, 10]];

/** Sorted and joined. */
function joined(ranges: Ranges): Ranges {
  const result: [number, number][] = [];
  for (const [first, last] of ranges.toSorted(([one], [other]) => one - other)) {
    const before = result.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else result.push([first, last]);
  }
  return result;
}

function without(ranges: Ranges): Ranges {
  const result: [number, number][] = [];
  let next = 0;
  for (const [first, last] of joined(ranges)) {
    if (first > next) result.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= lastUnit) result.push([next, lastUnit]);
  return result;
}

const named: Readonly<Record<string, Ranges>> = {
  d: digits,
  D: without(digits),
  w: wordUnits,
  W: without(wordUnits),
  s: spaces,
  S: without(spaces),
};

const controls: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, 0: 0 };
const assertions: Readonly<Record<string, Assertion>> = { b: 'boundary', B: 'noBoundary' };

/** With both cases of each letter. Of longer ranges only the letters of English. */
function inAnyCase(ranges: Ranges): Ranges {
  const others = ranges.flatMap(([first, last]) => {
    const [from, to] = last - first > 512 ? [unit('A'), unit('z')] : [first, last];
    const units = Array.from({ length: to - from + 1 }, (_, index) => String.fromCharCode(from + index));
    return units
      .filter((one) => unit(one) >= first && unit(one) <= last)
      .flatMap((one) => [one.toLowerCase(), one.toUpperCase()])
      .filter((one) => one.length === 1)
      .map((one) => range(one, one));
  });
  return joined([...ranges, ...others]);
}

/**
 * @throws PatternError for what is no pattern. `(?i)` at the beginning: in any case. Lines end at `\n`, and `.` is any character of a
 * line.
 */
export function readPattern(source: string): Pattern {
  const ignoresCase = source.startsWith('(?i)');
  const text = ignoresCase ? source.slice(4) : source;
  let at = 0;
  const set = (ranges: Ranges): Pattern => ({
    type: 'set',
    ranges: ignoresCase ? inAnyCase(ranges) : joined(ranges),
  });
  const refuse = (problem: string): never => {
    throw new PatternError(problem);
  };

  function choice(): Pattern {
    const items = [sequence()];
    while (text[at] === '|') {
      at += 1;
      items.push(sequence());
    }
    return items.length === 1 && items[0] ? items[0] : { type: 'choice', items };
  }

  function sequence(): Pattern {
    const items: Pattern[] = [];
    while (at < text.length && text[at] !== '|' && text[at] !== ')') items.push(repeated(one()));
    return { type: 'sequence', items };
  }

  function repeated(item: Pattern): Pattern {
    const [found, symbol, min, comma, max] =
      /^(?:([*+?])|\{(\d{1,6})(?:(,)(\d{0,6}))?\})/.exec(text.slice(at, at + 16)) ?? [];
    if (found === undefined) {
      if (/^\{\d{7}/.test(text.slice(at, at + 8))) refuse(`repeats more than ${maxRepeat} times`);
      return item;
    }
    at += found.length;
    // Which match is preferred makes no difference: the longest is taken.
    if (text[at] === '?') at += 1;
    if (/^[*+?]/.test(text[at] ?? '')) refuse('has a quantifier after a quantifier');
    if (item.type === 'assertion') refuse('repeats an assertion');
    if (symbol !== undefined)
      return {
        type: 'repeat',
        item,
        min: symbol === '+' ? 1 : 0,
        max: symbol === '?' ? 1 : Number.POSITIVE_INFINITY,
      };
    const low = Number(min);
    const high = comma === undefined ? low : max === '' ? Number.POSITIVE_INFINITY : Number(max);
    if (low > maxRepeat || (Number.isFinite(high) && high > maxRepeat))
      refuse(`repeats more than ${maxRepeat} times`);
    if (low > high) refuse('has a quantifier whose bounds are the wrong way round');
    return { type: 'repeat', item, min: low, max: high };
  }

  function one(): Pattern {
    const character = text[at] ?? '';
    at += 1;
    if (character === '(') return group();
    if (character === '[') return set(members());
    if (character === '.') return { type: 'set', ranges: without(newline) };
    if (character === '^') return { type: 'assertion', assertion: 'lineStart' };
    if (character === '$') return { type: 'assertion', assertion: 'lineEnd' };
    if (character === '\\') return escaping();
    if (/[*+?]/.test(character)) refuse(`has '${character}' with nothing before it`);
    return set([range(character, character)]);
  }

  function group(): Pattern {
    const [head] = /^\?(?::|<[A-Za-z]\w{0,31}>)/.exec(text.slice(at, at + 40)) ?? [''];
    if (head === '' && text[at] === '?')
      refuse('has a lookahead, a lookbehind or a flag: these are not supported');
    at += head.length;
    const inner = choice();
    if (text[at] !== ')') refuse("has a '(' without its ')'");
    at += 1;
    return inner;
  }

  function escaping(): Pattern {
    const character = text[at] ?? '';
    const assertion = assertions[character];
    if (assertion) {
      at += 1;
      return { type: 'assertion', assertion };
    }
    return set(escaped());
  }

  function escaped(): Ranges {
    const character = text[at] ?? refuse("ends with '\\'");
    at += 1;
    if (/[1-9k]/.test(character)) refuse('has a backreference: these are not supported');
    if (/[pP]/.test(character)) refuse('has a class of Unicode properties: these are not supported');
    const known = Object.hasOwn(named, character) ? named[character] : undefined;
    if (known) return known;
    const control = Object.hasOwn(controls, character) ? controls[character] : undefined;
    if (control !== undefined) return [[control, control]];
    const [hex, first, second] = /^(?:x([\da-f]{2})|u([\da-f]{4}))/i.exec(text.slice(at - 1, at + 4)) ?? [];
    if (hex !== undefined) {
      at += hex.length - 1;
      const code = Number.parseInt(first ?? second ?? '', 16);
      return [[code, code]];
    }
    if (/[A-Za-z0-9]/.test(character)) refuse(`has the unknown escape '\\${character}'`);
    return [range(character, character)];
  }

  function members(): Ranges {
    const isNegated = text[at] === '^';
    if (isNegated) at += 1;
    const ranges: (readonly [number, number])[] = [];
    while (text[at] !== ']') {
      if (at >= text.length) refuse("has a '[' without its ']'");
      const first = member();
      const isRange = text[at] === '-' && text[at + 1] !== ']' && at + 1 < text.length;
      if (!isRange) {
        ranges.push(...first);
        continue;
      }
      at += 1;
      const last = member();
      const [low, high] = [first[0], last[0]];
      if (
        first.length !== 1 ||
        last.length !== 1 ||
        !low ||
        !high ||
        low[0] !== low[1] ||
        high[0] !== high[1]
      )
        return refuse('has a range of classes');
      if (low[0] > high[0]) refuse('has a range whose ends are the wrong way round');
      ranges.push([low[0], high[0]]);
    }
    at += 1;
    if (ranges.length === 0) refuse('has an empty class');
    return isNegated ? without(ignoresCase ? inAnyCase(ranges) : ranges) : ranges;
  }

  function member(): Ranges {
    const character = text[at] ?? refuse("has a '[' without its ']'");
    at += 1;
    // Two code units: what takes one of them would cut it.
    if (/[\ud800-\udfff]/.test(character)) refuse('has a character beyond the basic plane in a class');
    if (character !== '\\') return [range(character, character)];
    if (text[at] === 'b') {
      at += 1;
      return [[8, 8]];
    }
    return escaped();
  }

  const pattern = choice();
  if (at < text.length) refuse("has a ')' without its '('");
  return pattern;
}
