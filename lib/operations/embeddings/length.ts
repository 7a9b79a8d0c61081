/**
 * The maximum length of a text: 8,192 tokens of `cl100k_base`, whichever model embeds it, not counting a model's prefix.
 */
import { inTurns } from '../../async/in-turns.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { type EmbeddingRequest, textPath } from '../../core/generation/embedding.ts';

export const maxTokens = 8192;

/** The longest token, in bytes. */
const longestToken = 128;

/** Whether the tokens of a text must be counted. */
export const mustCount = ({ texts }: EmbeddingRequest): boolean =>
  texts.some((text) => Buffer.byteLength(text) > maxTokens);

/** Rejects with GatewayError `invalid_request` naming the first text that is too long, or with the reason of the signal. */
export async function checkLength(request: EmbeddingRequest, signal: AbortSignal): Promise<void> {
  for (const [position, text] of request.texts.entries()) {
    if (await isTooLong(text, signal)) {
      const message = `Each text in 'input' must have at most ${maxTokens} tokens.`;
      throw new GatewayError('invalid_request', message, { param: textPath(request, position) });
    }
  }
}

/** A token has at least one byte and at most `longestToken` bytes, so only lengths in between need counting. */
async function isTooLong(text: string, signal: AbortSignal): Promise<boolean> {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxTokens) return false;
  if (bytes > maxTokens * longestToken) return true;
  const { countTokens } = await import('../../pipeline/byte-pairs/byte-pairs.ts');
  return (await inTurns(countTokens(text, maxTokens), signal)) > maxTokens;
}
