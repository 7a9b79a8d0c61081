/**
 * The OpenAI chat completions wire, in OpenAI's own dialect and in those of the many other hosts that speak it.
 */
import type { GenerationProtocol } from '../../core/generation/protocol.ts';
import { decodeBody, decodeStream } from './decode.ts';
import { type Dialect, openaiDialect } from './dialect.ts';
import { encode } from './encode.ts';
import { readFailure } from './failure.ts';

export function createOpenaiChat(dialect: Dialect): GenerationProtocol {
  return {
    wire: 'openai-chat',
    framing: 'sse',
    path: () => '/chat/completions',
    encode: (request, target) => encode(request, target, dialect),
    decodeBody: (body) => decodeBody(body, dialect),
    decodeStream: () => decodeStream(dialect),
    readFailure: (failure) => readFailure(failure, dialect),
  };
}

export const openaiChat: GenerationProtocol = createOpenaiChat(openaiDialect);
