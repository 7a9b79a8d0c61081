/**
 * Reading an image or a document that came inside a `data:` URL: its bytes, and the type that they really have.
 */
import { GatewayError } from '../core/errors.ts';
import type { FilePart, ImagePart } from '../core/generation/request.ts';
import { pathOf } from '../core/generation/source.ts';
import { knownMedia, sniffMediaType } from '../core/media-type.ts';
import type { FetchedMedia } from '../core/ports.ts';

/** A part of a message that is not text. */
export type MediaPart = ImagePart | FilePart;

/** Characters of base64 that hold the first bytes: enough to know the type. */
const headLength = 64;

export const isDataUrl = (url: string): boolean => /^data:/i.test(url);

/**
 * What is inside a part's `data:` URL. The type is told by the first bytes: the declared one is often wrong.
 *
 * @throws GatewayError `invalid_request` naming the part where it is nothing in base64 that the part may be.
 */
export function readDataUrl(part: MediaPart): FetchedMedia {
  const { type, url } = part;
  const comma = url.indexOf(',');
  const isBase64 = /^data:[^,]*;base64$/i.test(url.slice(0, Math.max(0, comma)));
  const base64 = isBase64 ? url.slice(comma + 1) : '';
  const mediaType = sniffMediaType(Buffer.from(base64.slice(0, headLength), 'base64'), type);
  if (mediaType) return { mediaType, base64 };
  const message = `The data URL does not contain a base64-encoded ${knownMedia[type]}.`;
  throw new GatewayError('invalid_request', message, { param: pathOf(part, 'url') });
}
