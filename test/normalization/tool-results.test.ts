/** Images of tool results reach the model also in protocols whose tool results are text only. */
import { expect, test } from 'vitest';
import { callerPath } from '../../lib/core/generation/caller-path.ts';
import type { ContentPart, Message } from '../../lib/core/generation/request.ts';
import { onlyTextInResults } from '../../lib/normalization/conversation/tool-results.ts';
import { normalize } from '../../lib/normalization/normalize.ts';
import { testTarget } from '../harness/matrix/model.ts';
import { fromChat } from '../harness/matrix/sources.ts';

const text = (value: string): ContentPart => ({ type: 'text', text: value });
const user = (...content: readonly ContentPart[]): Message => ({ role: 'user', content });
const calling = (...ids: readonly string[]): Message => ({
  role: 'assistant',
  content: [],
  toolCalls: ids.map((id) => ({ id, name: 'look', arguments: '{}' })),
  reasoningDetails: [],
});
const result = (toolCallId: string, ...content: readonly ContentPart[]): Message => ({
  role: 'tool',
  toolCallId,
  content,
});
const image = (name: string): ContentPart => ({ type: 'image', url: `https://example.com/${name}.png` });
const file: ContentPart = { type: 'file', url: 'data:application/pdf;base64,JVBERi0=' };

const rules = { parameters: [], messages: [], conversation: [onlyTextInResults] };
const normalized = (...messages: readonly Message[]) =>
  normalize(fromChat({ messages, tools: [], parameters: {}, stream: false }), testTarget(), rules);

test('images and documents in results come right behind all results of the turn, on record', () => {
  const { request, changes } = normalized(
    user(text('Look.')),
    calling('a', 'b', 'c'),
    result('a', text('Here.'), image('one')),
    result('b', text('Nothing.')),
    result('c', file, image('two')),
    user(text('Well?')),
  );
  expect(structuredClone(request.messages)).toEqual([
    user(text('Look.')),
    calling('a', 'b', 'c'),
    result('a', text('Here.'), text('Attachment 1 follows.')),
    result('b', text('Nothing.')),
    result('c', text('Attachment 2 follows.'), text('Attachment 3 follows.')),
    user(
      ...[text('Attachment 1:'), image('one')],
      ...[text('Attachment 2:'), file],
      ...[text('Attachment 3:'), image('two')],
    ),
    user(text('Well?')),
  ]);
  expect(changes.map(({ param, before, after }) => [param, before, after])).toEqual(
    ['messages.2.content.1', 'messages.4.content.0', 'messages.4.content.1'].map((param) => [
      param,
      { role: 'tool' },
      { role: 'user' },
    ]),
  );
});

test('each turn has its own', () => {
  const turn = [calling('a'), result('a', image('one'))];
  const { request } = normalized(user(text('Look.')), ...turn, ...turn);
  expect(request.messages.map(({ role }) => role)).toEqual(
    'user assistant tool user assistant tool user'.split(' '),
  );
});

test('a conversation whose tools return text goes through unchanged', () => {
  const messages = [user(image('one')), calling('a'), result('a', text('Here.')), user(text('Well?'))];
  const { request, changes } = normalized(...messages);
  expect([structuredClone(request.messages), changes]).toEqual([messages, []]);
});

test('what was moved, and what follows it, has the path that the caller gave it', () => {
  const { request } = normalized(
    user(text('Look.')),
    calling('a'),
    result('a', text('Here.'), image('one')),
    user(image('two')),
  );
  const paths = [
    'messages.3.content.1.image_url.url',
    'messages.4.content.0.image_url.url',
    'messages.2.content',
  ];
  expect(paths.map((path) => callerPath(request, path))).toEqual([
    'messages.2.content.1.image_url.url',
    'messages.3.content.0.image_url.url',
    'messages.2.content',
  ]);
  expect(callerPath(request, 'messages[3].content[0].text')).toBe('messages.2.content.1');
  expect(callerPath(request, 'messages[3]')).toBe('messages.2');
});
