/**
 * The OpenAI chat completions wire, which many other hosts speak too.
 */
import type { GenerationProtocol } from '../../core/protocol.ts';
import { decodeBody, decodeStream } from './decode.ts';
import { encode } from './encode.ts';
import { readFailure } from './failure.ts';

export const openaiChat: GenerationProtocol = {
  framing: 'sse',
  path: () => '/chat/completions',
  encode,
  decodeBody,
  decodeStream,
  readFailure,
};
