/**
 * Conversation history: reasoning is sent back byte for byte, and a longer conversation starts exactly like the shorter one,
 * because signed reasoning depends on everything before it.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GenerationProtocol } from '../../lib/core/generation/original/protocol.ts';
import type { JsonObject, Message, ReasoningDetail } from '../../lib/core/generation/request.ts';
import { readChat } from '../../lib/operations/chat/read/read.ts';
import { chatSchema } from '../../lib/operations/chat/read/schema.ts';
import { writeDetail } from '../../lib/operations/chat/write/write.ts';
import { anthropicMessages } from '../../lib/protocols/anthropic-messages/protocol.ts';
import { bedrockConverse } from '../../lib/protocols/bedrock-converse/protocol.ts';
import { googleGenerateContent } from '../../lib/protocols/google-generate-content/protocol.ts';
import { only } from './answer.ts';
import { newRequest, newTarget } from './requests.ts';

const target = newTarget();

/** Any text, including unusual characters and escapes. */
const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', ' ', '\n', '"\\u0000'),
);
const opaque = fc.base64String({ minLength: 4, maxLength: 200 }).filter((text) => text !== '');
const calls = [
  { id: 'call_0', name: 'f', arguments: '{}' },
  { id: 'call_1', name: 'f', arguments: '{}' },
];

const claudeDetail = fc.oneof(
  fc.record({ type: fc.constant('reasoning.text' as const), text: anyText, signature: opaque }),
  fc.record({ type: fc.constant('reasoning.encrypted' as const), data: opaque }),
);
const claudeDetails = fc
  .array(claudeDetail, { minLength: 1, maxLength: 5 })
  .map((details) => details.map((detail, index) => ({ ...detail, format: 'anthropic-claude-v1', index })));

/** The public body of a second turn, read as the gateway reads it. */
function readBack(details: readonly ReasoningDetail[]) {
  const body = JSON.stringify({
    model: 'owner/model',
    messages: [
      { role: 'user', content: 'Hello' },
      {
        role: 'assistant',
        content: 'Hi',
        reasoning_content: 'for people',
        reasoning_details: details.map(writeDetail),
        tool_calls: calls.map(({ id, name, arguments: text }) => ({
          id,
          type: 'function',
          function: { name, arguments: text },
        })),
      },
      ...calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'Fine' })),
    ],
  });
  return readChat(chatSchema.parse(JSON.parse(body))).request;
}

/** The assistant's turn in the protocol. */
const assistantTurn = (body: JsonObject): JsonObject => {
  const turns = (body.messages ?? body.contents) as readonly JsonObject[];
  return turns.find(({ role }) => role !== 'user') ?? {};
};

describe('any reasoning is sent back unchanged', () => {
  test('over Anthropic', () => {
    fc.assert(
      fc.property(claudeDetails, (details) => {
        const { content } = assistantTurn(anthropicMessages.encode(readBack(details), target));
        const answer = { id: 'm', type: 'message', role: 'assistant', content, stop_reason: 'tool_use' };
        expect(only(anthropicMessages.decodeBody(JSON.parse(JSON.stringify(answer)))).details).toStrictEqual(
          details,
        );
      }),
    );
  });

  test('over Bedrock', () => {
    fc.assert(
      fc.property(claudeDetails, (details) => {
        const message = assistantTurn(bedrockConverse.encode(readBack(details), target));
        const answer = JSON.parse(JSON.stringify({ output: { message }, stopReason: 'tool_use' }));
        expect(only(bedrockConverse.decodeBody(answer)).details).toStrictEqual(details);
      }),
    );
  });

  test('to Gemini, on the call or text it came with', () => {
    const callIds = fc.uniqueArray(fc.constantFrom('call_0', 'call_1', undefined), { minLength: 1 });
    const details = fc.tuple(callIds, fc.array(opaque, { minLength: 3, maxLength: 3 })).map(([ids, data]) =>
      ids.map((id, index) => ({
        type: 'reasoning.encrypted' as const,
        data: data[index] ?? '',
        format: 'google-gemini-v1',
        index,
        ...(id !== undefined && { id }),
      })),
    );
    fc.assert(
      fc.property(details, (given) => {
        const { parts } = assistantTurn(googleGenerateContent.encode(readBack(given), target));
        const signed = (parts as readonly JsonObject[]).map(({ thoughtSignature, functionCall }) => [
          functionCall !== undefined,
          thoughtSignature,
        ]);
        const of = (id?: string) => given.find((detail) => detail.id === id)?.data;
        expect(signed).toStrictEqual([
          [false, of(undefined)],
          [true, of('call_0')],
          [true, of('call_1')],
        ]);
      }),
    );
  });
});

const words = fc.string({ minLength: 1, maxLength: 12 });
const said = (text: string) => [{ type: 'text' as const, text }];

/** A turn of a conversation: everything between two requests. */
const turn = fc.record({
  question: words,
  aside: fc.option(words),
  thought: opaque,
  answer: words,
  calls: fc.nat(2),
  later: fc.boolean(),
});

/** Each element: the messages that a request adds to the previous one. */
const history = fc.array(turn, { minLength: 2, maxLength: 5 }).map((turns) =>
  turns.map((one, index): readonly Message[] => {
    const made = calls.slice(0, one.calls).map((call) => ({ ...call, id: `${call.id}_${index}` }));
    const detail = { type: 'reasoning.text', text: one.thought, signature: one.thought } as const;
    return [
      { role: 'user', content: said(one.question) },
      ...(one.later ? [{ role: 'system', content: said(one.answer) } as const] : []),
      {
        role: 'assistant',
        content: said(one.answer),
        toolCalls: made,
        reasoningDetails: [{ ...detail, format: 'anthropic-claude-v1', index: 0 }],
      },
      ...made.map(({ id }) => ({ role: 'tool', toolCallId: id, content: said('Fine') }) as const),
      ...(one.aside === null ? [] : [{ role: 'user', content: said(one.aside) } as const]),
    ];
  }),
);

/** What the provider reads before the latest messages, block by block. */
function blocksOf(protocol: GenerationProtocol, messages: readonly Message[]): readonly string[] {
  const body = protocol.encode(newRequest(messages), target);
  const turns = (body.messages ?? body.contents) as readonly JsonObject[];
  const blocks = turns.flatMap(({ role, content, parts }) =>
    ((content ?? parts) as readonly JsonObject[]).map((block) => JSON.stringify([role, block])),
  );
  return [JSON.stringify(body.system ?? body.systemInstruction ?? null), ...blocks];
}

describe.each([
  ['Anthropic', anthropicMessages],
  ['Bedrock', bedrockConverse],
  ['Gemini', googleGenerateContent],
])('a conversation with %s', (_, protocol) => {
  test('starts the same when it is continued', () => {
    fc.assert(
      fc.property(history, fc.boolean(), (turns, instructed) => {
        const start: Message[] = instructed ? [{ role: 'system', content: said('Be brief.') }] : [];
        const whole = blocksOf(protocol, [...start, ...turns.flat()]);
        for (let count = 1; count < turns.length; count++) {
          const next = turns[count]?.[0];
          const asked = [...start, ...turns.slice(0, count).flat(), ...(next ? [next] : [])];
          const blocks = blocksOf(protocol, asked);
          expect(whole.slice(0, blocks.length)).toStrictEqual(blocks);
        }
      }),
    );
  });
});
