/** Thinking blocks in a conversation: how a model is asked, and what it must get back of those that it wrote. */
import { expect } from 'vitest';
import { openSignature } from '../../lib/operations/messages/signature.ts';
import type { TestGateway } from './gateways/gateway.ts';
import { checkedMessage, type Json, type MessageSeen } from './messages.ts';

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

/** Asks a model that thinks and has a tool; `gateway` answers with 200. */
export async function askThinker(
  gateway: Pick<TestGateway, 'post'>,
  model: string,
  messages: readonly Json[],
): Promise<MessageSeen> {
  const response = await gateway.post('/v1/messages', {
    model,
    max_tokens: 1000,
    messages,
    tools: [{ name: 'weather', input_schema: { type: 'object', properties: { city: { type: 'string' } } } }],
    thinking: { type: 'adaptive' },
    extra: { debug: ['normalizations'] },
  });
  const body = (await response.json()) as MessageSeen;
  expect([response.status, response.status === 200 ? '' : body]).toEqual([200, '']);
  return checkedMessage(body);
}

/** The results of the calls of a turn. */
export const toolResults = ({ content }: MessageSeen): Json => ({
  role: 'user',
  content: content.flatMap(({ type, id }) =>
    type === 'tool_use' ? [{ type: 'tool_result', tool_use_id: id, content: 'Sunny.' }] : [],
  ),
});
