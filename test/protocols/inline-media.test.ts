/** What is in the `data:` URL of a part: its bytes, and the type that they have or that its sender gives. */
import { describe, expect, test } from 'vitest';
import { type MediaPart, onlySeen, readDataUrl } from '../../lib/protocols/inline-media.ts';
import { errorOf } from './answer.ts';

const zip = btoa('PK\x03\x04 and more');
const pdf = btoa('%PDF-1.7');
const gif = btoa('GIF89a and more');
const mp4 = btoa('\0\0\0\x18ftypisom');
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const csv = btoa('a,b');

const part = (type: MediaPart['type'], url: string, mediaType?: string): MediaPart =>
  ({ type, url, ...(mediaType !== undefined && { mediaType }) }) as MediaPart;

test.each<[string, MediaPart, string]>([
  ['an image, by its bytes', part('image', `data:image/png;base64,${gif}`), 'image/gif'],
  ['an image of no declared type', part('image', `data:;base64,${gif}`), 'image/gif'],
  ['an image in capitals', part('image', `DATA:image/gif;BASE64,${gif}`), 'image/gif'],
  ['an image with a parameter', part('image', `data:image/gif;name=a;base64,${gif}`), 'image/gif'],
  ['a film', part('video', `data:video/webm;base64,${mp4}`), 'video/mp4'],
  ['a document', part('file', `data:any/thing;base64,${pdf}`), 'application/pdf'],
  ['a document of Word', part('file', `data:any/thing;base64,${zip}`, word), word],
  ['a text', part('file', `data:any/thing;base64,${csv}`, 'text/csv'), 'text/csv'],
  ['audio, as its sender says', part('audio', 'data:audio/mp3;base64,AAAB'), 'audio/mp3'],
])('%s', (_, given, mediaType) => {
  expect(readDataUrl(given)).toStrictEqual({
    mediaType,
    base64: given.url.slice(given.url.indexOf(',') + 1),
  });
});

test.each<[string, MediaPart, string]>([
  ['another type', part('image', `data:image/png;base64,${pdf}`), 'PNG, JPEG, GIF or WebP image'],
  ['a document as one of Word', part('file', `data:any/thing;base64,${pdf}`, word), 'Word'],
  ['one of Word as a document', part('file', `data:any/thing;base64,${zip}`), 'PDF document'],
  ['no base64', part('image', 'data:image/gif,GIF89a'), 'PNG, JPEG, GIF or WebP image'],
  ['no data', part('image', 'data:image/gif;base64'), 'PNG, JPEG, GIF or WebP image'],
  ['words before it', part('image', `a data:image/gif;base64,${gif}`), 'PNG, JPEG, GIF or WebP image'],
  ['words behind its head', part('image', `data:image/gif;base64x,${gif}`), 'PNG, JPEG, GIF or WebP image'],
])('%s is refused', (_, given, known) => {
  const error = errorOf(() => readDataUrl(given));
  expect(error.kind).toBe('invalid_request');
  expect(error.message).toContain(known);
});

test('audio without a head has no type and no bytes', () => {
  expect(readDataUrl(part('audio', 'data:audio/mp3,AAAB'))).toStrictEqual({ mediaType: '', base64: '' });
});

describe('a protocol without audio and film', () => {
  test.each(['image', 'file'] as const)('takes what is of type %s', (type) => {
    const given = part(type, 'https://a.example/');
    expect(onlySeen(given)).toBe(given);
  });

  test.each(['audio', 'video'] as const)('refuses %s by name', (type) => {
    expect(errorOf(() => onlySeen(part(type, 'https://a.example/')))).toMatchObject({
      kind: 'invalid_request',
      code: 'unsupported_modality',
      message: `The provider of this model does not accept ${type} input.`,
    });
  });
});
