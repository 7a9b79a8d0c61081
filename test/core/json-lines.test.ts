/** JSON lines: how they are written, and how they are read in pieces. */
import { expect, test } from 'vitest';
import { jsonLine, readLines } from '../../lib/core/formats/json-lines.ts';

async function* pieces(...texts: readonly string[]) {
  for (const text of texts) yield Buffer.from(text);
}

async function linesOf(...texts: readonly string[]): Promise<readonly string[]> {
  const lines = [];
  for await (const line of readLines(pieces(...texts))) lines.push(line);
  return lines;
}

test('a line has no character at which clients divide lines', () => {
  const text = 'a\nb\r\u0085c\u2028d\u2029e';
  const line = jsonLine({ text });
  expect(line).toMatch(/^[ -~]*\n$/);
  expect(JSON.parse(line)).toEqual({ text });
});

test('lines are read as they come, in whatever pieces, and empty ones are left out', async () => {
  expect(await linesOf('{"a":1}\n{"b"', ':2', '}\r\n\n', '{"c":3}')).toEqual([
    '{"a":1}',
    '{"b":2}',
    '{"c":3}',
  ]);
  expect(await linesOf('a\u2028b\n')).toEqual(['a\u2028b']);
  expect(await linesOf()).toEqual([]);
});

test('a character may be divided between two pieces', async () => {
  const bytes = Buffer.from('"é"\n');
  async function* halves() {
    yield bytes.subarray(0, 2);
    yield bytes.subarray(2);
  }
  const lines = [];
  for await (const line of readLines(halves())) lines.push(line);
  expect(lines).toEqual(['"é"']);
});
