/**
 * The limit of each text: 8,192 tokens, counted in `cl100k_base` for every model, without the prefix that a model may
 * need.
 */
import { GatewayError } from '../../core/errors.ts';
import { type EmbeddingRequest, textPath } from '../../core/generation/embedding.ts';

const maxTokens = 8192;

/** The longest token, in bytes. */
const longestToken = 128;

/** Rejects with GatewayError `invalid_request` naming the first text that is too long. */
export async function checkLength(request: EmbeddingRequest): Promise<void> {
  for (const [position, text] of request.texts.entries()) {
    if (await isTooLong(text)) {
      const message = `Each text of 'input' must have at most ${maxTokens} tokens.`;
      throw new GatewayError('invalid_request', message, { param: textPath(request, position) });
    }
  }
}

/** A token is at least one byte, and none is longer than the longest: only what lies between is counted. */
async function isTooLong(text: string): Promise<boolean> {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxTokens) return false;
  if (bytes > maxTokens * longestToken) return true;
  const { countTokens } = await import('./byte-pairs.ts');
  return countTokens(text, maxTokens) > maxTokens;
}
