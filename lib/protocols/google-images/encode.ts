/**
 * Encodes an image request as a Gemini generateContent request. An unknown parameter is sent in `generationConfig` under its
 * public name, so that Google rejects it.
 */

import type { ImageRequest } from '../../core/generation/image.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { closestShape, readSize } from '../image-shape.ts';

/** The aspect ratios that every Gemini image model supports. */
const shapes = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'] as const;

/** The higher resolutions, by their minimum number of pixels. */
const resolutions = [
  { imageSize: '4K', from: 9_000_000 },
  { imageSize: '2K', from: 2_500_000 },
] as const;

export function encode({ prompt, parameters }: ImageRequest): JsonObject {
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
    generationConfig: {
      responseModalities: ['IMAGE'],
      ...(n > 1 && { candidateCount: n }),
      ...(Object.keys(imageConfig).length > 0 && { imageConfig }),
      ...unknown,
    },
  };
}

/** Without an aspect ratio the model chooses one, which is what `auto` means. */
function encodeSize(text: string | undefined): JsonObject {
  const size = readSize(text ?? 'auto');
  if (!size) return {};
  const larger = resolutions.find(({ from }) => size.pixels >= from);
  return { aspectRatio: closestShape(size, shapes), ...(larger && { imageSize: larger.imageSize }) };
}

/** Supported by Vertex only. */
function encodeOutput(format: string | undefined, compressionQuality: number | undefined): JsonObject {
  if (format === undefined && compressionQuality === undefined) return {};
  const options = {
    ...(format !== undefined && { mimeType: `image/${format}` }),
    ...(compressionQuality !== undefined && { compressionQuality }),
  };
  return { imageOutputOptions: options };
}
