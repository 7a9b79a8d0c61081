/** The bounds of every log line. */
import { describe, expect, test } from 'vitest';
import { maxLogItems, maxLogLine, maxLogText, withinBounds } from '../../lib/runtime/log-bounds.ts';

const bytesOf = (fields: object) => Buffer.byteLength(JSON.stringify(fields));

describe('the fields of a log line', () => {
  test('stay as they are where they are short', () => {
    const fields = {
      status: 200,
      model: 'a/b',
      isSandbox: true,
      stack: ['Error', 'at x'],
      of: { a: 1 },
    };
    expect(withinBounds({}, fields)).toEqual(fields);
  });

  test('replace nothing of the head, and are left out where they are empty', () => {
    const head = { level: 'INFO', message: 'request' };
    expect(withinBounds(head, { level: 'ERROR', key: null, text: '', status: 0 })).toEqual({
      ...head,
      status: 0,
    });
    const long = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`field_${index}`, 'x'.repeat(200)]),
    );
    expect(withinBounds(head, { message: 'another', ...long })).toMatchObject(head);
  });

  test('have cut texts and names, at any depth', () => {
    const long = 'x'.repeat(10_000);
    const cut = 'x'.repeat(maxLogText);
    expect(withinBounds({}, { a: long, b: [long], c: { [long]: long } })).toEqual({
      a: cut,
      b: [cut],
      c: { [cut]: cut },
    });
  });

  test('have no half of a character', () => {
    const { text } = withinBounds({}, { text: `${'x'.repeat(maxLogText - 1)}😀` });
    expect(String(text).isWellFormed()).toBe(true);
  });

  test('have short lists', () => {
    const { list } = withinBounds({}, { list: Array.from({ length: 1_000 }, (_, index) => index) });
    expect(list).toHaveLength(maxLogItems);
  });

  test('are together below the length of a line, and say what is left out', () => {
    const wide = '日'.repeat(300);
    const fields = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`field_${index}`, wide]));
    const kept = withinBounds({}, { first: 1, ...fields, last: 2 });
    expect(bytesOf(kept)).toBeLessThan(maxLogLine);
    expect(kept).toMatchObject({ first: 1, last: 2, left_out: expect.arrayContaining([expect.any(String)]) });
  });

  test('hold what JSON cannot in no form', () => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    const fields = withinBounds({}, { none: undefined, act: () => 1, big: 1n, loop });
    expect(() => JSON.stringify(fields)).not.toThrow();
    expect(Object.keys(fields)).toEqual(['loop']);
  });
});
