/** What an answer shows of the model's reasoning. */

import { isJsonObject } from '../../../core/formats/json-object.ts';
import type { GenerationRequest } from '../../../core/generation/request.ts';
import type { ShownThinking } from './write-content.ts';

/**
 * As Anthropic does: readable thinking for who asks for thinking and does not omit it. Many clients take the first block for the text,
 * so who does not ask for thinking gets no more than what the model needs back, and without tools nothing.
 */
export function shownThinking({ original, tools }: GenerationRequest): ShownThinking {
  const { type, display } = isJsonObject(original?.body.thinking) ? original.body.thinking : noThinking;
  const isAsked = type !== undefined && type !== 'disabled';
  if (isAsked) return display === 'omitted' ? 'signatures' : 'all';
  return tools.length > 0 ? 'signatures' : 'none';
}

const noThinking: { readonly type?: unknown; readonly display?: unknown } = {};
