/** Files in messages: by their bytes or their URL, with the type that their sender says. */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { fileChecks, fileFields, readFile } from '../../lib/operations/file-schema.ts';

const schema = z.object(fileFields()).check(...fileChecks);

const bytes = 'AAAABBBB';
const pdf = 'JVBERi0x';
const pdfType = 'application/pdf';

test.each([
  [{ file_url: 'https://a.example/a.pdf' }, { url: 'https://a.example/a.pdf', mediaType: pdfType }],
  [
    { file_url: 'https://a.example/a', filename: 'a.csv' },
    { url: 'https://a.example/a', mediaType: 'text/csv', filename: 'a.csv' },
  ],
  [{ file_data: 'https://a.example/a.pdf' }, { url: 'https://a.example/a.pdf', mediaType: pdfType }],
  [
    { file_data: `data:text/csv;base64,${bytes}` },
    { url: `data:text/csv;base64,${bytes}`, mediaType: 'text/csv' },
  ],
  [
    { file_data: `data:application/octet-stream;base64,${bytes}`, filename: 'a.md' },
    { url: `data:text/markdown;base64,${bytes}`, mediaType: 'text/markdown', filename: 'a.md' },
  ],
  [
    { file_data: bytes, filename: 'a.txt', file_url: null },
    { url: `data:text/plain;base64,${bytes}`, mediaType: 'text/plain', filename: 'a.txt' },
  ],
  [
    { file_data: bytes, filename: 'A.PDF' },
    { url: `data:${pdfType};base64,${bytes}`, mediaType: pdfType, filename: 'A.PDF' },
  ],
  [
    { file_data: pdf, filename: null },
    { url: `data:${pdfType};base64,${pdf}`, mediaType: pdfType },
  ],
])('%j', (given, expected) => {
  const field = 'file_data' in given ? 'file_data' : 'file_url';
  expect(readFile(schema.parse(given))).toEqual({ field, ...expected });
});

test.each([
  ['', {}],
  ['', { file_data: bytes, file_url: 'https://a.example/a.pdf', filename: 'a.txt' }],
  ['file_url', { file_url: 'ftp://a.example/a.pdf' }],
  ['file_id', { file_id: 'file-1' }],
  ['file_data', { file_data: bytes }],
  ['file_data', { file_data: '!', filename: 'a.txt' }],
  ['file_data', { file_data: 'data:text/csv;base64,' }],
  ['file_data', { file_data: bytes, filename: 'a.zip' }],
])('%s is refused of %j', (path, given) => {
  const { error } = schema.safeParse(given);
  expect(error?.issues[0]?.path.join('.')).toBe(path);
});
