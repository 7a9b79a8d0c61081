/** Texts on which a regular expression that can be slow is slow, made from its own characters and words. */
import { type Part, parsePattern } from './parse-pattern.ts';

/** A text of a length: how it begins, what is repeated, and how it ends. */
export interface HostileText {
  readonly start: string;
  readonly repeated: string;
  readonly end: string;
}

export const textOf = ({ start, repeated, end }: HostileText, length: number): string =>
  `${start}${repeated.repeat(Math.ceil(length / repeated.length))}`.slice(0, length - end.length) + end;

/** An example of what a part matches; `turn` chooses between several. */
function exampleOf(part: Part, turn = 0): string {
  if (part.type === 'characters') return part.sample[turn % Math.max(part.sample.length, 1)] ?? '';
  if (part.type === 'sequence') return part.parts.map((one) => exampleOf(one, turn)).join('');
  if (part.type === 'choice') return exampleOf(part.options[turn % part.options.length] ?? part, turn);
  if (part.type === 'repeat') return exampleOf(part.part, turn).repeat(Math.max(part.least, 1));
  return '';
}

/** Each part that may repeat often, with an example of what stands before it. */
function* repeats(part: Part, before: string): Generator<{ readonly before: string; readonly part: Part }> {
  if (part.type === 'sequence') {
    let so = before;
    for (const one of part.parts) {
      yield* repeats(one, so);
      so += exampleOf(one);
    }
  } else if (part.type === 'choice') {
    for (const option of part.options) yield* repeats(option, before);
  } else if (part.type === 'repeat') {
    if (part.most > 8) yield { before, part: part.part };
    yield* repeats(part.part, before);
  }
}

/** The words of a pattern, and its characters that stand for themselves. */
function* words(part: Part): Generator<string> {
  if (part.type === 'sequence') {
    let word = '';
    for (const one of part.parts) {
      if (one.type === 'characters' && one.sample.length <= 2) word += exampleOf(one);
      else {
        if (word !== '') yield word;
        word = '';
        yield* words(one);
      }
    }
    if (word !== '') yield word;
  } else if (part.type === 'choice') {
    for (const option of part.options) yield* words(option);
  } else if (part.type === 'repeat') yield* words(part.part);
}

/** What ends a text so that the match fails at its last character. */
const ends = ['', '\u0000'];
const blanks = [' ', '\t', '\n', ' \t\n'];
const maxWords = 6;

export function hostileTexts(source: string, flags: string): readonly HostileText[] {
  const whole = parsePattern(source, flags);
  const texts = new Map<string, HostileText>();
  const add = (start: string, repeated: string) => {
    if (repeated === '') return;
    for (const end of ends) texts.set(JSON.stringify([start, repeated, end]), { start, repeated, end });
  };
  for (const { before, part } of repeats(whole, '')) {
    for (let turn = 0; turn < 3; turn++) {
      const one = exampleOf(part, turn);
      add(before, one);
      add('', before + one);
      add('', before + one.repeat(30));
    }
  }
  const example = exampleOf(whole);
  add('', example);
  add('', example.slice(0, -1));
  const own = [...new Set(words(whole))];
  for (const word of own.length > maxWords ? own.slice(0, maxWords) : own) {
    add('', word);
    for (const blank of blanks) add(word, blank);
    add('', `${word} `);
    add('', `${word}1`);
  }
  for (const character of [
    ...blanks,
    'a',
    '1',
    'a1',
    'a.',
    'a-',
    '-',
    '=',
    '"',
    '\\',
    '\\\\"',
    '{',
    '/',
    ':',
  ])
    add('', character);
  return [...texts.values()];
}
