/** Claude may think again between texts and calls: each piece of thinking is sent back in its position. */
import { expect, test } from 'vitest';
import type { GenerationProtocol } from '../../lib/core/generation/original/protocol.ts';
import type { AssistantMessage, ReasoningDetail } from '../../lib/core/generation/request.ts';
import { anthropicMessages } from '../../lib/protocols/anthropic-messages/protocol.ts';
import { bedrockConverse } from '../../lib/protocols/bedrock-converse/protocol.ts';
import { testRequest, testTarget } from '../harness/matrix/model.ts';

const anthropicBlocks = [
  { type: 'thinking', thinking: 'First.', signature: 'c2lnMQ==' },
  { type: 'text', text: 'Let me see.' },
  { type: 'redacted_thinking', data: 'aGlkZGVu' },
  { type: 'tool_use', id: 'call_1', name: 'look', input: { at: 1 } },
  { type: 'thinking', thinking: '', signature: 'c2lnMg==' },
  { type: 'tool_use', id: 'call_2', name: 'look', input: { at: 2 } },
];

const bedrockBlocks = [
  { reasoningContent: { reasoningText: { text: 'First.', signature: 'c2lnMQ==' } } },
  { text: 'Let me see.' },
  { toolUse: { toolUseId: 'call_1', name: 'look', input: { at: 1 } } },
  { reasoningContent: { reasoningText: { text: 'Again.', signature: 'c2lnMg==' } } },
  { toolUse: { toolUseId: 'call_2', name: 'look', input: { at: 2 } } },
];

/** What a caller stores of an answer and sends back. */
function keep(protocol: GenerationProtocol, body: object): AssistantMessage {
  const details: ReasoningDetail[] = [];
  const calls: { id: string; name: string; arguments: string }[] = [];
  let text = '';
  for (const event of protocol.decodeBody(body)) {
    if (event.type === 'text') text += event.text;
    if (event.type === 'reasoning-detail') details.push(event.detail);
    if (event.type === 'tool-call') calls.push({ id: event.id, name: event.name, arguments: '' });
    const call = calls.at(-1);
    if (event.type === 'tool-arguments' && call) call.arguments += event.text;
  }
  return {
    role: 'assistant',
    content: [{ type: 'text', text }],
    toolCalls: calls,
    reasoningDetails: details,
  };
}

test.each([
  {
    name: 'Anthropic',
    protocol: anthropicMessages,
    body: { id: 'm', type: 'message', role: 'assistant', content: anthropicBlocks, stop_reason: 'tool_use' },
    blocks: anthropicBlocks,
  },
  {
    name: 'Bedrock',
    protocol: bedrockConverse,
    body: { output: { message: { role: 'assistant', content: bedrockBlocks } }, stopReason: 'tool_use' },
    blocks: bedrockBlocks,
  },
])('$name gets the blocks of an answer back in their order', ({ protocol, body, blocks }) => {
  const request = testRequest();
  const messages = [...request.messages, keep(protocol, body)];
  const sent = protocol.encode({ ...request, messages, tools: [{ name: 'look' }] }, testTarget());
  expect((sent.messages as { content: unknown }[])[1]?.content).toEqual(blocks);
});

test('without positions, thinking comes first', () => {
  const kept = keep(anthropicMessages, {
    type: 'message',
    content: anthropicBlocks,
    stop_reason: 'tool_use',
  });
  const reasoningDetails = kept.reasoningDetails.map((detail, index) => ({ ...detail, index }));
  const request = testRequest();
  const messages = [...request.messages, { ...kept, reasoningDetails }];
  const sent = anthropicMessages.encode({ ...request, messages, tools: [{ name: 'look' }] }, testTarget());
  const types = (sent.messages as { content: { type: string }[] }[])[1]?.content.map(({ type }) => type);
  expect(types).toEqual(['thinking', 'redacted_thinking', 'thinking', 'text', 'tool_use', 'tool_use']);
});
