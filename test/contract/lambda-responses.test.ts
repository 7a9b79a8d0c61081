/**
 * The bundle of Responses with the real Lambda runtime client: its stream is sent while it is written, a response can be
 * continued, and the environment survives a provider that breaks off.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createResponseStore } from '../../lib/stores/responses/responses.ts';
import { answerPieces, type Piece } from '../harness/gateways/protocol-gateway.ts';
import { dataOf } from '../harness/lambda/prelude.ts';
import { useBundle } from '../harness/lambda/use-bundle.ts';
import { end, finish, hello, start, text } from '../harness/protocol-scripts.ts';
import { openaiResponsesScript as script } from '../harness/protocols/openai-responses.ts';
import { readAlong } from '../harness/read-along.ts';
import { seenIn } from '../harness/responses/response-protocols.ts';
import { readResponseStream } from '../harness/responses/response-stream.ts';

const bundle = useBundle('responses');

function replay(pieces: readonly Piece[]) {
  bundle.upstream.script(answerPieces(pieces, script.streamType));
  return bundle.ask({ model: script.model, input: 'Hello.', stream: true });
}

test('a stream is sent chunk by chunk, and stored when it ends', async () => {
  const words = ['one ', 'two ', 'three ', 'four ', 'five '];
  const caller = readAlong();
  // Each word is sent when the caller has the one before.
  const pieces = script.stream([start, ...words.map(text), finish, end]).flatMap((frame): Piece[] => {
    const word = words.find((one) => Buffer.from(frame).includes(JSON.stringify(one)));
    return word ? [frame, () => caller.until((seen) => seen.includes(JSON.stringify(word)))] : [frame];
  });
  expect(pieces.filter((piece) => typeof piece === 'function')).toHaveLength(words.length);
  bundle.upstream.script(answerPieces(pieces, script.streamType));
  const answer = await bundle.invoke({ model: script.model, input: 'Hello.', stream: true });
  expect(answer.prelude).toMatchObject({
    statusCode: 200,
    headers: { 'content-type': 'text/event-stream' },
  });
  const { response } = readResponseStream(await caller.readBody(dataOf(answer.chunks)));
  expect(seenIn(response)).toMatchObject({ status: 'completed', text: 'one two three four five ' });
  const { call } = bundle.database;
  const store = createResponseStore({ call, table: 'state', now: Date.now });
  const found = await store.find('acme', response.id);
  expect(found?.input).toMatchObject([{ type: 'message', role: 'user', content: [{ text: 'Hello.' }] }]);
  expect(await found?.readResponse()).toMatchObject({ id: response.id, output: response.output });
});

test('a provider that breaks off fails the response, and the environment survives', async () => {
  const { engine } = bundle;
  const { pid } = engine;
  const half = await replay([...script.stream([start, text('half an ')]), 50, 'cut']);
  expect(readResponseStream(half.text).response).toMatchObject({ status: 'failed', store: false });
  expect(half.answer.trailers()).toEqual({});
  await sleep(20);
  expect([engine.alive(), engine.pid]).toEqual([true, pid]);
  const whole = await replay(script.stream(hello));
  expect(seenIn(readResponseStream(whole.text).response).text).toBe('Hello');
});
