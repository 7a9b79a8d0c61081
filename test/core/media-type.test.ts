/** The type of an image or a document is detected by its first bytes alone. */
import { expect, test } from 'vitest';
import { sniffMediaType } from '../../lib/core/formats/media-type.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

test.each([
  ['\x89PNG\r\n\x1a\n…', 'image/png'],
  ['\xff\xd8\xff\xe0', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['RIFF\x01\x02\x03\x04WEBP', 'image/webp'],
])('bytes that begin with %j are %s', (text, mediaType) => {
  expect(sniffMediaType(bytes(text), 'image')).toBe(mediaType);
});

test.each(['', '\x89PNG', '\xff\xd8', 'GIF88a', 'RIFF\x01\x02\x03\x04WAVE', '<svg>', ' GIF89a', 'BM'])(
  'bytes that begin with %j are no image that is known',
  (text) => {
    expect(sniffMediaType(bytes(text), 'image')).toBeUndefined();
  },
);

test('a document is a PDF or unknown', () => {
  expect(sniffMediaType(bytes('%PDF-1.7'), 'file')).toBe('application/pdf');
  for (const text of ['', '%PDF', 'PK\x03\x04', '\x89PNG\r\n\x1a\n']) {
    expect(sniffMediaType(bytes(text), 'file')).toBeUndefined();
  }
  expect(sniffMediaType(bytes('%PDF-1.7'), 'image')).toBeUndefined();
});

test.each([
  ['\0\0\0\x18ftypmp42', 'video/mp4'],
  ['\0\0\0\x14ftypqt  ', 'video/quicktime'],
  ['\0\0\0\x14ftyp3gp4', 'video/3gpp'],
  ['\x1a\x45\xdf\xa3', 'video/webm'],
  ['RIFF\x01\x02\x03\x04AVI LIST', 'video/avi'],
  ['\x00\x00\x01\xba', 'video/mpeg'],
  ['FLV\x01', 'video/x-flv'],
  ['\x30\x26\xb2\x75', 'video/wmv'],
  ['GIF89a', undefined],
])('a video that begins with %j is %s', (text, mediaType) => {
  expect(sniffMediaType(bytes(text), 'video')).toBe(mediaType);
});

test('an office document is an archive or a compound file, and a text has no zero byte', () => {
  expect(sniffMediaType(bytes('PK\x03\x04'), 'office')).toBe('application/zip');
  expect(sniffMediaType(bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), 'office')).toBe('application/x-cfb');
  expect(sniffMediaType(bytes('%PDF-1.7'), 'office')).toBeUndefined();
  expect(sniffMediaType(bytes('a,b'), 'text')).toBe('text/plain');
  expect(sniffMediaType(bytes('a\0b'), 'text')).toBeUndefined();
});
