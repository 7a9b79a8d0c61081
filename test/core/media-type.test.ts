/** The type of a file: by its first bytes alone, and by what its sender says of it. */

import { expect, test } from 'vitest';
import {
  fileTypeOf,
  isKnownFileType,
  isTextType,
  nameFor,
  officeTypes,
} from '../../lib/core/formats/file-type.ts';
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

test.each([
  ['data:application/pdf;base64,AAAA', undefined, 'application/pdf'],
  ['data:TEXT/CSV;charset=utf-8;base64,AAAA', 'a.pdf', 'text/csv'],
  ['data:application/octet-stream;base64,AAAA', 'a.md', 'text/markdown'],
  ['data:;base64,AAAA', 'main.rs', 'text/plain'],
  ['data:;base64,AAAA', undefined, 'application/pdf'],
  ['data:video/mp2t;base64,AAAA', 'a.ts', 'text/plain'],
  ['data:application/zip;base64,AAAA', 'a', 'application/zip'],
  ['data:application/zip;base64,AAAA', 'a.docx', officeTypes.docx],
  ['https://example.com/a.csv?x=1', undefined, 'text/csv'],
  ['https://example.com/a.csv', 'b.xlsx', officeTypes.xlsx],
  ['https://example.com/a', undefined, 'application/pdf'],
  ['https://example.com/constructor', 'a.constructor', 'application/pdf'],
])('%s named %s is %s', (url, filename, type) => {
  expect(fileTypeOf({ url, filename })).toBe(type);
});

test.each(['text/x-python', 'application/json', 'application/ld+json', 'image/svg+xml'])(
  '%s is text',
  (type) => {
    expect([isTextType(type), isKnownFileType(type)]).toEqual([true, true]);
  },
);

test.each(['image/png', 'application/zip', 'audio/mp3'])('%s is no file that a model reads', (type) => {
  expect([isTextType(type), isKnownFileType(type)]).toEqual([false, false]);
});

test('a file without a name gets one of its type', () => {
  const types = ['application/pdf', 'text/csv', 'text/x-python', officeTypes.docx];
  expect(types.map(nameFor)).toEqual(['document.pdf', 'document.csv', 'document.txt', 'document.docx']);
});
