/** What is the same in all requests of one conversation, and what the conditions of an alias are compared with. */
import { hash } from 'node:crypto';
import type { GenerationRequest, Message } from '../../core/generation/request.ts';
import type { RequestShape } from '../../routing/alias.ts';
import { estimateInput } from '../use/seen-use.ts';

/** Enough to tell conversations apart; two that begin alike for so long may share a place. */
const maxCharacters = 16_384;

/**
 * The caller's `prompt_cache_key`, else a hash of the first system message and the first user message: later turns repeat both.
 * Undefined without a text of the user.
 */
export function conversationIn({ messages, parameters }: GenerationRequest): string | undefined {
  const { prompt_cache_key: given } = parameters;
  if (typeof given === 'string') return given;
  const user = textOf(messages.find(({ role }) => role === 'user'));
  if (user === '') return undefined;
  const system = textOf(messages.find(({ role }) => role === 'system'));
  return hash('sha256', `${system.length}\n${system}${user}`);
}

function textOf(message: Message | undefined): string {
  let text = '';
  for (const part of message?.content ?? []) {
    text += part.type === 'text' ? part.text : '';
    if (text.length >= maxCharacters) break;
  }
  return text.slice(0, maxCharacters);
}

export function shapeOf(request: GenerationRequest): RequestShape {
  return {
    tools: request.tools.length > 0,
    images: request.messages.some(({ content }) => content.some(({ type }) => type === 'image')),
    inputTokens: estimateInput(request),
  };
}
