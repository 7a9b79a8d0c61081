/** Compressed request bodies: every coding, its limits, and what is refused. */
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { maxBodyBytes } from '../../lib/http/request/body-limit.ts';
import { jsonBody } from '../../lib/http/request/request.ts';
import { httpRequest } from '../harness/http-request.ts';

const requestOf = (coding: string, body: Buffer | string) =>
  httpRequest({ headers: { 'content-type': 'application/json', 'content-encoding': coding }, body });

function errorOf(coding: string, body: Buffer | string): unknown {
  try {
    jsonBody(requestOf(coding, body));
  } catch (error) {
    return error;
  }
  return undefined;
}

const text = '{"a":"grüße"}';

const codings = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  GZIP: gzipSync,
  deflate: deflateSync,
  ' deflate ': deflateRawSync,
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  zstd: zstdCompressSync,
  identity: Buffer.from,
  '': Buffer.from,
} as Readonly<Record<string, (bytes: Buffer) => Buffer>>;

test.each(Object.entries(codings))('a body may be encoded with "%s"', (coding, encode) => {
  expect(jsonBody(requestOf(coding, encode(Buffer.from(text)))).body).toEqual({ a: 'grüße' });
});

test('two codings are taken off in the reverse order', () => {
  expect(jsonBody(requestOf('gzip, br', brotliCompressSync(gzipSync(text)))).body).toEqual({ a: 'grüße' });
});

test('a body that API Gateway has decoded already is read as it is', () => {
  expect(jsonBody(requestOf('gzip', text)).body).toEqual({ a: 'grüße' });
});

describe('415, which names the header', () => {
  const unsupported = { status: 415, message: expect.stringContaining("'Content-Encoding'") };

  test.each(['compress', 'gzip, compress', 'br, gzip, gzip', 'constructor', '__proto__', 'gzip;q=1'])(
    'is the answer to "%s"',
    (coding) => {
      expect(errorOf(coding, gzipSync(text))).toMatchObject(unsupported);
    },
  );

  test('is the answer to bytes that were damaged because they arrived as text', () => {
    expect(errorOf('gzip', gzipSync(text).toString('utf8'))).toMatchObject(unsupported);
    expect(errorOf('compress', text)).toMatchObject(unsupported);
  });
});

test.each(['gzip', 'deflate', 'br', 'zstd'])('a body that is no %s is a 400 that says so', (coding) => {
  const invalid = { status: 400, message: expect.stringContaining(`not valid ${coding}`) };
  expect(errorOf(coding, Buffer.from(text))).toMatchObject(invalid);
  const cut = codings[coding]?.(Buffer.from(text.repeat(50))).subarray(0, 20) ?? Buffer.of();
  expect(errorOf(coding, cut)).toMatchObject(invalid);
});

describe('a small body that is large decoded', () => {
  const large = Buffer.alloc(100 * 1024 * 1024);

  test.each(['gzip', 'deflate', 'br', 'zstd'])(
    'is a 413 of %s, decoded no further than the limit',
    (coding) => {
      const bomb = codings[coding]?.(large) ?? Buffer.of();
      expect(large.length / bomb.length).toBeGreaterThan(900);
      const before = process.memoryUsage.rss();
      expect(errorOf(coding, bomb)).toMatchObject({ status: 413, code: 'request_too_large' });
      expect(process.memoryUsage.rss() - before).toBeLessThan(8 * maxBodyBytes);
    },
  );

  test('is a 413 inside another coding', () => {
    expect(errorOf('gzip, gzip', gzipSync(gzipSync(large)))).toMatchObject({ status: 413 });
  });

  test('may have the limit exactly', () => {
    const full = Buffer.from(`{"a":"${'x'.repeat(maxBodyBytes - 8)}"}`);
    expect(full.length).toBe(maxBodyBytes);
    expect(errorOf('gzip', gzipSync(full))).toBeUndefined();
    expect(errorOf('gzip', gzipSync(Buffer.concat([full, Buffer.from(' ')])))).toMatchObject({ status: 413 });
  });
});
