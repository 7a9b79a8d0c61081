/** Calls are matched with their results in any history of a caller. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AssistantMessage, Message, ToolMessage } from '../../lib/core/generation/request.ts';
import { pairResults } from '../../lib/normalization/conversation/conversation.ts';
import { messagesFromChat } from '../harness/matrix/sources.ts';

const user: Message = { role: 'user', content: [{ type: 'text', text: 'Hi' }] };
const calling = (...ids: readonly string[]): AssistantMessage => callingAll(ids);
const callingAll = (ids: readonly string[]): AssistantMessage => ({
  role: 'assistant',
  content: [],
  toolCalls: ids.map((id) => ({ id, name: 'f', arguments: '{}' })),
  reasoningDetails: [],
});
const result = (toolCallId: string): ToolMessage => ({
  role: 'tool',
  toolCallId,
  content: [{ type: 'text', text: `result of ${toolCallId}` }],
});

/** The messages without the caller's paths, and the records with them. */
const repaired = (given: readonly Message[]) => {
  const { messages, changes } = pairResults(messagesFromChat(given));
  return { messages: structuredClone(messages), changes };
};

describe('a conversation', () => {
  test('in which each call has its result goes through unchanged', () => {
    const messages = [user, calling('a', 'b'), result('b'), result('a'), user, calling('c'), result('c')];
    expect(repaired(messages)).toEqual({ messages, changes: [] });
  });

  test('loses a call without a result', () => {
    const { messages, changes } = repaired([user, calling('a', 'b'), result('a'), user]);
    expect(messages).toEqual([user, calling('a'), result('a'), user]);
    expect(changes).toMatchObject([
      { param: 'messages.1.tool_calls.1', action: 'strip', before: { id: 'b', name: 'f' }, after: null },
    ]);
  });

  test('keeps a result that answers no call as what the user said', () => {
    const { messages, changes } = repaired([user, result('lost')]);
    expect(messages).toEqual([user, { role: 'user', content: result('lost').content }]);
    expect(changes).toMatchObject([
      { param: 'messages.1', action: 'override', before: { tool_call_id: 'lost' }, after: { role: 'user' } },
    ]);
  });

  test('gets a late result right behind its call', () => {
    const { messages, changes } = repaired([user, calling('a'), user, result('a')]);
    expect(messages).toEqual([user, calling('a'), result('a'), user]);
    expect(changes).toMatchObject([
      { param: 'messages.3', before: { after: 'messages.2' }, after: { after: 'messages.1' } },
    ]);
  });

  test('takes the second of two results of one call for an orphan', () => {
    const { messages } = repaired([user, calling('a'), result('a'), result('a')]);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  });

  const answered = (toolCallId: string, of = toolCallId): ToolMessage => ({ ...result(of), toolCallId });

  test('gets another id for each further call of one id, in one turn or in several, and the same in every turn', () => {
    const turns = [user, calling('a', 'a'), result('a'), result('a'), user, calling('a'), result('a')];
    const more = [calling('a_2', 'b'), result('b'), result('a_2')];
    const first = [user, calling('a', 'a_2'), answered('a'), answered('a_2', 'a')];
    const second = [user, calling('a_3'), answered('a_3', 'a')];
    const third = [calling('a_2_2', 'b'), answered('b'), answered('a_2_2', 'a_2')];
    expect(repaired(turns.slice(0, 4))).toEqual({ messages: first, changes: [] });
    expect(repaired(turns)).toEqual({ messages: [...first, ...second], changes: [] });
    expect(repaired([...turns, ...more]).messages).toEqual([...first, ...second, ...third]);
  });

  test('gives a result to the last turn with its call, and the signature of a call its new id', () => {
    const signed = (id: string): AssistantMessage => ({
      ...calling(id),
      reasoningDetails: [
        { type: 'reasoning.encrypted', format: 'google-gemini-v1', data: 's', index: 0, id },
      ],
    });
    const { messages, changes } = repaired([
      ...[user, signed('a'), result('a'), user, calling('a'), user],
      ...[signed('a'), result('a'), result('a')],
    ]);
    expect(messages.slice(5, 8)).toEqual([user, signed('a_2'), answered('a_2', 'a')]);
    expect(changes).toMatchObject([
      { param: 'messages.4.tool_calls.0', action: 'strip' },
      { param: 'messages.8', before: { tool_call_id: 'a' }, after: { role: 'user' } },
    ]);
  });
});

test('whatever the history, every call has an id of its own and is followed by its result, and a second repair changes nothing', () => {
  const ids = fc.constantFrom('a', 'b', 'c');
  const message = fc.oneof(
    fc.constant(user),
    fc.array(ids, { maxLength: 3 }).map((list) => calling(...list)),
    ids.map(result),
  );
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
      const first = repaired(messages);
      expect(repaired(first.messages)).toEqual({ messages: first.messages, changes: [] });
      expect(first.messages).toHaveLength(messages.length);
      const open = new Set<string>();
      for (const one of first.messages) {
        if (one.role === 'tool') expect(open.delete(one.toolCallId)).toBe(true);
        else expect(open.size).toBe(0);
        if (one.role === 'assistant') for (const { id } of one.toolCalls) open.add(id);
      }
      expect(open.size).toBe(0);
      const all = first.messages.flatMap((one) => (one.role === 'assistant' ? one.toolCalls : []));
      expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
      const roles = (list: readonly Message[]) => list.map(({ role }) => role);
      if (first.changes.length === 0) expect(roles(first.messages)).toEqual(roles(messages));
    }),
  );
});
