/** The type of a file, by what its sender says of it. */
import { expect, test } from 'vitest';
import {
  fileTypeOf,
  isKnownFileType,
  isTextType,
  nameFor,
  officeTypes,
} from '../../lib/core/formats/file-type.ts';

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
