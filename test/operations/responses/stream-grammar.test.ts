/** The state machine that checks every Responses stream in the tests detects errors. */
import { expect, test } from 'vitest';
import { writeEvent } from '../../../lib/transport/../http/streamed-body.ts';
import { type ResponseEvent, readResponseStream } from '../../harness/responses/response-stream.ts';
import { writtenResponse } from '../../harness/responses/written-response.ts';

const choice = 0;
const citation = { url: 'https://example.com/', title: 'Example', start_index: 0, end_index: 2 };
const token = { token: 'Hi', logprob: -1, bytes: null, top_logprobs: [] };

/** A stream with every type of event except failures. */
const whole = async () => {
  const { events } = await writtenResponse(() => [
    { type: 'start' },
    { type: 'reasoning', choice, text: 'Hm' },
    { type: 'web-search', choice, search: 0 },
    {
      type: 'web-search-end',
      choice,
      search: 0,
      status: 'completed',
      action: { type: 'search', query: 'a' },
    },
    { type: 'text', choice, text: 'Hi' },
    { type: 'logprobs', choice, content: [token], refusal: [] },
    { type: 'annotation', choice, annotation: { type: 'url_citation', url_citation: citation } },
    { type: 'refusal', choice, text: 'No.' },
    { type: 'tool-call', choice, call: 0, id: 'call_0', name: 'look' },
    { type: 'tool-arguments', choice, call: 0, text: '{}' },
    { type: 'finish', choice, reason: 'tool_calls' },
  ]);
  return events;
};

const textOf = (events: readonly ResponseEvent[]) =>
  events
    .map((event, sequence_number) => writeEvent({ event: event.type, data: { ...event, sequence_number } }))
    .join('');

test('a stream with every type of event is accepted', async () => {
  const events = await whole();
  expect(new Set(events.map(({ type }) => type)).size).toBe(21);
  expect(readResponseStream(textOf(events)).response.status).toBe('completed');
});

test('a stream with any one event missing is rejected', async () => {
  const events = await whole();
  for (const [missing, { type }] of events.entries()) {
    const rest = events.filter((_event, index) => index !== missing);
    expect(() => readResponseStream(textOf(rest)), `without ${type}`).toThrow();
  }
});

test('a stream with any one event repeated is rejected', async () => {
  const events = await whole();
  for (const [index, event] of events.entries()) {
    const twice = events.toSpliced(index, 0, event);
    expect(() => readResponseStream(textOf(twice)), `${event.type} twice`).toThrow();
  }
});

test('a stream with any two adjacent events swapped is rejected', async () => {
  const events = await whole();
  for (let index = 0; index + 1 < events.length; index++) {
    const [first, second] = events.slice(index, index + 2);
    if (!first || !second) throw new Error('No adjacent event.');
    if (mayChangePlaces(first, second)) continue;
    const wrong = events.toSpliced(index, 2, second, first);
    expect(() => readResponseStream(textOf(wrong)), `${second.type} before ${first.type}`).toThrow();
  }
});

/** Two deltas with the same text in any order, a citation, and a search that other items do not wait for. */
function mayChangePlaces(first: ResponseEvent, second: ResponseEvent): boolean {
  const isSearchDone = first.type === 'response.output_item.done' && first.output_index === 1;
  return (
    first.type === second.type ||
    second.type === 'response.output_text.annotation.added' ||
    (isSearchDone && second.type === 'response.output_item.added')
  );
}

test('a gap in the sequence numbers is rejected', async () => {
  const events = (await whole()).map((event) =>
    event.sequence_number > 4 ? { ...event, sequence_number: event.sequence_number + 1 } : event,
  );
  const text = events.map((event) => writeEvent({ event: event.type, data: event })).join('');
  expect(() => readResponseStream(text)).toThrow('without gaps');
});
