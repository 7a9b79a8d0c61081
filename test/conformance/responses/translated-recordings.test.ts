/** Recorded traffic of other protocols, returned as Responses: each stream follows the stream grammar, with the content of chat. */
import { describe, expect, test } from 'vitest';
import { readChatStream } from '../../harness/chat-stream.ts';
import { brokenRecordings, useRecordedGateway } from '../../harness/gateways/recorded-gateway.ts';
import { chatRecordings, hasRecordings, type Recording } from '../../harness/recorded/recordings.ts';
import { asAnswer, readWhole, seenIn } from '../../harness/responses/response-protocols.ts';
import { readResponseStream } from '../../harness/responses/response-stream.ts';
import { wholeBody } from '../../harness/whole-body.ts';

const ask = useRecordedGateway();

/** Providers whose own Responses protocol is used instead. */
const hasOwnProtocol = ['openai', 'xai'];

const recordings = chatRecordings().filter(({ provider }) => !hasOwnProtocol.includes(provider));
const streams = recordings.filter(
  ({ stream, status, name }) => stream && status === 200 && !brokenRecordings.has(name),
);
const broken = recordings.filter(({ name }) => brokenRecordings.has(name));

const respond = (recording: Omit<Recording, 'name'>) => ask('/v1/responses', recording, { input: 'Hello.' });

const chat = (recording: Recording) =>
  ask('/v1/chat/completions', recording, {
    messages: [{ role: 'user', content: 'Hello.' }],
    stream_options: { include_usage: true },
  });

describe.skipIf(!hasRecordings)('recorded traffic', () => {
  test('exists for every provider', () => {
    expect(new Set(streams.map(({ provider }) => provider)).size).toBeGreaterThan(8);
  });

  test.each(streams)(
    'the stream of $name has the same content in Responses and in chat',
    async (recording) => {
      const { response } = readResponseStream(await (await respond(recording)).text());
      expect(['completed', 'incomplete']).toContain(response.status);
      const { choices, usage } = readChatStream(await (await chat(recording)).text());
      const message = choices.get(0);
      if (!message) throw new Error('Chat has an answer.');
      expect(seenIn(response)).toEqual(asAnswer({ ...message, usage }));
    },
  );

  test.each(streams)('$name gives the same response streamed or not', async (recording) => {
    const streamed = readResponseStream(await (await respond(recording)).text());
    const body = Buffer.from(JSON.stringify(wholeBody(recording)));
    const answer = await respond({ ...recording, body, stream: false, contentType: 'application/json' });
    expect(seenIn(await readWhole(answer))).toEqual(seenIn(streamed.response));
  });

  test.each(broken)('$name is not returned as a success', async (recording) => {
    const answer = await respond(recording);
    const seen = answer.status === 200 ? readResponseStream(await answer.text()) : undefined;
    expect(answer.status !== 200 || seen?.response.status === 'failed').toBe(true);
  });
});
