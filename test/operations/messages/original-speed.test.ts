/** What an answer costs that passes as it came, compared with the same answer in the form of chat. */
import { expect, test } from 'vitest';
import { pipe, type Transform } from '../../../lib/async/pipe.ts';
import type { PublicEvent } from '../../../lib/core/endpoint.ts';
import type { GenerationEvent } from '../../../lib/core/generation/events.ts';
import type { AnswerFormat } from '../../../lib/core/generation/original/protocol.ts';
import { writeEvent } from '../../../lib/http/server-sent-events.ts';
import { chatStream } from '../../../lib/operations/chat/write/write-stream.ts';
import { originalStream } from '../../../lib/operations/messages/write/write-original.ts';
import { anthropicMessages } from '../../../lib/protocols/anthropic-messages/protocol.ts';
import { cpuOf } from '../../harness/cpu.ts';
import { message } from '../../harness/first-lane.ts';
import { answer } from './writing.ts';

const repeats = 20;

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

async function stream(form: AnswerFormat, writer: Stream): Promise<void> {
  for (let run = 0; run < repeats; run += 1)
    for await (const list of pipe(decoded(form), writer())) list.map(writeEvent).join('');
}

const identity = { id: 'chatcmpl-1', created: 1, model: 'acme/one' };
const chat = () => chatStream({ identity, includeUsage: true, debug: () => undefined });

test('a stream costs about as much, or less', async () => {
  const ofChat = () => cpuOf(() => stream('meaning', chat));
  const ofOriginal = () => cpuOf(() => stream('original', () => originalStream(answer)));
  await ofChat();
  await ofOriginal();
  expect((await ofOriginal()) / (await ofChat())).toBeLessThan(1.1);
});
