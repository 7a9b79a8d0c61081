/** The Anthropic messages protocol. */
import { dataEvent, type Protocol, system, writeTurns } from './protocol.ts';

const head = {
  id: 'msg_benchmark',
  type: 'message',
  role: 'assistant',
  model: 'claude-haiku-4-5-20251001',
};

const input = { input_tokens: 40, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

const event = (type: string, fields: object): string => `event: ${type}\n${dataEvent({ type, ...fields })}`;

export const anthropicProtocol: Protocol = {
  name: 'anthropic',
  model: 'anthropic/claude-haiku-4-5',
  base: '/anthropic/v1',
  path: () => '/messages',
  ask: (work, stream) => ({
    model: head.model,
    system,
    messages: writeTurns(work).map(({ role, text }) => ({ role, content: text })),
    temperature: 0.5,
    max_tokens: 4096,
    ...(stream && { stream }),
  }),
  body: (pieces) => ({
    ...head,
    content: [{ type: 'text', text: pieces.join('') }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { ...input, output_tokens: pieces.length, service_tier: 'standard' },
  }),
  stream: (pieces) => ({
    before: [
      event('message_start', {
        message: {
          ...head,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { ...input, output_tokens: 1 },
        },
      }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      event('ping', {}),
    ].join(''),
    pieces: pieces.map((text) =>
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
    ),
    after: [
      event('content_block_stop', { index: 0 }),
      event('message_delta', {
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { ...input, output_tokens: pieces.length },
      }),
      event('message_stop', {}),
    ].join(''),
  }),
  end: 'data: {"type":"message_stop"}\n\n',
};
