/**
 * At every provider: what a model thought before a call comes back to it with the result, or its loss is on record. A client of
 * Anthropic's protocol keeps nothing but blocks.
 */
import { describe, expect, test } from 'vitest';
import { useWatchedGateway } from '../../harness/gateways/watched-gateway.ts';
import { reasoningRows } from '../../harness/matrix/providers.ts';
import { askMessages, type Json, type MessageSeen } from '../../harness/messages.ts';
import { continuations, inBody } from '../../harness/messages-thinking.ts';

const gateway = useWatchedGateway(...reasoningRows.map(({ provider }) => provider));

/** These take no reasoning back, as far as is known. */
const takesNothing = [
  ...['alibaba', 'zai', 'mistral', 'xai', 'groq', 'together', 'fireworks', 'huggingface', 'self-hosted'],
  // Nova, whose reasoning is not signed.
  'bedrock',
];

/** The model of Cerebras cannot be asked to think, and its sandbox waits for that. */
const rows = reasoningRows.filter(({ provider }) => provider !== 'cerebras');

const tools = [
  {
    name: 'weather',
    input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
];

interface Debugged {
  readonly normalizations?: readonly Json[];
}

const resultsOf = ({ content }: MessageSeen) =>
  content
    .filter(({ type }) => type === 'tool_use')
    .map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'Sunny.' }));

describe.each(rows)('$provider', ({ provider, reasoning: model }) => {
  test.each([
    ['a body', false, 'summarized'],
    ['a stream', true, 'summarized'],
    ['a stream without readable thinking', true, 'omitted'],
  ])('%s', async (_, stream, display) => {
    const ask = async (messages: readonly Json[]) => {
      gateway.take();
      const body = { model, messages, tools, stream, max_tokens: 4000, extra: { debug: ['normalizations'] } };
      const thinking = { thinking: { type: 'adaptive', display }, output_config: { effort: 'high' } };
      const message = await askMessages(gateway, { ...body, ...thinking }, { isOriginal: true });
      return { message, sent: JSON.stringify(gateway.take().at(-1)?.body) };
    };
    const question = { role: 'user', content: 'What is the weather? sandbox call weather' };
    const first = await ask([question]);
    const { content, model: answering } = first.message;
    expect(first.message.stop_reason).toBe('tool_use');
    if (display === 'omitted') {
      expect(content.every(({ thinking = '' }) => thinking === '')).toBe(true);
    }
    const pieces = continuations(answering, content);
    const results = { role: 'user', content: resultsOf(first.message) };
    const next = await ask([question, { role: 'assistant', content }, results]);
    const returned = pieces.filter((piece) => next.sent.includes(inBody(piece)));
    if (!takesNothing.includes(provider)) {
      expect(pieces, 'there is something to get back').not.toEqual([]);
      expect(returned).toEqual(pieces);
      return;
    }
    expect(returned).toEqual([]);
    const { normalizations = [] } = (next.message.debug ?? {}) as Debugged;
    if (pieces.length > 0) {
      expect(normalizations).toContainEqual(
        expect.objectContaining({ param: expect.stringMatching(/^messages\.1/), action: 'strip' }),
      );
    }
  });
});
