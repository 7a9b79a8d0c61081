/**
 * Words and phrases, in any case and however they are spaced. Texts are compared word by word: the time depends on the length of the
 * text, and not on the number of words.
 */
import type { Match, Scan } from './scan.ts';

/** Scripts without spaces have one word for each character. What is not seen within a word, such as soft hyphens, is of the word. */
const alone =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}';
const unseen = '\\p{Default_Ignorable_Code_Point}';
const letters = `[[\\p{L}\\p{N}\\p{M}_]--[${alone}${unseen}]]{1,256}`;
const word = () => new RegExp(`[${alone}]|${letters}(?:${unseen}{1,8}${letters}){0,32}`, 'gv');

/** Longer runs are no words. In characters. */
const maxWord = 256;

const plain = (found: string): string =>
  found
    .slice(0, maxWord)
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .toLowerCase();

const wordsIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(word()), ([found]) => plain(found));

interface Place {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** Words between two pauses. */
const wordsOfTurn = 2_000;

export function scanWords(phrases: readonly string[]): Scan {
  const byFirst = Map.groupBy(
    phrases.map(wordsIn).filter((words) => words.length > 0),
    ([first]) => first,
  );
  const longest = Math.max(1, ...phrases.map((phrase) => wordsIn(phrase).length));
  return function* scan(text) {
    const found: Match[] = [];
    /** The last words, as many as the longest phrase has. */
    const last: Place[] = [];
    let count = 0;
    const look = () => {
      const first = last[0];
      const phrase = byFirst
        .get(first?.word)
        ?.toSorted((one, other) => other.length - one.length)
        .find((words) => words.every((one, index) => last[index]?.word === one));
      const end = phrase && last[phrase.length - 1]?.end;
      if (first && end !== undefined) found.push({ start: first.start, end, label: 'word' });
      last.shift();
    };
    for (const match of text.matchAll(word())) {
      last.push({ word: plain(match[0]), start: match.index, end: match.index + match[0].length });
      if (last.length === longest) look();
      count += 1;
      if (count % wordsOfTurn === 0) yield;
    }
    while (last.length > 0) look();
    return found;
  };
}
