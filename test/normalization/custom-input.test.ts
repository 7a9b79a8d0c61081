/** The text for a custom tool, read out of JSON in pieces. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createInputReader, inputArguments } from '../../lib/normalization/tools/custom-input.ts';

function readPieces(pieces: readonly string[]) {
  const reader = createInputReader();
  const texts = pieces.map((piece) => reader.add(piece));
  return { texts, whole: [...texts, reader.end()].join(''), isComplete: reader.isComplete() };
}

const patch = '*** Begin Patch\n*** Update File: a "b".ts\n-\told\\n\n+\u{1f600} ü\n*** End Patch\n';

test('any text comes back from any pieces, and never half a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.array(fc.nat(), { maxLength: 8 }), (text, cuts) => {
      for (const json of [inputArguments(text), escaped(text)]) {
        const ends = [...cuts.map((cut) => cut % (json.length + 1)), 0, json.length].sort((a, b) => a - b);
        const pieces = ends.slice(1).map((end, index) => json.slice(ends[index], end));
        const { texts, whole, isComplete } = readPieces(pieces);
        expect({ whole, isComplete }).toEqual({ whole: text, isComplete: true });
        if (text.isWellFormed() && json === escaped(text)) {
          expect(texts.every((piece) => piece.isWellFormed())).toBe(true);
        }
      }
    }),
  );
});

/** Every character as its number. */
const escaped = (text: string) =>
  `{ "input" : "${[...Array(text.length).keys()]
    .map((index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('')}"}`;

test('a text is given out as it comes', () => {
  const json = inputArguments(patch);
  const { texts } = readPieces([json.slice(0, 30), json.slice(30, 40), json.slice(40)]);
  expect(texts.map((text) => text.length > 0)).toEqual([true, true, true]);
});

test('line breaks that the model left as they are do no harm', () => {
  expect(readPieces(['{"input": "one\ntwo', '\nthree"}']).whole).toBe('one\ntwo\nthree');
});

test.each([
  ['{"patch":"text"}', 'text'],
  ['"text"', 'text'],
  [patch, patch],
  ['{}', ''],
  ['', ''],
  ['{"a":"1","b":"2"}', '{"a":"1","b":"2"}'],
  ['{"a":1}', '{"a":1}'],
])('of arguments in another form, %j, it is %j', (json, text) => {
  expect(readPieces([json]).whole).toBe(text);
});

test('an answer that breaks off gives what there is', () => {
  expect(readPieces(['{"input":"one\\']).whole).toBe('one');
});
