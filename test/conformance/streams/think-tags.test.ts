/** Reasoning in `<think>` tags at the start of the content, however the stream is split. */
import { expect, test } from 'vitest';
import { readChatStream } from '../../harness/chat-stream.ts';
import { answerPieces } from '../../harness/gateways/protocol-gateway.ts';
import { useUpstreamGateway } from '../../harness/gateways/upstream-gateway.ts';
import { end, finish, start, text } from '../../harness/protocol-scripts.ts';
import { openaiScript } from '../../harness/protocols/openai.ts';

const { gateway, upstream } = useUpstreamGateway('MINIMAX');

async function readTagged(pieces: readonly string[]) {
  const frames = openaiScript.stream([start, ...pieces.map(text), finish, end]);
  upstream.script(answerPieces(frames, openaiScript.streamType));
  const messages = [{ role: 'user', content: 'Think.' }];
  const response = await gateway.post('/v1/chat/completions', {
    model: 'minimax/MiniMax-M3',
    messages,
    stream: true,
  });
  return readChatStream(await response.text()).choices.get(0);
}

const tagged = '<think>So <b> or </ thin?</think>\n\nYes: 1 < 2, <think>.';

test.each([1, 2, 3, 5, 7, 11, tagged.length])('split every %i characters', async (size) => {
  const count = Math.ceil(tagged.length / size);
  const pieces = Array.from({ length: count }, (_, at) => tagged.slice(at * size, (at + 1) * size));
  const seen = await readTagged(pieces);
  expect(seen).toMatchObject({
    content: 'Yes: 1 < 2, <think>.',
    reasoning: 'So <b> or </ thin?',
    finish: 'stop',
  });
});

test('text that only starts like a tag is text', async () => {
  expect(await readTagged(['<thi', 's> is text'])).toMatchObject({
    content: '<this> is text',
    reasoning: '',
  });
});

test('reasoning without an end is returned as far as it arrived', async () => {
  const seen = await readTagged(['<think>On and on', ' </thi']);
  expect(seen).toMatchObject({ content: '', reasoning: 'On and on </thi', finish: 'stop' });
});
