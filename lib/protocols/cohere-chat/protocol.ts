/** The Cohere v2 chat API. */
import type { GenerationProtocol } from '../../core/generation/protocol.ts';
import { decodeBody, decodeStream } from './decode.ts';
import { encode } from './encode.ts';
import { readFailure } from './failure.ts';

export const cohereChat: GenerationProtocol = {
  name: 'cohere-chat',
  framing: 'sse',
  path: () => '/chat',
  encode,
  decodeBody,
  decodeStream,
  readFailure,
};
