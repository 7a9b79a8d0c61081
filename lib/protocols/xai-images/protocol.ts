/**
 * xAI's images API: OpenAI's with an aspect ratio instead of a size. Images that moderation blocked are returned without
 * data.
 */

import type { Target } from '../../core/catalog/model.ts';
import { asArray, asObject, type JsonObject } from '../../core/formats/json-object.ts';
import type { ImageProtocol, ImageRequest } from '../../core/generation/image.ts';
import { upstreamError } from '../failure.ts';
import { closestShape, readSize } from '../image-shape.ts';
import { asOptionalText } from '../json.ts';
import type { Answer, Image } from '../openai-images/protocol.ts';
import { decode, imagesOf, readFailure } from '../openai-images/protocol.ts';

const shapes = [
  '1:1',
  '3:4',
  '4:3',
  '9:16',
  '16:9',
  '2:3',
  '3:2',
  '9:19.5',
  '19.5:9',
  '9:20',
  '20:9',
  '1:2',
  '2:1',
] as const;

/** The minimum number of pixels of the higher of its two resolutions. */
const largeFrom = 2_000_000;

export const xaiImages: ImageProtocol = {
  imagesPerCall: 10,
  path: () => '/images/generations',
  encode,
  edits: {
    path: () => '/images/edits',
    // JSON, where OpenAI has a form. Source: docs.x.ai, REST reference of images/edits: `image` and `images` exclude each other.
    encode(request, { images }, target) {
      const sent = images.map(({ mediaType, base64 }) => ({
        type: 'image_url',
        url: `data:${mediaType};base64,${base64}`,
      }));
      const [image] = sent;
      return { body: { ...encode(request, target), ...(sent.length > 1 ? { images: sent } : { image }) } };
    },
  },
  decode(body, base64) {
    const { data, error } = asObject<Answer>(body);
    const results = asArray(data).map(asObject<Image>);
    const hasLinks = results.some(({ url }) => asOptionalText(url) !== undefined);
    const isEmpty = Array.isArray(data) && imagesOf(data).length === 0 && !hasLinks;
    // It returns 200 without images if moderation blocked the request.
    if (isEmpty && (error ?? null) === null) throw upstreamError('upstream_content_policy');
    return decode(body, base64);
  },
  readFailure,
};

function encode({ prompt, parameters }: ImageRequest, { deployment }: Target): JsonObject {
  const { size, ...others } = parameters;
  return {
    model: deployment.upstreamId,
    prompt,
    response_format: 'b64_json',
    ...encodeSize(size),
    ...others,
  };
}

function encodeSize(text: string | undefined): object {
  if (text === undefined) return {};
  const size = readSize(text);
  if (!size) return { aspect_ratio: text };
  return { aspect_ratio: closestShape(size, shapes), ...(size.pixels >= largeFrom && { resolution: '2k' }) };
}
