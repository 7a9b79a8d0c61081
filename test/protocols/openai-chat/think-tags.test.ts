/** Reasoning that a host writes into its text, between tags. */
import { expect, test } from 'vitest';
import { createOpenaiChat } from '../../../lib/protocols/openai-chat/protocol.ts';
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

test('wherever a stream is cut, reasoning and answer come apart alike', () => {
  for (let first = 0; first <= answer.length; first++) {
    for (const second of [first, first + 1, first + 3]) {
      const { text, reasoning } = streamed([
        answer.slice(0, first),
        answer.slice(first, second),
        answer.slice(second),
      ]);
      expect({ text, reasoning }).toEqual({
        text: 'Yes, <think> so.',
        reasoning: 'Is 1 < 2?\n</thinner> Yes.',
      });
    }
  }
});

test('a body comes apart as a stream does', () => {
  const body = { choices: [{ index: 0, message: { content: answer }, finish_reason: 'stop' }] };
  expect(only(protocol.decodeBody(body))).toEqual(streamed([...answer]));
});

test.each([
  ['an answer that only speaks of the tag', ['Write ', '<think>', ' first.'], 'Write <think> first.', ''],
  ['an answer that looks like one at first', ['<', 'thin air>'], '<thin air>', ''],
  ['an answer that ends within the tag', [' <thi'], ' <thi', ''],
  ['reasoning that was cut off by a limit', ['<think>Well', ', </thi'], '', 'Well, </thi'],
])('%s is what it is', (_, pieces, text, reasoning) => {
  expect(streamed(pieces)).toMatchObject({ text, reasoning });
});

test('a host that tells its reasoning elsewhere may write the tags as text', () => {
  expect(streamed([answer], plain)).toMatchObject({ text: answer, reasoning: '' });
});
