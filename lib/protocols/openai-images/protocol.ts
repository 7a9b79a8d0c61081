/** OpenAI's images API, also used by Azure. */
import type { ImageProtocol } from '../../core/generation/image.ts';
import { decode, readImageUsage } from './decode.ts';
import { readFailure } from './failure.ts';

export const openaiImages: ImageProtocol = {
  imagesPerCall: 10,
  path: () => '/images/generations',
  encode: ({ prompt, parameters }, { deployment }) => ({
    model: deployment.upstreamId,
    prompt,
    ...parameters,
  }),
  decode,
  readUsage: readImageUsage,
  readFailure,
};
