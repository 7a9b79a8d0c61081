/**
 * Real pictures without a library: an area of one color that depends on the prompt, in the three formats that image
 * models write.
 */
import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

export const pictureFormats = ['png', 'jpeg', 'webp'] as const;
export type PictureFormat = (typeof pictureFormats)[number];

export interface Picture {
  readonly format: PictureFormat;
  readonly width: number;
  readonly height: number;
  readonly transparent?: boolean;
  /** The same text gives the same picture. */
  readonly subject: string;
}

/** The file of the picture. */
export function drawPicture(picture: Picture): Buffer {
  const [red = 0, green = 0, blue = 0] = createHash('sha256').update(picture.subject).digest();
  return encoders[picture.format](picture, [red, green, blue]);
}

type Color = readonly [red: number, green: number, blue: number];

const encoders: Readonly<Record<PictureFormat, (picture: Picture, color: Color) => Buffer>> = {
  png: encodePng,
  jpeg: encodeJpeg,
  webp: encodeWebp,
};

/** One bit for each pixel, all pointing at the first color of the palette. */
function encodePng({ width, height, transparent }: Picture, color: Color): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 3], 8);
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('PLTE', Buffer.from(color)),
    ...(transparent ? [pngChunk('tRNS', Buffer.from([0]))] : []),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** How many codes of each length the standard table for mean values has, and what they stand for. */
const meanCodes = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0];
const meanLengths = ['00', '010', '011', '100', '101', '110', '1110', '11110', '111110'];

/** Blocks of eight by eight pixels without any detail: a mean value and the end of the block. */
function encodeJpeg({ width, height }: Picture, color: Color): Buffer {
  const frame = [8, height >> 8, height & 255, width >> 8, width & 255, 3, 1, 17, 0, 2, 17, 0, 3, 17, 0];
  const means = [0, ...meanCodes, ...meanCodes.keys()].slice(0, 17 + 12);
  const ends = [16, 1, ...Array(15).fill(0), 0];
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xe0, [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    jpegSegment(0xdb, [0, ...Array(64).fill(8)]),
    jpegSegment(0xc0, frame),
    jpegSegment(0xc4, means),
    jpegSegment(0xc4, ends),
    jpegSegment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]),
    jpegScan(color, Math.ceil(width / 8) * Math.ceil(height / 8)),
    Buffer.from([0xff, 0xd9]),
  ]);
}

function jpegSegment(marker: number, content: readonly number[]): Buffer {
  const length = content.length + 2;
  return Buffer.from([0xff, marker, length >> 8, length & 255, ...content]);
}

/** Only the first block differs from the one before it. */
function jpegScan([red, green, blue]: Color, blocks: number): Buffer {
  const light = 0.299 * red + 0.587 * green + 0.114 * blue;
  const values = [light - 128, (blue - light) / 1.772, (red - light) / 1.402];
  const first = values.map((value) => meanBits(Math.round(value))).join('');
  const bits = first + '000'.repeat(3 * (blocks - 1));
  const bytes = (bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '1'), 2));
  return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])));
}

/** A mean value, and the mark that the block has nothing else. */
function meanBits(value: number): string {
  const size = value === 0 ? 0 : Math.floor(Math.log2(Math.abs(value))) + 1;
  const written = value < 0 ? value + 2 ** size - 1 : value;
  const bits = size === 0 ? '' : written.toString(2).padStart(size, '0');
  return `${meanLengths[size]}${bits}0`;
}

/** Lossless, with codes of one value each, so that the pixels take no room. */
function encodeWebp({ width, height, transparent }: Picture, [red, green, blue]: Color): Buffer {
  const bits: number[] = [];
  const write = (value: number, count: number) => {
    for (let place = 0; place < count; place++) bits.push((value >> place) & 1);
  };
  write(width - 1, 14);
  write(height - 1, 14);
  write(transparent ? 1 : 0, 1);
  // Version, then no transforms, no cache of colors, no further codes.
  write(0, 3 + 3);
  for (const value of [green, red, blue, transparent ? 0 : 255]) {
    write(0b101, 3);
    write(value, 8);
  }
  write(0b0001, 4);
  const bytes = Array.from({ length: Math.ceil(bits.length / 8) }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((byte, bit, place) => byte | (bit << place), 0),
  );
  return riff(Buffer.from([0x2f, ...bytes]));
}

function riff(content: Buffer): Buffer {
  const padded = content.length % 2 === 0 ? content : Buffer.concat([content, Buffer.alloc(1)]);
  const [whole, own] = [Buffer.alloc(4), Buffer.alloc(4)];
  whole.writeUInt32LE(4 + 8 + padded.length);
  own.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from('RIFF'), whole, Buffer.from('WEBPVP8L'), own, padded]);
}
