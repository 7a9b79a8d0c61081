/** The images of an edit as a target gets them. What is at a URL is fetched once, for all targets. */
import { checkEditImages, typeOfImage } from '../core/formats/edit-images.ts';
import type { GivenImage, ImageEdit, ImagesOfEdit, InputImage } from '../core/generation/image.ts';
import { source, wholeSource } from '../core/generation/original/source.ts';
import type { MediaBytes } from '../core/ports/media.ts';
import type { HeldMedia } from '../transport/json-body.ts';
import { base64Of, blocksOf } from '../transport/media-bytes.ts';
import type { LinkedPart, RequestMedia } from './media/request-media.ts';

export interface LoadedEdit {
  readonly edit: ImagesOfEdit<InputImage>;
  readonly held: HeldMedia;
}

/** Rejects with GatewayError that names the field of an image that cannot be had, or must not be sent. */
export async function loadEdit(
  edit: ImageEdit,
  media: RequestMedia,
  signal: AbortSignal,
): Promise<LoadedEdit> {
  const given = [...edit.images, edit.mask, edit.markup].filter((image) => image !== undefined);
  const links = new Map(given.flatMap((image) => linkOf(image)));
  await media.load([...links.values()], { messages: [] }, signal);
  const withBytes = (image: GivenImage): GivenImage => {
    const link = links.get(image);
    const blocks = link && media.of(link)?.blocks;
    return blocks ? { ...image, bytes: Buffer.concat(blocks) } : image;
  };
  const complete = mapImages(edit, withBytes);
  checkEditImages(complete);
  const held = new Map<string, MediaBytes>();
  return { edit: mapImages(complete, (image) => inputOf(image, held)), held };
}

function linkOf(image: GivenImage): readonly (readonly [GivenImage, LinkedPart])[] {
  if (image.url === undefined) return [];
  return [[image, { type: 'image', url: image.url, [source]: wholeSource(image.path) }]];
}

function inputOf({ bytes = new Uint8Array() }: GivenImage, held: Map<string, MediaBytes>): InputImage {
  const media = { blocks: blocksOf(bytes), length: bytes.length };
  const base64 = base64Of(media);
  held.set(base64, media);
  return { mediaType: typeOfImage(bytes) ?? 'image/png', bytes, base64 };
}

const mapImages = <From, To>(
  { images, mask, markup }: ImagesOfEdit<From>,
  map: (image: From) => To,
): ImagesOfEdit<To> => ({
  images: images.map(map),
  ...(mask && { mask: map(mask) }),
  ...(markup && { markup: map(markup) }),
});
