/**
 * Redacted reasoning on the Converse wire. For Claude it is the text that Anthropic's own wire shows, once more in
 * base64: unwrapped, it can go back over either wire.
 */

import { claudeFormat } from '../../core/generation/reasoning-format.ts';
import type { ReasoningFormat } from '../../core/generation/request.ts';

/** Reasoning of this wire that is not Claude's, or not signed: it can be read but not sent back. */
export const unsignedFormat = 'bedrock-converse-v1';

/** The data as Anthropic's wire has it, or as it is where it is something else. */
export function readRedacted(content: string): { readonly data: string; readonly format: ReasoningFormat } {
  const unwrapped = Buffer.from(content, 'base64').toString('latin1');
  return /^[A-Za-z0-9+/_=-]+$/.test(unwrapped)
    ? { data: unwrapped, format: claudeFormat }
    : { data: content, format: unsignedFormat };
}
