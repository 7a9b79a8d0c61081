/** Filling in between two texts: the fields of a chat request, with `prompt` and `suffix` in place of messages. */
import type { GenerationProtocol } from '../../core/generation/original/protocol.ts';
import type { Dialect } from './dialect.ts';
import { encode } from './encode.ts';
import { createOpenaiChat } from './protocol.ts';

/** Its answers are those of chat. `path`: of its requests. */
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
