/** How long audio is, by its container; what lies or breaks off is unknown, and never 0. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { audioTypeOf } from '../../../lib/core/formats/audio/audio-type.ts';
import { durationMs } from '../../../lib/core/formats/audio/duration.ts';
import { mp3Of, wavOf } from '../../harness/audio.ts';

const uint = (bytes: number, value: number | bigint): Buffer => {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64BE(BigInt(value));
  return buffer.subarray(8 - bytes);
};

/** STREAMINFO: 44.1 kHz, 36 bits of samples. */
const flacOf = (samples: number) => {
  const info = Buffer.alloc(34);
  uint(8, (44_100n << 44n) | (1n << 41n) | (15n << 36n) | BigInt(samples)).copy(info, 10);
  return Buffer.concat([Buffer.from('fLaC'), uint(4, 34), info, Buffer.alloc(100)]);
};

function page(first: boolean, position: bigint, body: Buffer): Buffer {
  const head = Buffer.alloc(28);
  head.write('OggS');
  head[5] = first ? 2 : 0;
  head.writeBigInt64LE(position, 6);
  head[26] = 1;
  head[27] = body.length;
  return Buffer.concat([head, body]);
}

const opusHead = Buffer.concat([Buffer.from('OpusHead'), Buffer.from([1, 1, 0x38, 1]), Buffer.alloc(7)]);
const vorbisHead = Buffer.concat([
  Buffer.from('\x01vorbis'),
  Buffer.alloc(5),
  Buffer.from([0x44, 0xac, 0, 0]),
  Buffer.alloc(14),
]);
const opusOf = (samples: bigint) =>
  Buffer.concat([
    page(true, 0n, opusHead),
    page(false, -1n, Buffer.alloc(9)),
    page(false, samples + 312n, Buffer.alloc(9)),
  ]);

const box = (name: string, ...contents: Buffer[]) => {
  const body = Buffer.concat(contents);
  return Buffer.concat([uint(4, body.length + 8), Buffer.from(name), body]);
};
const mvhd = (scale: number, length: number) =>
  box('mvhd', uint(4, 0), uint(8, 0), uint(4, scale), uint(4, length), Buffer.alloc(80));
const longMvhd = (scale: number, length: number) =>
  box(
    'mvhd',
    Buffer.from([1, 0, 0, 0]),
    uint(8, 0),
    uint(8, 0),
    uint(4, scale),
    uint(8, length),
    Buffer.alloc(80),
  );
const mp4Of = (header: Buffer) =>
  Buffer.concat([box('ftyp', Buffer.from('M4A isom')), box('mdat', Buffer.alloc(50)), box('moov', header)]);

/** 48 kHz, of track 1; a sample has 1,024 ticks. */
const fragmentedOf = (...runs: readonly Buffer[]) =>
  Buffer.concat([
    box('ftyp', Buffer.from('iso5mp41')),
    box(
      'moov',
      mvhd(1_000, 0),
      box(
        'trak',
        box('tkhd', uint(4, 3), uint(8, 0), uint(4, 1), Buffer.alloc(68)),
        box('mdia', box('mdhd', uint(4, 0), uint(8, 0), uint(4, 48_000), uint(8, 0))),
      ),
      box('mvex', box('trex', uint(4, 0), uint(4, 1), uint(4, 1), uint(4, 1_024), uint(8, 0))),
    ),
    ...runs.flatMap((run) => [
      box('moof', box('traf', box('tfhd', uint(4, 0x020000), uint(4, 1)), run)),
      box('mdat', Buffer.alloc(20)),
    ]),
  ]);
const plainRun = box('trun', uint(4, 1), uint(4, 46), uint(4, 0));
/** With the duration and the size of each sample. */
const timedRun = box(
  'trun',
  uint(4, 0x301),
  uint(4, 2),
  uint(4, 0),
  ...[480, 5, 480, 5].map((field) => uint(4, field)),
);

const element = (id: number, ...contents: readonly Buffer[]) => {
  const body = Buffer.concat(contents);
  return Buffer.concat([idOf(id), uint(8, 2n ** 56n + BigInt(body.length)), body]);
};
const idOf = (id: number) => Buffer.from(id.toString(16).padStart(id > 255 ? 4 : 2, '0'), 'hex');
/** As a browser writes it: nothing says how long its segment and its clusters are. */
const open = (id: number, ...contents: readonly Buffer[]) =>
  Buffer.concat([idOf(id), Buffer.from('01ffffffffffffff', 'hex'), ...contents]);
const blockAt = (time: number) => element(0xa3, Buffer.from([0x81]), uint(2, time), Buffer.alloc(30));
const clusterAt = (time: number, ...blocks: readonly Buffer[]) =>
  open(0x1f43b675, element(0xe7, uint(3, time)), ...blocks);
const float = (seconds: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(seconds);
  return bytes;
};
const webmOf = (info: readonly Buffer[], ...clusters: readonly Buffer[]) =>
  Buffer.concat([
    element(0x1a45dfa3, Buffer.from('webm')),
    open(0x18538067, element(0x1549a966, ...info), ...clusters),
  ]);
const recorded = webmOf(
  [],
  clusterAt(0, blockAt(0), blockAt(60)),
  clusterAt(
    5_000,
    blockAt(0),
    element(0xa0, element(0xa1, Buffer.from([0x81]), uint(2, 60), Buffer.alloc(9))),
  ),
);

const tag = Buffer.concat([Buffer.from('ID3\x04\0\0'), Buffer.from([0, 0, 2, 1]), Buffer.alloc(257, 0xff)]);

describe('a recording', () => {
  const unfinished = wavOf(2);
  unfinished.writeUInt32LE(0, 40);
  const endless = wavOf(2);
  endless.writeUInt32LE(0xffff_ffff, 40);
  const lying = wavOf(2);
  lying.writeUInt32LE(0xffff_ffff, 28);
  const withChunk = Buffer.concat([
    wavOf(2).subarray(0, 36),
    Buffer.from('LIST\x03\0\0\0abc\0'),
    wavOf(2).subarray(36),
  ]);
  const info = Buffer.alloc(417);
  info.writeUInt32BE(0xfffb9000);
  info.write('Info', 36);

  test.each<[string, Buffer, string, number | undefined]>([
    ['WAV', wavOf(2.5), 'wav', 2_500],
    ['WAV without a length', unfinished, 'wav', 2_000],
    ['WAV of unknown length', endless, 'wav', 2_000],
    ['WAV that lies about its rate', lying, 'wav', 2_000],
    ['WAV with another chunk', withChunk, 'wav', 2_000],
    ['WAV that is cut', wavOf(2).subarray(0, 40), 'wav', undefined],
    ['FLAC', flacOf(44_100 * 3), 'flac', 3_000],
    [
      'FLAC with more samples than 32 bits hold',
      flacOf(2 ** 33),
      'flac',
      Math.round((2 ** 33 / 44_100) * 1_000),
    ],
    ['FLAC of unknown length', flacOf(0), 'flac', undefined],
    ['FLAC that is cut', flacOf(44_100).subarray(0, 12), 'flac', undefined],
    ['MP3', mp3Of(100), 'mp3', 2_612],
    ['MP3 with a tag', Buffer.concat([tag, mp3Of(100)]), 'mp3', 2_612],
    ['MP3 with a frame that only describes it', Buffer.concat([info, mp3Of(100)]), 'mp3', 2_612],
    ['MP3 with something between', Buffer.concat([mp3Of(50), Buffer.alloc(900, 7), mp3Of(50)]), 'mp3', 2_612],
    ['MP3 that is a tag alone', tag, 'mp3', undefined],
    ['Opus', opusOf(48_000n), 'ogg', 1_000],
    ['Opus, two one after the other', Buffer.concat([opusOf(48_000n), opusOf(24_000n)]), 'ogg', 1_500],
    [
      'Vorbis',
      Buffer.concat([page(true, 0n, vorbisHead), page(false, 88_200n, Buffer.alloc(3))]),
      'ogg',
      2_000,
    ],
    ['another codec in Ogg', page(true, 0n, Buffer.from('Speex   ')), 'ogg', undefined],
    ['MP4', mp4Of(mvhd(1_000, 4_321)), 'mp4', 4_321],
    ['MP4 with long numbers', mp4Of(longMvhd(48_000, 96_000)), 'mp4', 2_000],
    ['MP4 whose fragments are missing', mp4Of(mvhd(1_000, 0)), 'mp4', undefined],
    ['MP4 in fragments', fragmentedOf(plainRun, timedRun), 'mp4', Math.round((46 * 1_024 + 960) / 48)],
    ['MP4 of unknown length', mp4Of(mvhd(1_000, 0xffff_ffff)), 'mp4', undefined],
    ['MP4 without a scale', mp4Of(mvhd(0, 100)), 'mp4', undefined],
    ['WebM', webmOf([element(0x2ad7b1, uint(3, 1_000_000)), element(0x4489, float(2_345))]), 'webm', 2_345],
    ['WebM of a browser', recorded, 'webm', 5_120],
    [
      'WebM in another scale',
      webmOf([element(0x2ad7b1, uint(3, 100_000)), element(0x4489, float(2_345))]),
      'webm',
      235,
    ],
    [
      'WebM without times',
      Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(60)]),
      'webm',
      undefined,
    ],
  ])('%s', (_, bytes, type, ms) => {
    expect([audioTypeOf(bytes), durationMs(bytes)]).toEqual([type, ms]);
  });

  test('that is a text is none', () => {
    expect(
      audioTypeOf(Buffer.from('A text that is named .mp3. \xff\xfb alone is no frame.', 'latin1')),
    ).toBeUndefined();
    expect(audioTypeOf(Buffer.alloc(0))).toBeUndefined();
  });

  test('never breaks, and is never 0, whatever its bytes', () => {
    const heads = [
      wavOf(0.1),
      flacOf(9),
      mp3Of(3),
      opusOf(9n),
      mp4Of(mvhd(9, 9)),
      tag,
      recorded,
      fragmentedOf(plainRun),
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...heads),
        fc.array(fc.tuple(fc.nat(400), fc.integer({ min: 0, max: 255 })), { maxLength: 12 }),
        fc.nat(500),
        (head, changes, cut) => {
          const bytes = Buffer.from(head);
          for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
          const ms = durationMs(bytes.subarray(0, cut));
          expect(ms === undefined || (Number.isSafeInteger(ms) && ms > 0)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  test.each([
    ['boxes in boxes', box('ftyp', Buffer.alloc(4)), Buffer.from('\0\0\0\x08moov')],
    ['empty boxes', box('ftyp', Buffer.alloc(4)), Buffer.from('\0\0\0\x08free')],
    ['small elements', Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80]), Buffer.from([0xa0, 0x80])],
    ['small blocks', Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80]), Buffer.from([0xa3, 0x84, 0x81, 0, 1, 0])],
    ['small runs', box('ftyp', Buffer.alloc(4)), plainRun],
    ['small pages', Buffer.alloc(0), page(false, 1n, Buffer.alloc(0))],
    ['false starts of frames', Buffer.from('ID3\0\0\0\0\0\0\0'), Buffer.from([0xff])],
  ])('of many megabytes of %s is read in little time', (_, head, piece) => {
    const bytes = Buffer.concat([head, Buffer.alloc(8 * 1024 * 1024, piece)]);
    const { user } = process.cpuUsage();
    durationMs(bytes);
    expect(process.cpuUsage().user - user).toBeLessThan(2_000_000);
  });
});
