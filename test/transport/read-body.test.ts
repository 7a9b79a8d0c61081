/** Bodies as text, up to a limit. */
import { expect, test } from 'vitest';
import { readBody } from '../../lib/transport/read-body.ts';
import { failureOf } from './upstream.ts';

/** A response with a body in these pieces, and whether it was read to its end. */
function respond(pieces: readonly Uint8Array[]) {
  const reading = { ended: false };
  async function* body() {
    yield* pieces;
    reading.ended = true;
  }
  return { reading, response: { status: 200, headers: {}, body: body() } };
}

test('a character that is cut between two reads stays whole', async () => {
  const bytes = Buffer.from('grüße 🙂');
  const { response } = respond(Array.from(bytes, (byte) => Uint8Array.of(byte)));
  expect(await readBody(response, 100)).toBe('grüße 🙂');
});

test('a body of exactly the limit is read', async () => {
  expect(await readBody(respond([Buffer.from('1234')]).response, 4)).toBe('1234');
});

test('a body above the limit is an invalid answer, and the rest of it is not read', async () => {
  const { reading, response } = respond([Buffer.from('123'), Buffer.from('45'), Buffer.from('6')]);
  expect(await failureOf(readBody(response, 4))).toMatchObject({ kind: 'upstream_invalid_answer' });
  expect(reading.ended).toBe(false);
});
