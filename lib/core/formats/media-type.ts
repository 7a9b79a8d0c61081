/** Detects a media type by the first bytes. File names and headers are not trusted. */

import type { MediaKind } from '../ports/media.ts';
import { isTextType, pdfType } from './file-type.ts';

/** The media type, if it is one that all providers accept for this kind; else undefined. */
export function sniffMediaType(bytes: Uint8Array, kind: MediaKind): string | undefined {
  const has = (text: string, at = 0) => hasText(bytes, text, at);
  if (kind === 'file') return has('%PDF-') ? pdfType : undefined;
  if (kind === 'office') return containerOf(has);
  if (kind === 'text') return bytes.includes(0) ? undefined : 'text/plain';
  // What audio may be is found out where it is read.
  if (kind === 'audio') return 'application/octet-stream';
  if (kind === 'video') return videoTypes.find(([head, at]) => has(head, at))?.[2];
  if (has('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (has('\xff\xd8\xff')) return 'image/jpeg';
  if (has('GIF87a') || has('GIF89a')) return 'image/gif';
  if (has('RIFF') && has('WEBP', 8)) return 'image/webp';
  return undefined;
}

/** What a video begins with, after this many bytes, and its type. */
const videoTypes: readonly (readonly [head: string, at: number, type: string])[] = [
  ['ftypqt', 4, 'video/quicktime'],
  ['ftyp3g', 4, 'video/3gpp'],
  ['ftyp', 4, 'video/mp4'],
  ['\x1a\x45\xdf\xa3', 0, 'video/webm'],
  ['AVI ', 8, 'video/avi'],
  ['\x00\x00\x01\xba', 0, 'video/mpeg'],
  ['FLV', 0, 'video/x-flv'],
  ['\x30\x26\xb2\x75', 0, 'video/wmv'],
];

/** The accepted types of each kind, for error messages. */
export const knownMedia: Readonly<Record<MediaKind, string>> = {
  image: 'PNG, JPEG, GIF or WebP image',
  file: 'PDF document',
  office: 'Word, Excel, PowerPoint or OpenDocument file',
  text: 'text file',
  audio: 'audio file',
  video: 'MP4, MOV, WebM, AVI, MPEG, 3GPP, FLV or WMV video',
};

/** What the file of a part must be. */
export function kindOfFile(mediaType = pdfType): MediaKind {
  if (mediaType === pdfType) return 'file';
  return isTextType(mediaType) ? 'text' : 'office';
}

/** Today's office documents are ZIP archives, older ones compound files. */
function containerOf(has: (text: string) => boolean): string | undefined {
  if (has('PK\x03\x04')) return 'application/zip';
  return has('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1') ? 'application/x-cfb' : undefined;
}

/** Whether these characters, one byte each, start at index `at`. */
function hasText(bytes: Uint8Array, text: string, at: number): boolean {
  return Array.from(text, (character) => character.charCodeAt(0)).every(
    (byte, index) => bytes[at + index] === byte,
  );
}
