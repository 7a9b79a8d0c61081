/** The time limit of a generated answer that is sent as one JSON body. */
import type { BufferedLimit } from '../../core/endpoint.ts';

export const bufferedGeneration: BufferedLimit = {
  share: 1,
  message: "The answer took longer than an unstreamed response may take. Set 'stream' to true.",
};
