/**
 * Encodes an image request as a Gemini generateContent request. An unknown parameter is sent in `generationConfig` under its
 * public name, so that Google rejects it.
 */

import { type Wire, withoutUndefined } from '../../core/formats/json-object.ts';
import type { ImageRequest } from '../../core/generation/image.ts';
import type { Body, Config } from '../google-generate-content/wire.ts';
import { closestShape, readSize } from '../image-shape.ts';

/** The aspect ratios that every Gemini image model supports. */
const shapes = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'] as const;

/** The higher resolutions, by their minimum number of pixels. */
const resolutions = [
  { imageSize: '4K', from: 9_000_000 },
  { imageSize: '2K', from: 2_500_000 },
] as const;

export function encode({ prompt, parameters }: ImageRequest): Body {
  // One call generates one image; several images take several calls.
  const {
    n = 1,
    size,
    output_format: format,
    output_compression: compressionQuality,
    ...unknown
  } = parameters;
  const imageConfig = { ...encodeSize(size), ...encodeOutput(format, compressionQuality) };
  return {
    contents: [{ role: 'user', parts: [{ text: prompt }] }],
    generationConfig: withoutUndefined<ImageGeneration>({
      responseModalities: ['IMAGE'],
      candidateCount: n > 1 ? n : undefined,
      imageConfig: Object.keys(imageConfig).length > 0 ? imageConfig : undefined,
      ...unknown,
    }),
  };
}

type ImageGeneration = Config &
  Wire<{ readonly responseModalities: unknown; readonly imageConfig: ImageConfig }>;
type ImageConfig = Wire<{
  readonly aspectRatio: string;
  readonly imageSize: string;
  readonly imageOutputOptions: { readonly mimeType: string; readonly compressionQuality: number };
}>;

/** Without an aspect ratio the model chooses one, which is what `auto` means. */
function encodeSize(text: string | undefined): ImageConfig {
  const size = readSize(text ?? 'auto');
  if (!size) return {};
  const larger = resolutions.find(({ from }) => size.pixels >= from);
  const aspectRatio = closestShape(size, shapes);
  return larger ? { aspectRatio, imageSize: larger.imageSize } : { aspectRatio };
}

/** Supported by Vertex only. */
function encodeOutput(format: string | undefined, compressionQuality: number | undefined): ImageConfig {
  if (format === undefined && compressionQuality === undefined) return {};
  const mimeType = format === undefined ? undefined : `image/${format}`;
  const options = withoutUndefined({ mimeType, compressionQuality });
  return { imageOutputOptions: options };
}
