/** Detects a media type by the first bytes. File names and headers are not trusted. */
import type { FetchedMedia, MediaKind } from './ports/media.ts';

/** The media type, if it is one that all providers accept for this kind; else undefined. */
export function sniffMediaType(bytes: Uint8Array, kind: MediaKind): FetchedMedia['mediaType'] | undefined {
  const has = (text: string, at = 0) => hasText(bytes, text, at);
  if (kind === 'file') return has('%PDF-') ? 'application/pdf' : undefined;
  if (has('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (has('\xff\xd8\xff')) return 'image/jpeg';
  if (has('GIF87a') || has('GIF89a')) return 'image/gif';
  if (has('RIFF') && has('WEBP', 8)) return 'image/webp';
  return undefined;
}

/** The accepted types of each kind, for error messages. */
export const knownMedia: Readonly<Record<MediaKind, string>> = {
  image: 'PNG, JPEG, GIF or WebP image',
  file: 'PDF document',
};

/** Whether these characters, one byte each, start at index `at`. */
function hasText(bytes: Uint8Array, text: string, at: number): boolean {
  return Array.from(text, (character) => character.charCodeAt(0)).every(
    (byte, index) => bytes[at + index] === byte,
  );
}
