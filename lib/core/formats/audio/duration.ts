/**
 * How long audio is, by its container, where no provider says it. Nothing is decoded, and each byte is looked at a few times at most.
 */
import { type AudioType, audioTypeOf } from './audio-type.ts';
import { secondsOfMp3 } from './mp3.ts';
import { secondsOfMp4 } from './mp4.ts';
import { secondsOfWebm } from './webm.ts';

/** In whole milliseconds, at least 1; undefined where the container does not say. */
export function durationMs(bytes: Buffer, type = audioTypeOf(bytes)): number | undefined {
  const seconds = (type && readers[type]?.(bytes)) || 0;
  const ms = Math.max(1, Math.round(seconds * 1_000));
  return seconds > 0 && Number.isSafeInteger(ms) ? ms : undefined;
}

type Read = (bytes: Buffer) => number | undefined;

const readers: Readonly<Partial<Record<AudioType, Read>>> = {
  flac: secondsOfFlac,
  mp3: secondsOfMp3,
  mp4: secondsOfMp4,
  ogg: secondsOfOgg,
  wav: secondsOfWav,
  webm: secondsOfWebm,
};

const nameAt = (bytes: Buffer, at: number) => bytes.toString('latin1', at, at + 4);

/** The length of the data may be unknown when a file is begun: then it is all that follows. Source: RFC 2361, and EBU Tech 3306. */
function secondsOfWav(bytes: Buffer): number | undefined {
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32LE(at + 4);
    const left = bytes.length - at - 8;
    if (nameAt(bytes, at) === 'fmt ' && left >= 16) bytesPerSecond = rateOfWav(bytes, at + 8);
    if (nameAt(bytes, at) === 'data')
      return bytesPerSecond > 0 ? (size > 0 ? Math.min(size, left) : left) / bytesPerSecond : undefined;
    at += 8 + size + (size % 2);
  }
  return undefined;
}

/** Samples that are not compressed: PCM, floats, A-law, mu-law, and those with an extended format. */
const plainFormats = [1, 3, 6, 7, 0xfffe];

/** Bytes of a second. Decoders go by the format of the samples, whatever rate stands beside it. */
function rateOfWav(bytes: Buffer, at: number): number {
  const stated = bytes.readUInt32LE(at + 8);
  if (!plainFormats.includes(bytes.readUInt16LE(at))) return stated;
  const sampleBytes = Math.ceil(bytes.readUInt16LE(at + 14) / 8);
  return Math.min(stated, bytes.readUInt16LE(at + 2) * bytes.readUInt32LE(at + 4) * sampleBytes);
}

/** Source: RFC 9639, section 8.2: 20 bits of the rate, and after 8 others 36 of the number of samples. */
function secondsOfFlac(bytes: Buffer): number | undefined {
  const at = 8;
  if (bytes.length < at + 18) return undefined;
  const rate = bytes.readUIntBE(at + 10, 3) >> 4;
  const samples = ((bytes[at + 13] ?? 0) & 15) * 2 ** 32 + bytes.readUInt32BE(at + 14);
  return rate > 0 ? samples / rate : undefined;
}

interface OggStream {
  readonly rate: number;
  /** Samples that are not played. */
  readonly skipped: number;
  last: number;
}

/** The positions of the last pages, of streams one after another. Sources: RFC 3533, section 6; RFC 7845, sections 4 and 5. */
function secondsOfOgg(bytes: Buffer): number | undefined {
  const streams: OggStream[] = [];
  for (let at = 0; at + 27 <= bytes.length && nameAt(bytes, at) === 'OggS'; ) {
    const segments = bytes[at + 26] ?? 0;
    const body = at + 27 + segments;
    const isFirst = ((bytes[at + 5] ?? 0) & 2) !== 0;
    if (isFirst) streams.push(oggStream(bytes, body));
    const position = bytes.readBigInt64LE(at + 6);
    const stream = streams.at(-1);
    // No packet ends on a page without a position.
    if (stream && position > 0n) stream.last = Number(position);
    at = body + bytes.subarray(at + 27, body).reduce((sum, length) => sum + length, 0);
  }
  if (streams.length === 0 || streams.some(({ rate }) => rate === 0)) return undefined;
  return streams.reduce((sum, { rate, skipped, last }) => sum + Math.max(0, last - skipped) / rate, 0);
}

function oggStream(bytes: Buffer, at: number): OggStream {
  const has = (text: string) => bytes.toString('latin1', at, at + text.length) === text;
  if (has('OpusHead') && bytes.length >= at + 12)
    return { rate: 48_000, skipped: bytes.readUInt16LE(at + 10), last: 0 };
  if (has('\x01vorbis') && bytes.length >= at + 16)
    return { rate: bytes.readUInt32LE(at + 12), skipped: 0, last: 0 };
  return { rate: 0, skipped: 0, last: 0 };
}
