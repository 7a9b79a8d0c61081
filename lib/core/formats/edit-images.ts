/** What every provider requires of the images of an edit. Sources: openai 7.55.0, resources/images; the PNG specification (IHDR, tRNS). */
import { GatewayError } from '../errors/errors.ts';
import { invalid } from '../errors/invalid.ts';
import type { GivenImage, ImagesOfEdit } from '../generation/image.ts';
import { type ImageSize, imageSizeOf } from './image-size.ts';
import { sniffMediaType } from './media-type.ts';

const editable: readonly (string | undefined)[] = ['image/png', 'image/jpeg', 'image/webp'];

/** Of a mask or of markup, in bytes. */
const maxOverlayBytes = 4 * 1024 * 1024;

/** Images whose bytes are not there yet are not checked. @throws GatewayError 400 that names the field of what is wrong. */
export function checkEditImages({ images, mask, markup }: ImagesOfEdit<GivenImage>): void {
  for (const image of images) checkType(image);
  const [first] = images;
  if (mask) checkOverlay(mask, first);
  if (markup) checkOverlay(markup, first);
}

export const typeOfImage = (bytes: Uint8Array): string | undefined => sniffMediaType(bytes, 'image');

function checkType({ bytes, path }: GivenImage): void {
  if (bytes && !editable.includes(typeOfImage(bytes)))
    throw invalid(path, 'must be a PNG, WebP or JPEG image');
}

function checkOverlay({ bytes, path }: GivenImage, first: GivenImage | undefined): void {
  if (!bytes) return;
  if (typeOfImage(bytes) !== 'image/png') throw invalid(path, 'must be a PNG image');
  if (bytes.length > maxOverlayBytes)
    throw new GatewayError('payload_too_large', `'${path}' must have at most ${maxOverlayBytes} bytes.`, {
      param: path,
    });
  const own = sizeOf(bytes);
  const whole = first?.bytes && sizeOf(first.bytes);
  if (!own || !whole) return;
  if (!hasAlpha(bytes))
    throw invalid(path, 'must have an alpha channel: its transparent pixels say what is edited');
  // A camera may have turned a JPEG, which its size does not say.
  const isTurned = own.width === whole.height && own.height === whole.width;
  const fits = own.width === whole.width && own.height === whole.height;
  if (!fits && !(isTurned && first?.bytes && typeOfImage(first.bytes) === 'image/jpeg'))
    throw invalid(path, `must have the size of the first image, ${named(whole)}, not ${named(own)}`);
}

const named = ({ width, height }: ImageSize): string => `${width}x${height}`;

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

const sizeOf = (bytes: Uint8Array): ImageSize | undefined => imageSizeOf(asBuffer(bytes));

/** Gray with alpha, colors with alpha, or a transparent color in a chunk before the pixels. */
function hasAlpha(bytes: Uint8Array): boolean {
  const png = asBuffer(bytes);
  if (png[25] === 4 || png[25] === 6) return true;
  const pixels = png.indexOf('IDAT');
  const transparent = png.indexOf('tRNS');
  return transparent > 0 && (pixels < 0 || transparent < pixels);
}
