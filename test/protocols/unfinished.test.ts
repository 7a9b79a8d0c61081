/** In every protocol: an end without its reason is no end, in a stream and in a body; and what is no answer at all. */
import { describe, expect, test } from 'vitest';
import type { Frame, GenerationProtocol } from '../../lib/core/generation/original/protocol.ts';
import { anthropicMessages } from '../../lib/protocols/anthropic-messages/protocol.ts';
import { bedrockConverse } from '../../lib/protocols/bedrock-converse/protocol.ts';
import { cohereChat } from '../../lib/protocols/cohere-chat/protocol.ts';
import { googleGenerateContent } from '../../lib/protocols/google-generate-content/protocol.ts';
import { openaiChat } from '../../lib/protocols/openai-chat/protocol.ts';
import { decodeFrames, errorOf } from './answer.ts';
import { protocol as openaiResponses } from './openai-responses/frames.ts';

interface Unfinished {
  readonly name: string;
  readonly protocol: GenerationProtocol;
  readonly streams: readonly (readonly object[])[];
  /** Whole answers of OpenAI's hosts may omit the reason. */
  readonly body?: object;
  /** Bodies that are no answer. */
  readonly others: readonly object[];
}

const frameOf = (event: object): Frame => {
  const { type = '', ...data } = event as { type?: string };
  return { event: type, data: JSON.stringify(data) };
};

const claudeStart = { type: 'message_start', message: { id: 'msg_1', content: [] } };
const parts = [{ text: 'Half' }];
const halfChoice = { choices: [{ index: 0, delta: { content: 'Half' } }] };

const unfinished: readonly Unfinished[] = [
  {
    name: 'Anthropic',
    protocol: anthropicMessages,
    streams: [
      [{ type: 'message_stop' }],
      [claudeStart, { type: 'message_stop' }],
      [claudeStart, { type: 'message_delta', delta: { stop_reason: null } }, { type: 'message_stop' }],
      [{ type: 'message_delta', delta: { stop_reason: 'end_turn' } }, { type: 'message_stop' }],
      [claudeStart, { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Half' } }],
    ],
    body: { type: 'message', id: 'msg_1', content: [{ type: 'text', text: 'Half' }], stop_reason: null },
    others: [{ content: 'text' }],
  },
  {
    name: 'Bedrock',
    protocol: bedrockConverse,
    streams: [
      [{ type: 'messageStop' }],
      [{ type: 'messageStart' }, { type: 'contentBlockDelta', delta: { text: 'Half' } }],
      [{ type: 'messageStart' }, { type: 'metadata' }],
      [{ type: 'messageStart' }, { type: 'messageStop' }, { type: 'metadata' }],
    ],
    body: { output: { message: { role: 'assistant', content: parts } } },
    others: [{ output: { message: {} } }],
  },
  {
    name: 'Cohere',
    protocol: cohereChat,
    streams: [
      [{ type: 'message-end' }],
      [{ type: 'message-start' }, { type: 'message-end', delta: {} }],
      [
        { type: 'message-start' },
        { type: 'content-delta', delta: { message: { content: { text: 'Half' } } } },
      ],
    ],
    body: { message: { role: 'assistant', content: [{ type: 'text', text: 'Half' }] } },
    others: [{ message: null }],
  },
  {
    name: 'Gemini',
    protocol: googleGenerateContent,
    streams: [
      [{ candidates: [{ content: { parts } }] }],
      [{ usageMetadata: { promptTokenCount: 1 } }],
      [{ candidates: [{ content: { parts }, finishReason: 'STOP' }] }, { candidates: [{ index: 1 }] }],
    ],
    body: { candidates: [{ content: { parts } }] },
    others: [{ candidates: [] }, { promptFeedback: {} }],
  },
  {
    name: 'Responses',
    protocol: openaiResponses,
    streams: [
      [{ type: 'response.completed', response: {} }],
      [{ type: 'response.done', response: { status: 'in_progress', output: [] } }],
    ],
    body: { object: 'response', status: 'in_progress', output: [] },
    others: [{ object: 'response' }],
  },
  {
    name: 'OpenAI',
    protocol: openaiChat,
    streams: [[halfChoice], [{ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } }]],
    others: [{ choices: [] }, { choices: [{}] }],
  },
];

describe.each(unfinished)('$name', ({ protocol, streams, body, others }) => {
  test.each([[], ...streams])('a stream that ends with %j and more is cut', (...events) => {
    expect(errorOf(() => decodeFrames(protocol, events.map(frameOf))).kind).toBe('upstream_cut');
  });

  test.skipIf(!body)('a body is cut', () => {
    expect(errorOf(() => protocol.decodeBody(body)).kind).toBe('upstream_cut');
  });

  test.each([undefined, null, [], 'text', {}, ...others])('a body of %j is not an answer', (other) => {
    expect(errorOf(() => protocol.decodeBody(other)).kind).toBe('upstream_invalid_answer');
  });
});
