/**
 * What kind of image some bytes are, told by how they begin: a name or a header may say anything.
 */
import type { FetchedImage } from './ports.ts';

type MediaType = FetchedImage['mediaType'];

/** The media type of an image that every provider knows, or undefined. */
export function sniffImageType(bytes: Uint8Array): MediaType | undefined {
  const has = (text: string, at = 0) => hasText(bytes, text, at);
  if (has('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (has('\xff\xd8\xff')) return 'image/jpeg';
  if (has('GIF87a') || has('GIF89a')) return 'image/gif';
  if (has('RIFF') && has('WEBP', 8)) return 'image/webp';
  return undefined;
}

/** Whether the bytes from `at` on are these characters, each of which stands for one byte. */
function hasText(bytes: Uint8Array, text: string, at: number): boolean {
  return Array.from(text, (character) => character.charCodeAt(0)).every(
    (byte, index) => bytes[at + index] === byte,
  );
}
