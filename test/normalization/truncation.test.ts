import { describe, expect, test } from 'vitest';
import { pathOf } from '../../lib/core/generation/original/source.ts';
import type { GenerationRequest, Message } from '../../lib/core/generation/request.ts';
import { charactersOf, shorten } from '../../lib/normalization/conversation/truncation.ts';
import { answered, called, longConversation, said } from '../harness/matrix/long-conversation.ts';
import { fromChat } from '../harness/matrix/sources.ts';

const asked = (messages: readonly Message[]): GenerationRequest =>
  fromChat({ messages, tools: [], parameters: {}, stream: false });

const positionsOf = (request: GenerationRequest | undefined) =>
  request?.messages.map((message) => Number(pathOf(message).split('.')[1]));

const conversation = asked(longConversation);

describe('a conversation that is too long', () => {
  test.each([
    [charactersOf(conversation) - 1, [0, 1, 3, 4, 6, 7], ['messages.2', 'messages.5']],
    [510, [0, 1, 3, 4, 6, 7], ['messages.2', 'messages.5']],
    [450, [0, 1, 6, 7], ['messages.2']],
    [350, [0, 1, 7], ['messages.2']],
    [1, [0, 1, 7], ['messages.2']],
  ])('of which %i characters are left keeps whole calls, and both its ends', (length, positions, params) => {
    const shorter = shorten(conversation, length);
    expect(positionsOf(shorter?.request)).toEqual(positions);
    expect(shorter?.request.messages).toEqual(positions.map((at) => conversation.messages[at]));
    expect(shorter?.changes.map(({ param }) => param)).toEqual(params);
  });

  test('cannot be made shorter where it has no middle', () => {
    const request = asked([said('system', 'a'), said('user', 'b'), called('c'), answered('c')]);
    expect(shorten(request, 1)).toBeUndefined();
  });

  test('keeps what the user said last, however many calls followed', () => {
    const request = asked([
      said('user', 'first'),
      called('a'),
      answered('a'),
      said('user', 'last'),
      called('b'),
      answered('b'),
      called('c'),
      answered('c'),
    ]);
    expect(positionsOf(shorten(request, 1)?.request)).toEqual([0, 3, 6, 7]);
  });
});
