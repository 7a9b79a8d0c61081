/** What a model must get back of the thinking blocks that it wrote. */
import { openSignature } from '../../lib/operations/messages/signature.ts';
import type { Json } from './messages.ts';

/** Signatures, encrypted pieces, and the texts of models that take these back. Fails for a block encoded for another model. */
export function continuations(model: string, content: readonly Json[]): readonly string[] {
  return content.flatMap((block) => {
    if (block.type === 'redacted_thinking') return [String(block.data)];
    if (block.type !== 'thinking') return [];
    const encoded = openSignature(String(block.signature));
    if (!encoded) return [String(block.signature)];
    if (encoded.model !== model) throw new Error(`A block of ${encoded.model} in an answer of ${model}.`);
    if (encoded.details.length === 0) return [encoded.unseen ?? String(block.thinking)];
    return encoded.details.flatMap((detail) => {
      if (detail.type === 'reasoning.encrypted') return [detail.data];
      return [detail.type === 'reasoning.text' ? detail.text : detail.summary];
    });
  });
}

/** A text as it stands inside a JSON body. */
export const inBody = (text: string): string => JSON.stringify(text).slice(1, -1);
