/** The Anthropic Messages API. */
import type { GenerationProtocol } from '../../core/generation/protocol.ts';
import { decodeBody, decodeStream } from './decode.ts';
import { encode } from './encode.ts';
import { readFailure } from './failure.ts';

export const anthropicMessages: GenerationProtocol = {
  name: 'anthropic-messages',
  framing: 'sse',
  path: () => '/messages',
  encode,
  decodeBody,
  decodeStream,
  readFailure,
};
