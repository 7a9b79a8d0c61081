/** Reasoning between tags in the text of an answer. */
import { expect, test } from 'vitest';
import { createOpenaiChat } from '../../../lib/protocols/openai-chat/protocol.ts';
import { newThinkState, splitThought } from '../../../lib/protocols/openai-chat/think-tags.ts';
import { decodeFrames, only, toFrames } from '../answer.ts';

const replay = { field: 'think', formats: ['own'] } as const;
const protocol = createOpenaiChat({ readsThinkTags: true, replay });
const plain = createOpenaiChat({});

const streamed = (pieces: readonly string[], by = protocol) =>
  only(
    decodeFrames(
      by,
      toFrames([
        ...pieces.map((content) => ({ choices: [{ index: 0, delta: { content } }] })),
        { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
        '[DONE]',
      ]),
    ),
  );

const answer = '<think>Is 1 < 2?\n</thinner> Yes.</think>\n\nYes, <think> so.';

test('reasoning and answer are separated the same way wherever a stream is split', () => {
  for (let first = 0; first <= answer.length; first++) {
    for (const second of [first, first + 1, first + 3]) {
      const { text, reasoning } = streamed([
        answer.slice(0, first),
        answer.slice(first, second),
        answer.slice(second),
      ]);
      expect({ text, reasoning }).toStrictEqual({
        text: 'Yes, <think> so.',
        reasoning: 'Is 1 < 2?\n</thinner> Yes.',
      });
    }
  }
});

test('a body is separated like a stream', () => {
  const body = { choices: [{ index: 0, message: { content: answer }, finish_reason: 'stop' }] };
  expect(only(protocol.decodeBody(body))).toStrictEqual(streamed([...answer]));
});

test.each([
  ['a tag in the middle of an answer', ['Write ', '<think>', ' first.'], 'Write <think> first.', ''],
  ['an answer that starts like a tag', ['<', 'thin air>'], '<thin air>', ''],
  ['an answer that ends inside the tag', [' <thi'], ' <thi', ''],
  ['reasoning cut off by a limit', ['<think>Well', ', </thi'], '', 'Well, </thi'],
])('%s is handled correctly', (_, pieces, text, reasoning) => {
  expect(streamed(pieces)).toMatchObject({ text, reasoning });
});

test('a piece is emitted as soon as it is clear what it is', () => {
  const state = newThinkState();
  const seen = (piece: string) => [...splitThought(state, piece)].map(({ type, text }) => `${type}: ${text}`);
  expect(seen(' <th')).toStrictEqual([]);
  expect(seen('ink>')).toStrictEqual([]);
  expect(seen('So </')).toStrictEqual(['reasoning: So ']);
  expect(seen('th')).toStrictEqual([]);
  expect(seen('at')).toStrictEqual(['reasoning: </that']);
  expect(seen('</think> \n')).toStrictEqual([]);
  expect(seen(' ')).toStrictEqual([]);
  expect(seen(' Yes')).toStrictEqual(['text: Yes']);
  expect(seen(' <th')).toStrictEqual(['text:  <th']);
});

test('white space is not held back without end', () => {
  const state = newThinkState();
  const blank = ' '.repeat(1_000);
  expect([...splitThought(state, blank)]).toStrictEqual([]);
  expect([...splitThought(state, ' ')]).toStrictEqual([{ type: 'text', text: `${blank} ` }]);
});

test('white space behind reasoning is no text at its end', () => {
  expect(streamed(['<think>Hm.</think>', ' \n'])).toMatchObject({ text: '', reasoning: 'Hm.' });
});

test('a host that sends its reasoning separately may use the tags in its text', () => {
  expect(streamed([answer], plain)).toMatchObject({ text: answer, reasoning: '' });
});
