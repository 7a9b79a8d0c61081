/**
 * Reading an image that came inside a `data:` URL: its bytes, and the type that they really have.
 */
import { GatewayError } from '../core/errors.ts';
import { sniffImageType } from '../core/image-type.ts';
import type { FetchedImage } from '../core/ports.ts';

/** Characters of base64 that hold the first bytes of an image: enough to know its type. */
const headLength = 64;

/**
 * The image inside a `data:` URL. The type is told by the first bytes: the declared one is often wrong.
 *
 * @throws GatewayError `invalid_request` naming `param` where it is no PNG, JPEG, GIF or WebP image in base64.
 */
export function readDataUrl(url: string, param: string): FetchedImage {
  const comma = url.indexOf(',');
  const isBase64 = /^data:[^,]*;base64$/i.test(url.slice(0, Math.max(0, comma)));
  const base64 = isBase64 ? url.slice(comma + 1) : '';
  const mediaType = sniffImageType(Buffer.from(base64.slice(0, headLength), 'base64'));
  if (mediaType) return { mediaType, base64 };
  throw new GatewayError('invalid_request', 'The data URL holds no PNG, JPEG, GIF or WebP image in base64.', {
    param,
  });
}

/** Where a caller finds an image part. */
export function imageParam(message: number, part: number): string {
  return `messages.${message}.content.${part}.image_url.url`;
}
