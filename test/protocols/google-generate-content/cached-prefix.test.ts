/** Which part of a conversation Gemini is to store, and which is still sent. */
import { expect, test } from 'vitest';
import type { GenerationRequest, Message, UserMessage } from '../../../lib/core/generation/request.ts';
import { cutRequest, type PrefixEnd } from '../../../lib/protocols/google-generate-content/cached-prefix.ts';
import { googleGenerateContent } from '../../../lib/protocols/google-generate-content/protocol.ts';
import { assistant, call, newRequest, newTarget, text, tool, user } from '../requests.ts';

const said = (...texts: readonly string[]): UserMessage => ({ role: 'user', content: texts.flatMap(text) });
const pixel = { type: 'image', url: 'https://example.com/a.png' } as const;
const system: Message = { role: 'system', content: text('Be kind.') };
const called = assistant('', { toolCalls: [call('a', 'f', '{}'), call('b', 'f', '{}')] });

/** The stored and the sent texts of each turn; results are shown as such. */
function cut(messages: readonly Message[], end?: PrefixEnd, others: Partial<GenerationRequest> = {}) {
  const request = newRequest(messages, {}, others);
  const found = cutRequest(request, newTarget(), end, googleGenerateContent.encode);
  return (
    found && {
      ...found,
      cached: { ...found.cached, ...turnsIn(found.cached) },
      sent: { ...found.sent, ...turnsIn(found.sent) },
    }
  );
}

function turnsIn({ contents }: { readonly contents?: unknown }) {
  const turns = contents as
    | readonly { parts: readonly { text?: string; functionResponse?: object }[] }[]
    | undefined;
  const shown = turns?.map(({ parts }) =>
    parts.map((part) => part.text ?? (part.functionResponse ? 'result' : 'other')).join('|'),
  );
  return shown && { contents: shown };
}

test.each<[string, readonly Message[], PrefixEnd, readonly string[] | undefined, readonly string[]]>([
  ['behind a message', [user('A'), assistant('B'), user('C')], { message: 1 }, ['A', 'B'], ['C']],
  ['before a last message, which is sent', [user('A'), assistant('B')], { message: 1 }, ['A'], ['B']],
  ['within a turn', [said('A', 'B', 'C')], { message: 0, part: 1 }, ['A|B'], ['C']],
  ['within a turn, at its first part', [said('A', 'B')], { message: 0, part: 0 }, ['A'], ['B']],
  ['at the last part of a turn', [said('A', 'B'), user('C')], { message: 0, part: 1 }, ['A|B'], ['C']],
  ['not before a blank rest', [said('A', ' '), user('C')], { message: 0, part: 0 }, ['A'], ['C']],
  ['not behind a blank part', [said(' ', 'A'), user('C')], { message: 0, part: 0 }, ['A'], ['C']],
  [
    'before an image',
    [{ role: 'user', content: [...text('A'), pixel] }, user('C')],
    { message: 0, part: 0 },
    ['A'],
    ['other', 'C'],
  ],
  [
    'not within an answer of several parts',
    [user('A'), assistant('', { content: [...text('B'), ...text('C')] }), user('D')],
    { message: 1, part: 0 },
    ['A', 'B|C'],
    ['D'],
  ],
  [
    'not within an answer',
    [user('A'), assistant('B'), user('C')],
    { message: 1, part: 0 },
    ['A', 'B'],
    ['C'],
  ],
  [
    'not before the results of stored calls',
    [user('A'), called, tool('a', 'x'), tool('b', 'y'), user('C')],
    { message: 1 },
    ['A'],
    ['other|other', 'result|result', 'C'],
  ],
  [
    'behind results',
    [user('A'), called, tool('a', 'x'), tool('b', 'y'), user('C')],
    { message: 3 },
    ['A', 'other|other', 'result|result'],
    ['C'],
  ],
])('a request is cut %s', (_, messages, end, cached, sent) => {
  expect(cut(messages, end)).toStrictEqual({ cached: { contents: cached }, sent: { contents: sent } });
});

test('instructions and tools are always stored', () => {
  const tools = [{ name: 'f' }];
  const instructions = { parts: [{ text: 'Be kind.' }] };
  const declared = [{ functionDeclarations: [{ name: 'f' }] }];
  expect(cut([system, user('A')])).toStrictEqual({
    cached: { systemInstruction: instructions },
    sent: { contents: ['A'] },
  });
  expect(cut([user('A')], undefined, { tools })).toStrictEqual({
    cached: { tools: declared },
    sent: { contents: ['A'] },
  });
  expect(cut([system, user('A'), user('B')], { message: 1 }, { tools })).toStrictEqual({
    cached: { systemInstruction: instructions, tools: declared, contents: ['A'] },
    sent: { contents: ['B'] },
  });
});

test.each<[readonly Message[], PrefixEnd | undefined]>([
  [[user('A'), user('B')], undefined],
  [[user('A')], { message: 0 }],
  [[], undefined],
])('there is nothing to store of %j', (messages, end) => {
  expect(cut(messages, end)).toBeUndefined();
});
