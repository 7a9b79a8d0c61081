/** In every protocol, an end without its reason is no end, in a stream and in a body. */
import { describe, expect, test } from 'vitest';
import type { Frame, GenerationProtocol } from '../../lib/core/generation/original/protocol.ts';
import { anthropicMessages } from '../../lib/protocols/anthropic-messages/protocol.ts';
import { bedrockConverse } from '../../lib/protocols/bedrock-converse/protocol.ts';
import { cohereChat } from '../../lib/protocols/cohere-chat/protocol.ts';
import { googleGenerateContent } from '../../lib/protocols/google-generate-content/protocol.ts';
import { createOpenaiResponses } from '../../lib/protocols/openai-responses/protocol.ts';
import { decodeFrames, errorOf } from './answer.ts';

interface Unfinished {
  readonly name: string;
  readonly protocol: GenerationProtocol;
  readonly streams: readonly (readonly object[])[];
  readonly body: object;
}

const frameOf = (event: object): Frame => {
  const { type = '', ...data } = event as { type?: string };
  return { event: type, data: JSON.stringify(data) };
};

const claudeStart = { type: 'message_start', message: { id: 'msg_1', content: [] } };
const parts = [{ text: 'Half' }];

const unfinished: readonly Unfinished[] = [
  {
    name: 'Anthropic',
    protocol: anthropicMessages,
    streams: [
      [{ type: 'message_stop' }],
      [claudeStart, { type: 'message_stop' }],
      [claudeStart, { type: 'message_delta', delta: { stop_reason: null } }, { type: 'message_stop' }],
      [{ type: 'message_delta', delta: { stop_reason: 'end_turn' } }, { type: 'message_stop' }],
    ],
    body: { type: 'message', id: 'msg_1', content: [{ type: 'text', text: 'Half' }], stop_reason: null },
  },
  {
    name: 'Bedrock',
    protocol: bedrockConverse,
    streams: [
      [{ type: 'messageStop' }],
      [{ type: 'messageStart' }, { type: 'messageStop' }, { type: 'metadata' }],
    ],
    body: { output: { message: { role: 'assistant', content: parts } } },
  },
  {
    name: 'Cohere',
    protocol: cohereChat,
    streams: [[{ type: 'message-end' }], [{ type: 'message-start' }, { type: 'message-end', delta: {} }]],
    body: { message: { role: 'assistant', content: [{ type: 'text', text: 'Half' }] } },
  },
  {
    name: 'Gemini',
    protocol: googleGenerateContent,
    streams: [[{ candidates: [{ content: { parts } }] }], [{ usageMetadata: { promptTokenCount: 1 } }]],
    body: { candidates: [{ content: { parts } }] },
  },
  {
    name: 'Responses',
    protocol: createOpenaiResponses({ reasoningFormat: 'openai-responses-v1' }),
    streams: [
      [{ type: 'response.completed', response: {} }],
      [{ type: 'response.done', response: { status: 'in_progress', output: [] } }],
    ],
    body: { object: 'response', status: 'in_progress', output: [] },
  },
];

describe.each(unfinished)('$name', ({ protocol, streams, body }) => {
  test.each(streams)('a stream that ends with %j and more is cut', (...events) => {
    expect(errorOf(() => decodeFrames(protocol, events.map(frameOf))).kind).toBe('upstream_cut');
  });

  test('a body is cut', () => {
    expect(errorOf(() => protocol.decodeBody(body)).kind).toBe('upstream_cut');
  });
});
