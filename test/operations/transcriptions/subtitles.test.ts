/** Subtitles that can be read: two lines of 42 characters, seven seconds, and a new one at a sentence, a pause or a speaker. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { segmentsOf } from '../../../lib/operations/transcriptions/write/segments.ts';
import { cuesOf, srtOf, vttOf } from '../../../lib/operations/transcriptions/write/subtitles.ts';

const spoken = (text: string, each = 0.4, from = 0) =>
  text.split(' ').map((word, at) => ({ text: word, start: from + at * each, end: from + (at + 1) * each }));

const shown = (words: ReturnType<typeof spoken>) => cuesOf({ text: '', words }).map(({ lines }) => lines);

test('a sentence ends a subtitle, and a long one has two lines', () => {
  const words = spoken(
    'Yes. The lamp of the lighthouse turns all night long, and nobody who sees it sleeps.',
    0.3,
  );
  expect(shown(words)).toEqual([
    ['Yes.'],
    ['The lamp of the lighthouse turns all night', 'long, and nobody who sees it sleeps.'],
  ]);
});

test('a pause, another speaker and seven seconds end one, too', () => {
  expect(shown([...spoken('one two'), ...spoken('three', 0.4, 1.4)])).toEqual([['one two'], ['three']]);
  const [first, second] = spoken('one two');
  if (!first || !second) throw new Error('There are two words.');
  expect(shown([{ ...first, speaker: 'A' } as never, { ...second, speaker: 'B' } as never])).toEqual([
    ['one'],
    ['two'],
  ]);
  expect(shown(spoken('a b c d', 2))).toEqual([['a b c'], ['d']]);
});

test('segments without words are divided by the length of their texts', () => {
  const text = `${'word '.repeat(30).trim()}`;
  const cues = cuesOf({ text, segments: [{ start: 0, end: 15, text }] });
  expect(cues.map(({ lines }) => lines.join(' ')).join(' ')).toBe(text);
  expect(cues.every(({ start, end }) => end - start <= 7)).toBe(true);
  expect(cues.at(-1)?.end).toBeCloseTo(15);
});

test('a text without spaces is cut into lines', () => {
  const cues = cuesOf({ text: '', segments: [{ start: 0, end: 4, text: '灯'.repeat(100) }] });
  expect(cues.flatMap(({ lines }) => lines).every((line) => line.length <= 42)).toBe(true);
});

test('times are written as both formats want them, and nothing in a text is a tag of WebVTT', () => {
  const words = [{ text: 'a-->b<i>&', start: 3_723.0005, end: 3_724.9996 }];
  expect(srtOf({ text: '', words })).toBe('1\n01:02:03,001 --> 01:02:05,000\na-->b<i>&\n\n');
  expect(vttOf({ text: '', words })).toBe(
    'WEBVTT\n\n01:02:03.001 --> 01:02:05.000\na--&gt;b&lt;i&gt;&amp;\n\n',
  );
  expect(srtOf({ text: 'Silence.' })).toBe('');
});

test('no word is lost, and no subtitle begins before the one before it', () => {
  const word = fc.record({
    text: fc.stringMatching(/^[a-z.?]{1,60}$/),
    pause: fc.integer({ min: 0, max: 900 }),
    ms: fc.integer({ min: 1, max: 9_000 }),
  });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), (list) => {
      let at = 0;
      const words = list.map(({ text, pause, ms }) => {
        const start = at + pause / 1_000;
        at = start + ms / 1_000;
        return { text, start, end: at };
      });
      const cues = cuesOf({ text: '', words });
      expect(cues.flatMap(({ lines }) => lines).join(' ')).toBe(list.map(({ text }) => text).join(' '));
      expect(
        segmentsOf({ text: '', words })
          .map(({ text }) => text)
          .join(' '),
      ).toBe(list.map(({ text }) => text).join(' '));
      expect(cues.every(({ lines }) => lines.length <= 2)).toBe(true);
      expect(cues.every(({ start }, index) => start >= (cues[index - 1]?.end ?? 0) - 1e-9)).toBe(true);
    }),
  );
});
