/** The events of responses that are created in the background: followed, left and resumed by the official SDK. */
import { expect, test } from 'vitest';
import { model, take, until, useBackgroundGateway } from '../../harness/responses/background-gateway.ts';

const background = useBackgroundGateway();

const create = () =>
  background.client().responses.create({ model, input: 'Count.', background: true, stream: true });

/** The bytes of a stream, without what only keeps the connection open. */
async function bytesOf(path: string, body?: object): Promise<string> {
  const headers = {
    authorization: `Bearer ${background.gateway.apiKey}`,
    'content-type': 'application/json',
  };
  const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  const response = await fetch(`${background.gateway.url}/v1/responses${path}`, request);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  return (await response.text()).replaceAll(': ping\n\n', '');
}

const idOf = (text: string): string => /"id":"(resp_[0-9a-f]+)"/.exec(text)?.[1] ?? '';

test('a stream that breaks is resumed after its last event, and goes on while the response is created', async () => {
  const holding = background.hold();
  const stream = await create();
  const held = await holding;
  held.say('One', ', two');
  const first = await take(stream, 'response.output_text.delta');
  expect(first.slice(0, 3).map(({ type }) => type)).toEqual([
    'response.created',
    'response.queued',
    'response.in_progress',
  ]);
  const created = first[0]?.type === 'response.created' ? first[0].response : undefined;
  const id = created?.id ?? '';
  expect(created?.status).toBe('queued');
  const after = first.at(-1)?.sequence_number ?? -1;
  const { responses } = background.client();
  const resumed = take(await responses.retrieve(id, { stream: true, starting_after: after }));
  const whole = take(responses.stream({ response_id: id }));
  const rest = take(responses.stream({ response_id: id, starting_after: after }));
  held.say(', three.');
  held.finish();
  const last = await resumed;
  expect([...first, ...last].map((event) => event.sequence_number)).toEqual(
    [...first, ...last].map((_, position) => position),
  );
  expect(last.at(-1)).toMatchObject({
    type: 'response.completed',
    response: { id, output: [{ content: [{ text: 'One, two, three.' }] }] },
  });
  expect((await whole).map(({ sequence_number }) => sequence_number)).toEqual(
    [...first, ...last].map((_, position) => position),
  );
  expect((await rest).map(({ sequence_number }) => sequence_number)).toEqual(
    last.map(({ sequence_number }) => sequence_number),
  );
  const stored = await responses.retrieve(id);
  expect(stored).toMatchObject({ status: 'completed', output_text: 'One, two, three.' });
  expect(background.upstream.total).toBe(1);
});

test('what is replayed is what was streamed, byte for byte, from any event on', async () => {
  const holding = background.hold();
  const streaming = bytesOf('', { model, input: 'Count.', background: true, stream: true });
  const held = await holding;
  held.say('One', ', ', 'two', '\n\nthree.');
  held.finish();
  const streamed = await streaming;
  const id = idOf(streamed);
  expect(streamed).toContain('event: response.completed');
  expect(await bytesOf(`/${id}?stream=true`)).toBe(streamed);
  const events = streamed.split(/(?<=\n\n)/);
  const rest = events.slice(6).join('');
  expect(await bytesOf(`/${id}?stream=true&starting_after=5`)).toBe(rest);
  expect(await bytesOf(`/${id}?stream=true&starting_after=${events.length}`)).toBe('');
});

test('readers of a response that is cancelled get what was sent, and an end', async () => {
  const { responses } = background.client();
  const holding = background.hold();
  const stream = await create();
  const held = await holding;
  held.say('One');
  const first = await take(stream, 'response.output_text.delta');
  const id = first[0]?.type === 'response.created' ? first[0].response.id : '';
  const reading = [0, 1].map(async () => take(await responses.retrieve(id, { stream: true })));
  await responses.cancel(id);
  for (const events of await Promise.all(reading)) expect(events).toEqual(first);
  expect(await held.over).toBe(false);
  expect(await take(await responses.retrieve(id, { stream: true }))).toEqual(first);
});

test('a response without a log is waited for, and replayed when it is complete', async () => {
  const { responses } = background.client();
  const holding = background.hold();
  const { id } = await responses.create({ model, input: 'Count.', background: true });
  const held = await holding;
  const reading = take(await responses.retrieve(id, { stream: true }));
  held.say('One, two.');
  held.finish();
  const events = await reading;
  expect(events.map(({ type }) => type).at(-1)).toBe('response.completed');
  expect((await until(background.client(), id, 'completed')).output_text).toBe('One, two.');
});
