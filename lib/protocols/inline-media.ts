/**
 * Reads an image or a document from a `data:` URL: its bytes and their actual type.
 */
import { GatewayError } from '../core/errors.ts';
import type { FilePart, ImagePart } from '../core/generation/request.ts';
import { pathOf } from '../core/generation/source.ts';
import { kindOfFile, knownMedia, sniffMediaType } from '../core/media-type.ts';
import type { FetchedMedia } from '../core/ports/media.ts';

/** A part of a message that is not text. */
export type MediaPart = ImagePart | FilePart;

/** Enough base64 characters to detect the type from the first bytes. */
const headLength = 64;

export const isDataUrl = (url: string): boolean => /^data:/i.test(url);

/**
 * The content of a part's `data:` URL. The type is detected from the first bytes, because the declared one is often wrong.
 *
 * @throws GatewayError `invalid_request` with `param` if it is not base64 of a supported type.
 */
export function readDataUrl(part: MediaPart): FetchedMedia {
  const { url } = part;
  const kind = part.type === 'file' ? kindOfFile(part.mediaType) : 'image';
  const comma = url.indexOf(',');
  const isBase64 = /^data:[^,]*;base64$/i.test(url.slice(0, Math.max(0, comma)));
  const base64 = isBase64 ? url.slice(comma + 1) : '';
  const found = sniffMediaType(Buffer.from(base64.slice(0, headLength), 'base64'), kind);
  if (found) return { mediaType: part.type === 'file' ? (part.mediaType ?? found) : found, base64 };
  const message = `The data URL does not contain a base64-encoded ${knownMedia[kind]}.`;
  throw new GatewayError('invalid_request', message, { param: pathOf(part, 'url') });
}
