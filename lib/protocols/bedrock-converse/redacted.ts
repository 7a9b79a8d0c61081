/**
 * Redacted reasoning in the Converse API. For Claude, it is the text of Anthropic's own API encoded once more in base64.
 * Decoded, it can be sent back with either protocol.
 */

import { claudeFormat } from '../../core/generation/reasoning-format.ts';
import type { ReasoningFormat } from '../../core/generation/request.ts';

/** Reasoning of other models, or without a signature: it can be read but not sent back. */
export const unsignedFormat = 'bedrock-converse-v1';

/** The data as in Anthropic's own API, or unchanged if it is something else. */
export function readRedacted(content: string): { readonly data: string; readonly format: ReasoningFormat } {
  const unwrapped = Buffer.from(content, 'base64').toString('latin1');
  return /^[A-Za-z0-9+/_=-]+$/.test(unwrapped)
    ? { data: unwrapped, format: claudeFormat }
    : { data: content, format: unsignedFormat };
}
