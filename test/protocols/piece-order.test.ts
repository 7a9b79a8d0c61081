/**
 * The pieces of an answer are sent back in their order: each in its position if a caller stores every piece separately, as the items of
 * Responses are, also if the model wrote several texts; and thinking in its place among one text and calls where there are no positions.
 */
import { describe, expect, test } from 'vitest';
import type { GenerationProtocol } from '../../lib/core/generation/original/protocol.ts';
import type {
  AssistantMessage,
  AssistantText,
  JsonObject,
  ReasoningDetail,
  ToolCall,
} from '../../lib/core/generation/request.ts';
import { anthropicMessages } from '../../lib/protocols/anthropic-messages/protocol.ts';
import { bedrockConverse } from '../../lib/protocols/bedrock-converse/protocol.ts';
import { googleGenerateContent } from '../../lib/protocols/google-generate-content/protocol.ts';
import { testRequest, testTarget } from '../harness/matrix/model.ts';
import { answerAsMessage } from './recorded.ts';

/** What a caller stores of an answer. A text ends where something else starts. */
function keep(protocol: GenerationProtocol, body: object): AssistantMessage {
  const content: AssistantText[] = [];
  const toolCalls: ToolCall[] = [];
  const reasoningDetails: ReasoningDetail[] = [];
  let position = -1;
  let isWriting = false;
  for (const event of protocol.decodeBody(body)) {
    if (event.type === 'text') {
      const last = isWriting ? content.pop() : undefined;
      if (!last) position += 1;
      content.push({ type: 'text', text: `${last?.text ?? ''}${event.text}`, position });
    }
    isWriting = event.type === 'text';
    if (event.type === 'reasoning-detail') {
      position += 1;
      reasoningDetails.push({ ...event.detail, position });
    }
    if (event.type === 'tool-call') {
      position += 1;
      toolCalls.push({ id: event.id, name: event.name, arguments: '', position });
    }
    const call = event.type === 'tool-arguments' ? toolCalls.pop() : undefined;
    if (call && event.type === 'tool-arguments') toolCalls.push({ ...call, arguments: event.text });
  }
  // Stored by type, so only the positions define the order.
  return { role: 'assistant', content, toolCalls, reasoningDetails };
}

function replayed(protocol: GenerationProtocol, message: AssistantMessage): unknown {
  const request = testRequest();
  const messages = [...request.messages, message];
  const sent = protocol.encode({ ...request, messages, tools: [{ name: 'look' }] }, testTarget());
  const turns = (sent.messages ?? sent.contents) as readonly JsonObject[];
  return turns[1]?.content ?? turns[1]?.parts;
}

const anthropicBlocks = [
  { type: 'text', text: 'Let me see.' },
  { type: 'thinking', thinking: 'First.', signature: 'c2lnMQ==' },
  { type: 'text', text: 'I look.' },
  { type: 'tool_use', id: 'call_1', name: 'look', input: { at: 1 } },
  { type: 'redacted_thinking', data: 'aGlkZGVu' },
  { type: 'thinking', thinking: 'Again.', signature: 'c2lnMg==' },
  { type: 'text', text: 'Once more.' },
  { type: 'tool_use', id: 'call_2', name: 'look', input: { at: 2 } },
];
const bedrockBlocks = [
  { text: 'Let me see.' },
  { reasoningContent: { reasoningText: { text: 'First.', signature: 'c2lnMQ==' } } },
  { text: 'I look.' },
  { toolUse: { toolUseId: 'call_1', name: 'look', input: { at: 1 } } },
  { reasoningContent: { reasoningText: { text: 'Again.', signature: 'c2lnMg==' } } },
  { text: 'Once more.' },
  { toolUse: { toolUseId: 'call_2', name: 'look', input: { at: 2 } } },
];
const geminiParts = [
  { text: 'Let me see.', thoughtSignature: 'c2lnMQ==' },
  { functionCall: { name: 'look', args: { at: 1 } }, thoughtSignature: 'c2lnMg==' },
  { text: 'Once more.' },
  { functionCall: { name: 'look', args: { at: 2 } } },
  { text: 'Done.', thoughtSignature: 'c2lnMw==' },
];

type Blocks = readonly JsonObject[];

const ofAnthropic = {
  name: 'Anthropic',
  protocol: anthropicMessages,
  blocks: anthropicBlocks as Blocks,
  bodyOf: (content: Blocks) => ({
    id: 'm',
    type: 'message',
    role: 'assistant',
    content,
    stop_reason: 'tool_use',
  }),
};
const ofBedrock = {
  name: 'Bedrock',
  protocol: bedrockConverse,
  blocks: bedrockBlocks as Blocks,
  bodyOf: (content: Blocks) => ({
    output: { message: { role: 'assistant', content } },
    stopReason: 'tool_use',
  }),
};
const ofGemini = {
  name: 'Gemini',
  protocol: googleGenerateContent,
  blocks: geminiParts as Blocks,
  bodyOf: (parts: Blocks) => ({ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] }),
};

test.each([ofAnthropic, ofBedrock, ofGemini])(
  '$name gets texts, thoughts and calls back in the order in which the model made them',
  ({ protocol, blocks, bodyOf }) => {
    const message = keep(protocol, bodyOf(blocks));
    expect(message.content.length).toBeGreaterThan(1);
    expect(replayed(protocol, message)).toStrictEqual(blocks);
  },
);

/** The blocks with one of the texts. */
const withOneText = (blocks: Blocks) => blocks.filter(({ text }) => text === undefined || text === 'I look.');

test.each([ofAnthropic, ofBedrock])(
  '$name gets thoughts among a text and calls back where their index says',
  ({ protocol, blocks, bodyOf }) => {
    const single = withOneText(blocks);
    const message = answerAsMessage(protocol.decodeBody(bodyOf(single)));
    expect(replayed(protocol, message)).toStrictEqual(single);
  },
);

test('without positions, thinking comes first', () => {
  const kept = answerAsMessage(
    anthropicMessages.decodeBody(ofAnthropic.bodyOf(withOneText(anthropicBlocks))),
  );
  const reasoningDetails = kept.reasoningDetails.map((detail, index) => ({ ...detail, index }));
  const sent = replayed(anthropicMessages, { ...kept, reasoningDetails }) as Blocks;
  expect(sent.map(({ type }) => type)).toStrictEqual([
    ...['thinking', 'redacted_thinking', 'thinking'],
    ...['text', 'tool_use', 'tool_use'],
  ]);
});

describe('signatures of Gemini’s texts', () => {
  const signature = (data: string, position: number): ReasoningDetail => ({
    type: 'reasoning.encrypted',
    data,
    format: 'google-gemini-v1',
    index: position,
    position,
  });
  const message = (texts: readonly [string, number][], ...signed: readonly ReasoningDetail[]) =>
    replayed(googleGenerateContent, {
      role: 'assistant',
      content: texts.map(([text, position]) => ({ type: 'text', text, position })),
      toolCalls: [],
      reasoningDetails: signed,
    });

  test('with the same position are sent back in order, the last one on the text', () => {
    expect(message([['Hello', 0]], signature('one', 1), signature('two', 1))).toStrictEqual([
      { text: '', thoughtSignature: 'one' },
      { text: 'Hello', thoughtSignature: 'two' },
    ]);
  });

  test('without a text before them have a separate part', () => {
    expect(message([['Hello', 1]], signature('one', 0))).toStrictEqual([
      { text: '', thoughtSignature: 'one' },
      { text: 'Hello' },
    ]);
  });
});
