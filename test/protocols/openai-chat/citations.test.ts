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
  expect(annotations).toEqual([citation('https://a.example/', ''), citation('https://b.example/', '')]);
});

test('sources with titles are preferred to plain addresses', () => {
  const search_results = [{ url: 'https://a.example/', title: 'Weather', date: '2026-11-20' }];
  const { annotations } = whole({ citations: ['https://a.example/'], search_results });
  expect(annotations).toEqual([citation('https://a.example/', 'Weather')]);
});

test('a stream that repeats its sources in every chunk emits them once', () => {
  const piece = (content: string, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta: { content }, finish_reason }],
    citations: ['https://a.example/'],
  });
  const events = decodeFrames(openaiChat, toFrames([piece('It '), piece('rains', 'stop'), '[DONE]']));
  expect(only(events).annotations).toEqual([citation('https://a.example/', '')]);
});

test('sources that are in the message already are not repeated', () => {
  const own = citation('https://a.example/', 'Weather');
  expect(whole({ citations: ['https://b.example/'] }, { annotations: [own] }).annotations).toEqual([own]);
});
