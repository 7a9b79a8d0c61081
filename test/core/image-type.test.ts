/** The type of an image is told by its first bytes alone. */
import { expect, test } from 'vitest';
import { sniffImageType } from '../../lib/core/image-type.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

test.each([
  ['\x89PNG\r\n\x1a\n…', 'image/png'],
  ['\xff\xd8\xff\xe0', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['RIFF\x01\x02\x03\x04WEBP', 'image/webp'],
])('bytes that begin with %j are %s', (text, mediaType) => {
  expect(sniffImageType(bytes(text))).toBe(mediaType);
});

test.each(['', '\x89PNG', '\xff\xd8', 'GIF88a', 'RIFF\x01\x02\x03\x04WAVE', '<svg>', ' GIF89a', 'BM'])(
  'bytes that begin with %j are no image that is known',
  (text) => {
    expect(sniffImageType(bytes(text))).toBeUndefined();
  },
);
