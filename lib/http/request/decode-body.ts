/** Request bodies with a `Content-Encoding`. Their size limit holds for the decoded text: a small body can hold gigabytes. */
import type { ZlibOptions, ZstdOptions } from 'node:zlib';
import { GatewayError } from '../../core/errors/errors.ts';
import { maxBodyBytes } from './body-limit.ts';

/** Clients use one. Each takes the time of a whole body, so that there must be an end. */
const maxCodings = 2;

/** The codings in the order in which they were applied; none for `identity`. */
export function contentCodings(value = ''): readonly string[] {
  const names = value.split(',').map((name) => name.trim().toLowerCase());
  return names.filter((name) => name !== '' && name !== 'identity');
}

/** @throws GatewayError 415 for unknown codings, 413 over the limit, 400 for a body that is not what the header says. */
export function decodeBody(bytes: Buffer, codings: readonly string[]): Buffer {
  checkCodings(codings);
  return codings.toReversed().reduce(decode, bytes);
}

/** @throws GatewayError 415 */
export function checkCodings(codings: readonly string[]): void {
  if (codings.length <= maxCodings && codings.every((coding) => decoders.has(coding))) return;
  throw unsupportedCoding();
}

export function unsupportedCoding(): GatewayError {
  return new GatewayError(
    'unsupported_media_type',
    "The request body cannot be decoded: the header 'Content-Encoding' may be gzip, deflate, br or zstd, or be left out.",
  );
}

type Decode = (bytes: Buffer, options: ZlibOptions & ZstdOptions) => Buffer;

// Loaded with the first body that needs it.
const zlib = () => process.getBuiltinModule('node:zlib');

const gunzip: Decode = (bytes, options) => zlib().gunzipSync(bytes, options);

const decoders: ReadonlyMap<string, Decode> = new Map([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', inflate],
  ['br', (bytes, options) => zlib().brotliDecompressSync(bytes, options)],
  ['zstd', unzstd],
]);

/** The standard means zlib's format, but some clients send the bare one. */
function inflate(bytes: Buffer, options: ZlibOptions): Buffer {
  return hasZlibHeader(bytes) ? zlib().inflateSync(bytes, options) : zlib().inflateRawSync(bytes, options);
}

/** A frame may ask for 128 MB of memory; 16 MB is more than a whole body. */
function unzstd(bytes: Buffer, options: ZstdOptions): Buffer {
  const { constants, zstdDecompressSync } = zlib();
  return zstdDecompressSync(bytes, { ...options, params: { [constants.ZSTD_d_windowLogMax]: 24 } });
}

/** RFC 1950: the method is 8, and both bytes together are a multiple of 31. */
function hasZlibHeader(bytes: Buffer): boolean {
  return bytes.length > 1 && ((bytes[0] ?? 0) & 15) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}

/** Decoding stops as soon as the limit is passed. */
function decode(bytes: Buffer, coding: string): Buffer {
  try {
    return decoders.get(coding)?.(bytes, { maxOutputLength: maxBodyBytes }) ?? bytes;
  } catch (thrown) {
    const { code }: NodeJS.ErrnoException = thrown instanceof Error ? thrown : new Error();
    if (code === 'ERR_BUFFER_TOO_LARGE')
      throw new GatewayError(
        'payload_too_large',
        'The decoded request body is larger than 10 MB. Send a shorter request, or links in place of inline images and files.',
      );
    throw new GatewayError(
      'invalid_request',
      `The request body is not valid ${coding}, which 'Content-Encoding' says.`,
    );
  }
}
