/** Compressed bodies of requests that are two hundred megabytes when they are decoded. */
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { megabyte } from './memory.ts';

const zeros = Buffer.alloc(200 * megabyte);

/** Small bodies that are large when they are decoded. */
export const bombs: Readonly<
  Record<string, { readonly coding: string; readonly body: Buffer<ArrayBuffer> }>
> = {
  gzip: { coding: 'gzip', body: gzipSync(zeros) },
  deflate: { coding: 'deflate', body: deflateSync(zeros) },
  'bare deflate': { coding: 'deflate', body: deflateRawSync(zeros) },
  br: {
    coding: 'br',
    body: brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  },
  zstd: { coding: 'zstd', body: zstdCompressSync(zeros) },
  'twice packed': { coding: 'gzip, br', body: brotliCompressSync(gzipSync(zeros)) },
};
