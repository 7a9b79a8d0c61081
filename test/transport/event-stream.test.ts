/** AWS event streams, whole, damaged, and split anywhere. */
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { maxMessageBytes } from '../../lib/transport/framing/event-stream.ts';
import { framesOf, readRecording, recordings, splitsThatDiffer } from './pieces.ts';
import { failureOf } from './upstream.ts';

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

function textHeader([name, value]: [string, string]): Buffer {
  const text = Buffer.from(value);
  return Buffer.concat([
    Buffer.of(name.length),
    Buffer.from(name),
    Buffer.of(7, text.length >> 8, text.length),
    text,
  ]);
}

/** One message, put together by hand as AWS documents it. */
function message(headers: Record<string, string>, payload: string): Buffer {
  const head = Buffer.concat(Object.entries(headers).map(textHeader));
  const body = Buffer.from(payload);
  const sizes = Buffer.concat([uint32(16 + head.length + body.length), uint32(head.length)]);
  const start = Buffer.concat([sizes, uint32(crc32(sizes)), head, body]);
  return Buffer.concat([start, uint32(crc32(start))]);
}

const event = (type: string, payload: string) =>
  message({ ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' }, payload);

const sample = Buffer.concat([
  event('messageStart', '{"role":"assistant"}'),
  event('contentBlockDelta', '{"delta":{"text":"grüße 🙂"}}'),
  event('messageStop', ''),
]);

const expected = [
  { event: 'messageStart', data: '{"role":"assistant"}' },
  { event: 'contentBlockDelta', data: '{"delta":{"text":"grüße 🙂"}}' },
  { event: 'messageStop', data: '' },
];

describe('a message', () => {
  test('is a frame with its event type and payload', async () => {
    expect(await framesOf([sample], 'event-stream')).toEqual(expected);
  });

  test('that is an exception says so', async () => {
    const headers = { ':exception-type': 'throttlingException', ':message-type': 'exception' };
    expect(await framesOf([message(headers, '{"message":"slow down"}')], 'event-stream')).toEqual([
      { event: 'throttlingException', data: '{"message":"slow down"}', exception: true },
    ]);
  });

  test('that is an error looks like an exception', async () => {
    const headers = {
      ':error-code': 'InternalError',
      ':error-message': 'it "broke"',
      ':message-type': 'error',
    };
    expect(await framesOf([message(headers, '')], 'event-stream')).toEqual([
      { event: 'InternalError', data: '{"message":"it \\"broke\\""}', exception: true },
    ]);
  });

  test('needs data', async () => {
    expect(await framesOf([], 'event-stream')).toEqual([]);
  });

  test('may be large and come in many pieces', async () => {
    const bytes = event('chunk', 'x'.repeat(3_000_000));
    const pieces = Array.from({ length: Math.ceil(bytes.length / 1000) }, (_, at) =>
      bytes.subarray(at * 1000, at * 1000 + 1000),
    );
    const [found] = await framesOf(pieces, 'event-stream');
    expect(found?.data.length).toBe(3_000_000);
  });
});

describe('a damaged stream', () => {
  test('is an invalid answer, whichever byte of a message is wrong', async () => {
    const bytes = event('messageStart', '{"role":"assistant"}');
    for (let at = 0; at < bytes.length; at += 1) {
      const damaged = Buffer.from(bytes);
      damaged.writeUInt8((bytes[at] ?? 0) ^ 0x10, at);
      const error = await failureOf(framesOf([damaged], 'event-stream'));
      expect(error, `byte ${at}`).toMatchObject({ kind: 'upstream_invalid_answer' });
    }
  });

  test('is an invalid answer when a message claims an absurd length', async () => {
    for (const [total, headers] of [
      [maxMessageBytes + 1, 0],
      [15, 0],
      [100, 90],
    ] as const) {
      const sizes = Buffer.concat([uint32(total), uint32(headers)]);
      const start = Buffer.concat([sizes, uint32(crc32(sizes))]);
      const error = await failureOf(framesOf([start], 'event-stream'));
      expect(error, `${total}`).toMatchObject({ kind: 'upstream_invalid_answer' });
    }
  });

  test('still gives the messages before the damage', async () => {
    const damaged = Buffer.from(sample);
    damaged.writeUInt8(0xff, sample.length - 1);
    const whole = await framesOf(
      [sample.subarray(0, sample.length - event('messageStop', '').length)],
      'event-stream',
    );
    expect(whole).toEqual(expected.slice(0, 2));
  });

  test('is a cut stream when it ends inside a message', async () => {
    for (const length of [1, 11, 12, 40, sample.length - 1]) {
      const error = await failureOf(framesOf([sample.subarray(0, length)], 'event-stream'));
      expect(error, `${length} bytes`).toMatchObject({ kind: 'upstream_cut' });
    }
  });
});

describe('the same messages come from every split of the bytes', () => {
  test('of a sample', async () => {
    expect(await splitsThatDiffer(sample, 'event-stream', expected)).toEqual([]);
  });

  const names = recordings('.eventstream.bin');

  // Those of the sample are all of its bytes.
  test.skipIf(names.length === 0)('of every recorded stream, at some of them', async () => {
    for (const name of names) {
      const bytes = readRecording(name);
      const frames = await framesOf([bytes], 'event-stream');
      expect(
        frames.map((frame) => frame.event),
        name,
      ).toContain('messageStop');
      expect(await splitsThatDiffer(bytes, 'event-stream', frames, 13), name).toEqual([]);
    }
  });
});
