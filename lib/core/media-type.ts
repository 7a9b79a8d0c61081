/**
 * What some bytes are, told by how they begin: a name or a header may say anything.
 */
import type { FetchedMedia, MediaKind } from './ports.ts';

/** The media type of what every provider knows of a kind, or undefined. */
export function sniffMediaType(bytes: Uint8Array, kind: MediaKind): FetchedMedia['mediaType'] | undefined {
  const has = (text: string, at = 0) => hasText(bytes, text, at);
  if (kind === 'file') return has('%PDF-') ? 'application/pdf' : undefined;
  if (has('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (has('\xff\xd8\xff')) return 'image/jpeg';
  if (has('GIF87a') || has('GIF89a')) return 'image/gif';
  if (has('RIFF') && has('WEBP', 8)) return 'image/webp';
  return undefined;
}

/** What is known of each kind, as a sentence names it. */
export const knownMedia: Readonly<Record<MediaKind, string>> = {
  image: 'PNG, JPEG, GIF or WebP image',
  file: 'PDF document',
};

/** Whether the bytes from `at` on are these characters, each of which stands for one byte. */
function hasText(bytes: Uint8Array, text: string, at: number): boolean {
  return Array.from(text, (character) => character.charCodeAt(0)).every(
    (byte, index) => bytes[at + index] === byte,
  );
}
