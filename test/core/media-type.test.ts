/** The type of an image or a document is detected by its first bytes alone. */
import { expect, test } from 'vitest';
import { sniffMediaType } from '../../lib/core/media-type.ts';

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
