/** Binary streams of AWS with lengths and checksums that are not true: each call fails as an unreadable answer, in little memory. */
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { encodeEvent } from '../../sandbox/bedrock/write.ts';
import { postJson } from '../harness/post.ts';
import { useAttackedGateway } from './attacked-gateway.ts';
import { endless, head } from './hostile-upstream.ts';
import { megabyte, peakOf, readBy } from './memory.ts';

const { upstream, gateway } = useAttackedGateway('BEDROCK', {
  GATEWAY_FIRST_BYTE_TIMEOUT_MS: '2000',
  GATEWAY_SILENCE_TIMEOUT_MS: '2000',
});

const ask = () =>
  postJson(`${gateway.baseUrl}/chat/completions`, gateway.apiKey, {
    model: 'amazon/nova-2-lite',
    messages: [{ role: 'user', content: 'Hello.' }],
    stream: true,
  });

const eventStream = head('application/vnd.amazon.eventstream');
const block = Buffer.alloc(64 * 1024, 'x');

/** The first twelve bytes of a message: both lengths, and their checksum. */
function prelude(total: number, headers: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(total, 0);
  bytes.writeUInt32BE(headers, 4);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 8)), 8);
  return bytes;
}

/** A message with the byte at this place changed; from the end where it is negative. */
function damaged(at: number): Buffer {
  const bytes = Buffer.from(encodeEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'a' } }));
  const place = at < 0 ? bytes.length + at : at;
  bytes[place] = (bytes[place] ?? 0) ^ 255;
  return bytes;
}

const start = encodeEvent('messageStart', { role: 'assistant' });

/** What comes after the head, and then again and again; and how many megabytes of it are read at most, by all calls. */
const answers: readonly (readonly [name: string, first: Uint8Array, again: Uint8Array, reads: number])[] = [
  ['a length of 4 GB', prelude(2 ** 32 - 1, 0), block, 8],
  ['headers of 4 GB', prelude(2 ** 32 - 1, 2 ** 32 - 17), block, 8],
  ['a length just above the limit', prelude(16 * megabyte + 1, 0), block, 8],
  ['a length at the limit, of bytes that are no message', prelude(16 * megabyte, 0), block, 48],
  ['headers at the limit', prelude(16 * megabyte, 16 * megabyte - 16), block, 48],
  ['headers longer than the message', prelude(100, 1_000), block, 8],
  ['a length of nothing', prelude(0, 0), block, 8],
  ['a wrong checksum of the lengths', damaged(11), block, 8],
  ['a wrong length', damaged(2), block, 8],
  ['a wrong checksum of the message', damaged(-1), block, 8],
  ['another text than was summed up', damaged(-8), block, 8],
  ['no message at all', block, block, 8],
];

test.each(answers)('%s', async (_, first, again, reads) => {
  upstream.script(() => endless([eventStream, first], again));
  peakOf(gateway.pid);
  const [before, readBefore] = [peakOf(gateway.pid), readBy(gateway.pid)];
  const response = await ask();
  const text = await response.text();
  expect([response.status, JSON.parse(text).error.code]).toEqual([500, 'provider_invalid_answer']);
  expect(text).not.toContain('xxxx');
  expect(upstream.connections).toBeLessThanOrEqual(2);
  expect(readBy(gateway.pid) - readBefore).toBeLessThan(reads * megabyte);
  expect(peakOf(gateway.pid) - before).toBeLessThan(150 * megabyte);
});

test.each([
  ['a wrong checksum', damaged(-1)],
  ['a giant length', Buffer.concat([prelude(2 ** 32 - 1, 0), block])],
])('%s in a stream that has begun is its last event', async (_, bytes) => {
  const said = encodeEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hello' } });
  upstream.script(function* () {
    yield* [eventStream, start, said, 100];
    yield* endless([bytes], block);
  });
  const response = await ask();
  const text = await response.text();
  expect(response.status).toBe(200);
  expect(text).toContain('Hello');
  expect(text).toContain('"code":"provider_invalid_answer"');
  expect(text).not.toMatch(/\[DONE\]|"finish_reason":"/);
  expect(upstream.connections).toBe(1);
});
