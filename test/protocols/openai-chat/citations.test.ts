/** Sources that a host lists outside the message. */
import { expect, test } from 'vitest';
import { openaiChat } from '../../../lib/protocols/openai-chat/protocol.ts';
import { decodeFrames, only, toFrames } from '../answer.ts';

const citation = (url: string, title: string) => ({
  type: 'url_citation',
  url_citation: { url, title, start_index: 0, end_index: 8 },
});

const whole = (fields: object, message: object = {}) =>
  only(
    openaiChat.decodeBody({
      choices: [{ index: 0, message: { content: 'It rains', ...message }, finish_reason: 'stop' }],
      ...fields,
    }),
  );

test('sources outside the message become annotations', () => {
  const { annotations } = whole({ citations: ['https://a.example/', 'https://b.example/'] });
  expect(annotations).toStrictEqual([citation('https://a.example/', ''), citation('https://b.example/', '')]);
});

test('sources with titles are preferred to plain addresses', () => {
  const search_results = [{ url: 'https://a.example/', title: 'Weather', date: '2026-11-20' }];
  const { annotations } = whole({ citations: ['https://a.example/'], search_results });
  expect(annotations).toStrictEqual([citation('https://a.example/', 'Weather')]);
});

test('a source without an address is none, and one may be an object', () => {
  const search_results = [{ title: 'Weather' }, { url: '' }, 'https://c.example/'];
  const citations = [7, { title: 'Weather' }, { url: 'https://a.example/', title: 'A' }];
  expect(whole({ citations }).annotations).toStrictEqual([citation('https://a.example/', 'A')]);
  expect(whole({ citations, search_results }).annotations).toStrictEqual([]);
  expect(whole({ citations, search_results: [] }).annotations).toStrictEqual([
    citation('https://a.example/', 'A'),
  ]);
});

test('a source in the message needs an address, and no range', () => {
  const annotations = [
    { type: 'url_citation' },
    { url_citation: { url: 'https://a.example/', start_index: 3 } },
  ];
  expect(whole({}, { annotations }).annotations).toStrictEqual([
    {
      type: 'url_citation',
      url_citation: { url: 'https://a.example/', title: '', start_index: 3, end_index: 0 },
    },
  ]);
});

test('a stream that repeats its sources in every chunk emits them once', () => {
  const piece = (content: string, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta: { content }, finish_reason }],
    citations: ['https://a.example/'],
  });
  const events = decodeFrames(openaiChat, toFrames([piece('It '), piece('rains', 'stop'), '[DONE]']));
  expect(only(events).annotations).toStrictEqual([citation('https://a.example/', '')]);
});

test('sources that are in the message already are not repeated', () => {
  const own = citation('https://a.example/', 'Weather');
  expect(whole({ citations: ['https://b.example/'] }, { annotations: [own] }).annotations).toStrictEqual([
    own,
  ]);
});
