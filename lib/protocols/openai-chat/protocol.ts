/**
 * The OpenAI chat completions protocol, in OpenAI's own dialect and those of many compatible hosts.
 */

import { asObject } from '../../core/formats/json-object.ts';
import type { GenerationProtocol } from '../../core/generation/original/protocol.ts';
import { withoutMessageIndex } from '../failure.ts';
import { readServiceTier } from '../service-tier.ts';
import { decodeBody, decodeStream } from './decode.ts';
import { type Dialect, openaiDialect } from './dialect.ts';
import { encode } from './encode.ts';
import { readFailure } from './failure.ts';
import { chatFields } from './native-fields.ts';
import { readUsage } from './usage.ts';
import type * as wire from './wire.ts';

/** Filling in between two texts: the fields of a chat request, with `prompt` and `suffix` in place of messages. Its answers are those of chat. */
export function createFillIn(dialect: Dialect, path: string): GenerationProtocol {
  return {
    ...createOpenaiChat(dialect),
    path: () => path,
    encode: (request, target) => {
      const parts = request.messages.flatMap(({ content }) => content);
      const prompt = parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('');
      const { messages: _, ...fields } = encode({ ...request, messages: [] }, target, dialect);
      return { ...fields, prompt, suffix: request.suffix };
    },
  };
}

export function createOpenaiChat(dialect: Dialect): GenerationProtocol {
  return {
    name: 'openai-chat',
    nativeFields: () => chatFields(dialect),
    framing: 'sse',
    path: () => '/chat/completions',
    encode: (request, target) => encode(request, target, dialect),
    decodeBody: (body) => decodeBody(body, dialect),
    decodeStream: () => decodeStream(dialect),
    readUsage: (body) => {
      const answer = asObject<wire.Answer>(body);
      const counted = readUsage(answer);
      const serviceTier = readServiceTier(answer.service_tier);
      return counted && { ...counted, ...(serviceTier !== undefined && { serviceTier }) };
    },
    readFailure: (failure) => {
      const error = readFailure(failure, dialect);
      return dialect.mergesTurns ? withoutMessageIndex(error, 'messages') : error;
    },
  };
}

export const openaiChat: GenerationProtocol = createOpenaiChat(openaiDialect);
