/** Texts that a regular expression matches: one for each choice between its words. */
import { type Part, parsePattern } from './parse-pattern.ts';

const maxExamples = 100;

export const examplesOf = (source: string, flags = ''): readonly string[] =>
  expand(parsePattern(source, flags)).slice(0, maxExamples);

function expand(part: Part): readonly string[] {
  if (part.type === 'characters') return part.sample.slice(0, 1);
  if (part.type === 'choice') return part.options.flatMap(expand);
  if (part.type === 'repeat') {
    if (part.least === 0 && part.most > 1) return [''];
    const inner = expand(part.part).map((text) => text.repeat(Math.max(part.least, 1)));
    return part.least === 0 ? [...inner, ''] : inner;
  }
  if (part.type !== 'sequence') return [''];
  return part.parts.reduce<readonly string[]>(
    (texts, one) => texts.flatMap((text) => expand(one).map((next) => text + next)).slice(0, maxExamples),
    [''],
  );
}
