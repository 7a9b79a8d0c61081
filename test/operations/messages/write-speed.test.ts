/** What writing a stream costs, compared with chat's, also of an answer that passes as it came. */

import { expect, test } from 'vitest';
import { pipe, type Transform } from '../../../lib/async/pipe.ts';
import type { PublicEvent } from '../../../lib/core/endpoint.ts';
import type { GenerationEvent } from '../../../lib/core/generation/events.ts';
import type { AnswerFormat } from '../../../lib/core/generation/original/protocol.ts';
import { writeEvent } from '../../../lib/http/streamed-body.ts';
import { chatStream } from '../../../lib/operations/chat/write/write-stream.ts';
import { originalStream } from '../../../lib/operations/messages/write/write-original.ts';
import { messagesStream } from '../../../lib/operations/messages/write/write-stream.ts';
import { anthropicMessages } from '../../../lib/protocols/anthropic-messages/protocol.ts';
import { cpuOf } from '../../harness/cpu.ts';
import { message } from '../../harness/first-lane.ts';
import { answer, argument, call, counted, finish, start, text } from './writing.ts';

const deltas = 5_000;
const repeats = 20;

async function* inTens(events: readonly GenerationEvent[]) {
  for (let at = 0; at < events.length; at += 10) yield events.slice(at, at + 10);
}

async function write(
  events: readonly GenerationEvent[],
  stream: () => Transform<readonly GenerationEvent[], PublicEvent>,
): Promise<void> {
  for (let run = 0; run < repeats; run += 1)
    for await (const list of pipe(inTens(events), stream())) list.map(writeEvent).join('');
}

const identity = { id: 'chatcmpl-1', created: 1, model: 'acme/one' };
const chat = () => chatStream({ identity, includeUsage: true, debug: () => undefined });
const many = (event: GenerationEvent) => Array.from({ length: deltas }, () => event);

test.each([
  ['texts', [start, ...many(text(' word')), finish(), counted]],
  [
    'arguments of a call',
    [
      start,
      call(0),
      argument(0, '{"a":"'),
      ...many(argument(0, ' word')),
      argument(0, '"}'),
      finish(),
      counted,
    ],
  ],
] as const)('%s cost about what they cost in chat, or less', async (_name, events) => {
  const ofChat = () => cpuOf(() => write(events, chat));
  const ofMessages = () => cpuOf(() => write(events, () => messagesStream(answer)));
  await ofChat();
  await ofMessages();
  expect((await ofMessages()) / (await ofChat())).toBeLessThan(1.1);
});

test('calls that come in turns cost no more for each piece the more there are', async () => {
  const calls = (count: number) => {
    const numbers = [...Array(count).keys()];
    const events = [
      ...numbers.map((number) => call(number)),
      ...numbers.map((number) => argument(number, '{"a":')),
      ...numbers.map((number) => argument(number, '"}"}')),
    ];
    return [start, ...events, finish(), counted];
  };
  const few = calls(500);
  const lots = calls(5_000);
  const ofFew = await cpuOf(async () => {
    for (let run = 0; run < 10; run += 1) await write(few, () => messagesStream(answer));
  }, 3);
  expect((await cpuOf(() => write(lots, () => messagesStream(answer)), 3)) / ofFew).toBeLessThan(3);
});

const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ' word' } };
const frames = [
  { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  ...Array.from({ length: 2_000 }, () => delta),
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2_000 } },
  { type: 'message_stop' },
].map((event) => ({ event: event.type, data: JSON.stringify(event) }));

async function* decoded(form: AnswerFormat) {
  const decoder = anthropicMessages.decodeStream(form);
  for (let at = 0; at < frames.length; at += 10) {
    yield frames.slice(at, at + 10).flatMap((frame) => decoder.onFrame(frame));
  }
  yield decoder.onEnd();
}

type Stream = () => Transform<readonly GenerationEvent[], PublicEvent>;

async function writeDecoded(form: AnswerFormat, writer: Stream): Promise<void> {
  for (let run = 0; run < repeats; run += 1)
    for await (const list of pipe(decoded(form), writer())) list.map(writeEvent).join('');
}

test('a writeDecoded costs about as much, or less', async () => {
  const ofChat = () => cpuOf(() => writeDecoded('meaning', chat));
  const ofOriginal = () => cpuOf(() => writeDecoded('original', () => originalStream(answer)));
  await ofChat();
  await ofOriginal();
  expect((await ofOriginal()) / (await ofChat())).toBeLessThan(1.1);
});
