/** Gemini's protocol for images: a generateContent request whose answer is one image. */
import type { ImageProtocol } from '../../core/generation/image.ts';
import { readFailure } from '../google-generate-content/failure.ts';
import { decode, readImageUsage } from './decode.ts';
import { encode } from './encode.ts';

export const googleImages: ImageProtocol = {
  imagesPerCall: 1,
  path: (upstreamId) => `/models/${encodeURIComponent(upstreamId)}:generateContent`,
  encode: (request) => encode(request),
  decode,
  readUsage: readImageUsage,
  readFailure,
};
