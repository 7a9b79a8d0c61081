/** The answer of a target that speaks the Messages API: as it came, but for the model's name. */
import { expect, test } from 'vitest';
import { answerPieces } from '../../harness/gateways/protocol-gateway.ts';
import { messagesEventsOf } from '../../harness/messages.ts';
import { atAnthropic, message, useOriginalLane } from '../../harness/original-lane.ts';
import { answerJson } from '../../harness/upstream.ts';

const lane = useOriginalLane();

const events = [
  { type: 'message_start', message: { ...message, content: [], stop_reason: null, diagnostics: null } },
  { type: 'ping' },
  { type: 'content_block_start', index: 0, content_block: { type: 'unheard_of', data: [1] } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Good.' } },
  { type: 'unheard_of', more: { of: 'it' } },
  { type: 'content_block_stop', index: 1 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 3 },
  },
  { type: 'message_stop' },
];

const streamOf = (list: readonly { readonly type: string }[]) =>
  Buffer.from(list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));

const model = atAnthropic;

test('a body', async () => {
  const given = {
    ...message,
    unheard_of: 1,
    content: [...message.content, { type: 'unheard_of', data: [1] }],
  };
  const response = await lane.answered(answerJson(given));
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ ...given, model });
});

test('a stream', async () => {
  const response = await lane.answered(answerPieces([streamOf(events)], 'text/event-stream'), {
    stream: true,
  });
  const [start, ...rest] = messagesEventsOf(await response.text());
  expect(start).toEqual({ ...events[0], message: { ...events[0]?.message, model } });
  expect(rest).toEqual(events.slice(1));
});
