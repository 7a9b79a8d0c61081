/** Thinking in a conversation that goes to Claude as it is: what Claude did not sign is left out, and what must follow from that. */
import { describe, expect, test } from 'vitest';
import {
  adaptThinking,
  withoutThinking,
} from '../../../lib/operations/messages/read/history/original-thinking.ts';
import { encodeDetails } from '../../../lib/operations/messages/signature.ts';

const own = encodeDetails({ details: [], model: 'a/b', format: 'f' });
const signed = { type: 'thinking', thinking: 'Hm.', signature: 'claude' };
const unsigned = { type: 'thinking', thinking: 'Hm.' };
const text = { type: 'text', text: 'Yes.' };
const call = { type: 'tool_use', id: 'one', name: 'look', input: {} };
const result = { type: 'tool_result', tool_use_id: 'one', content: 'Done.' };
const user = (...content: readonly object[]) => ({ role: 'user', content });
const assistant = (...content: readonly object[]) => ({ role: 'assistant', content });
const hello = { role: 'user', content: 'Hello.' };

const paramsOf = ({ changes }: ReturnType<typeof adaptThinking>) =>
  changes.map(({ param, before, after }) => [param, before, after]);

describe('a block', () => {
  test.each<[string, object]>([
    ['without a signature', unsigned],
    ['with an empty one', { ...unsigned, signature: '' }],
    ['with none', { ...unsigned, signature: null }],
    ['with one of the gateway', { ...unsigned, signature: own }],
    ['that is encrypted by the gateway', { type: 'redacted_thinking', data: own }],
  ])('%s is left out', (_, block) => {
    const { body, changes } = adaptThinking({ messages: [hello, assistant(block, text)] });
    expect(body).toEqual({ messages: [hello, assistant(text)] });
    expect(changes).toMatchObject([{ param: 'messages.1.content', before: '1 thinking block' }]);
  });

  test.each<[string, object]>([
    ['that Claude signed', signed],
    ['that Claude encrypted', { type: 'redacted_thinking', data: 'claude' }],
    ['of text', text],
    ['of a call', call],
  ])('%s stays', (_, block) => {
    const body = { messages: [hello, assistant(block)] };
    expect(adaptThinking(body)).toEqual({ body, changes: [] });
    expect(adaptThinking(body).body).toBe(body);
  });
});

test('a message that has nothing else is left out', () => {
  const { body, changes } = adaptThinking({ messages: [hello, assistant(unsigned, unsigned), hello] });
  expect(body).toEqual({ messages: [hello, hello] });
  expect(changes).toMatchObject([{ before: '2 thinking blocks' }]);
});

test('the thinking of a target that takes none back is left out, whoever signed it', () => {
  const redacted = { type: 'redacted_thinking', data: 'claude' };
  expect(withoutThinking({ messages: [assistant(signed, redacted, text)] }).body).toEqual({
    messages: [assistant(text)],
  });
});

test('content of another shape stays', () => {
  const body = { messages: [hello, { role: 'assistant', content: 'Yes.' }, null, 'text'], max_tokens: 5 };
  expect(adaptThinking(body).body).toBe(body);
  expect(adaptThinking({ max_tokens: 5 })).toEqual({ body: { max_tokens: 5 }, changes: [] });
});

describe('a budget of thinking is switched off', () => {
  const budget = { thinking: { type: 'enabled', budget_tokens: 1_024 } };
  const off = [['thinking', 'enabled', 'disabled']];

  test.each<[string, readonly object[]]>([
    ['in a loop that began without thinking', [hello, assistant(call), user(result)]],
    ['in a longer one', [hello, assistant(call), user(result), assistant(signed, call), user(result)]],
    ['after an answer', [hello, assistant(signed, text), hello, assistant(call), user(result)]],
    [
      'after an answer without a user between',
      [hello, assistant(signed, text), assistant(call), user(result)],
    ],
  ])('%s', (_, messages) => {
    const adapted = adaptThinking({ ...budget, messages });
    expect(paramsOf(adapted)).toEqual(off);
    expect(adapted.body).toMatchObject({ thinking: { type: 'disabled' } });
  });

  test.each<[string, readonly object[]]>([
    ['where the loop began with thinking', [hello, assistant(signed, call), user(result)]],
    [
      'where it began so and goes on without',
      [hello, assistant(signed, call), user(result), assistant(call), user(result)],
    ],
    [
      'with reminders between its rounds',
      [assistant(signed, call), user(result, text), assistant(call), user(result)],
    ],
    ['where the last answer calls nothing', [hello, assistant(call), user(result), assistant(text), hello]],
    [
      'where the user has spoken between',
      [hello, assistant(text), hello, assistant(signed, call), user(result)],
    ],
    ['without an answer', [hello]],
    ['without messages', []],
  ])('but not %s', (_, messages) => {
    expect(adaptThinking({ ...budget, messages }).changes).toEqual([]);
  });

  test.each([{ type: 'adaptive' }, { type: 'disabled' }, null])('and not with thinking %j', (thinking) => {
    expect(adaptThinking({ thinking, messages: [assistant(call), user(result)] }).changes).toEqual([]);
  });

  test('also where the thinking that began it was left out', () => {
    const adapted = adaptThinking({ ...budget, messages: [assistant(unsigned, call), user(result)] });
    expect(paramsOf(adapted)).toEqual([['messages.0.content', '1 thinking block', null], ...off]);
  });

  test('and with it what clears thinking', () => {
    const messages = [assistant(call), user(result)];
    const clear = { type: 'clear_thinking_20251015' };
    const other = { type: 'clear_tool_uses_20250919' };
    const edited = (edits: unknown, more: object = {}) =>
      adaptThinking({ ...budget, messages, context_management: { edits, ...more } });
    const both = edited([clear, other, 'odd'], { keep: 1 });
    expect(paramsOf(both)).toEqual([...off, ['context_management.edits', 'clear_thinking', null]]);
    expect(both.body.context_management).toEqual({ edits: [other, 'odd'], keep: 1 });
    expect(edited([clear]).body).not.toHaveProperty('context_management');
    for (const edits of [[other], [], undefined]) expect(paramsOf(edited(edits))).toEqual(off);
  });
});
