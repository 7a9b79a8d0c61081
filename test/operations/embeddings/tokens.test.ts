/** The maximum length of texts: exact to the token, and fast for every text. */
import fc from 'fast-check';
import { countTokens as countOfLibrary } from 'gpt-tokenizer/encoding/cl100k_base';
import { describe, expect, test } from 'vitest';
import { checkLength } from '../../../lib/operations/embeddings/endpoint.ts';
import { countTokens } from '../../../lib/pipeline/byte-pairs/byte-pairs.ts';
import { cpuOf } from '../../harness/cpu.ts';

/** Without a pause. */
function countAll(text: string): number {
  const work = countTokens(text, Number.POSITIVE_INFINITY);
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
}

/** Special tokens in a text are counted as plain text. */
const countByLibrary = (text: string) => countOfLibrary(text, { disallowedSpecial: new Set() });

describe('tokens are counted as in the encoding', () => {
  test.each([
    ['words', 'The quick brown fox jumps over the lazy dog.'],
    ['a single letter', 'a'],
    ['Korean', '안녕하세요, 세계! 검색어를 입력하세요.'],
    ['composed emoji', '👨‍👩‍👧 and 🏳️‍🌈'],
    ['code', 'if (x !== undefined) {\n\t\treturn x?.y ?? "z";\n}'],
    ['runs of one letter', 'a'.repeat(3_000)],
    ['runs of blanks', `${' '.repeat(3_000)}x`],
    ['lines', '\r\n\r\n \n\n'.repeat(50)],
    ['what looks like a special token', 'before <|endoftext|> after'],
    ['half a character', 'broken \ud83d end'],
  ])('%s', (_, text) => {
    expect(countAll(text)).toBe(countByLibrary(text));
  });

  test('any text', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.constantFrom(' ', '\n', "don't", 'aaaa', 'ing ', '123456', '...', '漢字', '\t'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        expect(countAll(text)).toBe(countByLibrary(text));
      }),
      { numRuns: 200 },
    );
  });
});

const tooLong = (...texts: readonly string[]) =>
  checkLength(requestOf(texts), never).then(
    () => undefined,
    (error) => error.param,
  );

const never = new AbortController().signal;
const requestOf = (texts: readonly string[]) => ({
  texts,
  textPaths: texts.map((_, position) => `input.${position}`),
  parameters: {},
});

describe('a text has at most 8,192 tokens', () => {
  test.each<[string, string]>([
    ['words', ' hello'],
    ['blanks', ' '.repeat(128)],
    ['single letters', '漢'],
  ])('%s', async (_, unit) => {
    const each = countByLibrary(unit.repeat(200)) / 200;
    const most = Math.floor(8_192 / each);
    expect(await tooLong(unit.repeat(most))).toBeUndefined();
    expect(await tooLong('short', unit.repeat(most + 1))).toBe('input.1');
  });

  test('8,192 bytes are always accepted', async () => {
    expect(await tooLong('\u0001'.repeat(8_192))).toBeUndefined();
  });

  test.each([
    ['a megabyte of one letter', 'a'.repeat(1_000_000)],
    ['ten megabytes of one letter', 'a'.repeat(10_000_000)],
    ['ten megabytes of words', 'hello world '.repeat(850_000)],
    ['a megabyte without a word', 'qzxjvk'.repeat(170_000)],
    ['a megabyte of dashes and signs', '-=~#*'.repeat(200_000)],
  ])('%s is rejected quickly', async (_, text) => {
    await tooLong('a'.repeat(9_000));
    const started = process.cpuUsage();
    expect(await tooLong(text)).toBe('input.0');
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(10_000);
  });
});

describe('counting', () => {
  const hostile = {
    blanks: (bytes: number) => ' '.repeat(bytes),
    'one letter': (bytes: number) => 'a'.repeat(bytes),
    'letters without a blank': (bytes: number) => 'qzxjvk'.repeat(bytes / 6),
    emoji: (bytes: number) => '👨‍👩‍👧'.repeat(bytes / 18),
    'Chinese characters': (bytes: number) => '漢字'.repeat(bytes / 6),
    'blanks and lines': (bytes: number) => ' \n'.repeat(bytes / 2),
    quotes: (bytes: number) => "'".repeat(bytes),
  };

  // A machine that is busy for a moment fails one measurement, and not three.
  test.each(Object.entries(hostile))(
    'takes time in proportion to the length: %s',
    { retry: 2 },
    async (_name, textOf) => {
      countAll(textOf(9_000));
      const few = await cpuOf(() => countAll(textOf(50_000)), 4);
      const many = await cpuOf(() => countAll(textOf(200_000)), 3);
      expect(many / Math.max(few, 1)).toBeLessThan(10);
    },
  );

  test('leaves turns to others, and ends with its request', async () => {
    await tooLong(' '.repeat(9_000));
    const leave = new AbortController();
    let turns = 0;
    const others = setInterval(() => {
      turns += 1;
      if (turns === 5) leave.abort(new Error('left'));
    }, 1);
    const texts = Array.from({ length: 9 }, () => ' '.repeat(1_000_000));
    try {
      await expect(checkLength(requestOf(texts), leave.signal)).rejects.toThrow('left');
    } finally {
      clearInterval(others);
    }
    expect(turns).toBeLessThan(50);
  });
});
