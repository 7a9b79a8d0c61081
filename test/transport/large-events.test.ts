/** Events with long texts, in whatever chunks they come. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HttpResponse } from '../../lib/core/ports/http.ts';
import { readLargeEvents } from '../../lib/transport/framing/large-events.ts';

const long = Buffer.alloc(9_000, 'abcdefgh').toString('base64');

async function read(text: string, cuts: readonly number[], more: Partial<HttpResponse> = {}, left = 1e6) {
  const bytes = Buffer.from(text);
  const ends = [...new Set([...cuts.map((cut) => cut % bytes.length), bytes.length])].toSorted(
    (a, b) => a - b,
  );
  async function* body() {
    let from = 0;
    for (const end of ends) {
      yield bytes.subarray(from, end);
      from = end;
    }
  }
  const events: unknown[] = [];
  const response = { status: 200, headers: {}, body: body(), ...more };
  for await (const { body: event, base64 } of readLargeEvents(response, { left })) {
    const { image } = event as { readonly image?: string };
    events.push(image === undefined ? event : { image: [...base64(image)].join('') });
  }
  return events;
}

const written = (end: string) =>
  [
    `: a comment${end}${end}`,
    `event: partial${end}data: {"image":"${long}"}${end}${end}`,
    `data:{"a":${end}data: 1}${end}id: 7${end}${end}${end}`,
    `data: [DONE]${end}${end}`,
    `data: {"image":"${long}"}${end}${end}`,
  ].join('');
const expected = [{ image: long }, { a: 1 }, { image: long }];

test('are read alike however they are cut and their lines end', async () => {
  const cuts = fc.array(fc.nat(40_000), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(cuts, fc.constantFrom('\n', '\r\n'), async (at, end) => {
      expect(await read(written(end), at)).toEqual(expected);
    }),
    { numRuns: 50 },
  );
  expect(
    await read(
      written('\n'),
      Array.from({ length: 400 }, (_, at) => at),
    ),
  ).toEqual(expected);
});

test('the last one counts without an empty line after it, and half a one is refused', async () => {
  expect(await read('data: {"a":1}', [])).toEqual([{ a: 1 }]);
  await expect(read('data: {"a":', [])).rejects.toMatchObject({ kind: 'upstream_invalid_answer' });
});

test('more than the budget is refused, also within one event', async () => {
  await expect(read(written('\n'), [5_000, 10_000], {}, 9_000)).rejects.toMatchObject({
    kind: 'upstream_invalid_answer',
  });
});

test('memory is taken for the largest of them, not for all', async () => {
  let taken = 0;
  const memory = {
    admit(bytes: number) {
      taken += bytes;
      return true;
    },
  };
  const one = `data: {"image":"${long}"}\n\n`;
  const cuts = Array.from({ length: 20 }, (_, at) => at * one.length);
  await read(one.repeat(20), cuts, { memory: memory as never });
  expect(taken).toBe(one.length * 2);
});
