/** Responses that the provider creates in the background itself: one that is read on, over connections and workers. */
import { expect, test } from 'vitest';
import type { RunRef } from '../../../lib/core/background.ts';
import { take } from '../../harness/responses/background-gateway.ts';
import { brokenAfter, model, useUpstreamBackground } from '../../harness/responses/upstream-background.ts';

const upstream = useUpstreamBackground();
const body = { model, input: 'Say one two three four five six seven eight.', background: true };
const asIs = () => undefined;

/** What its log says, without what differs from one response to another. */
async function streamOf({ id }: RunRef): Promise<string> {
  const events = await take(await upstream.client().responses.retrieve(id, { stream: true }));
  const text = events.map((event) => JSON.stringify(event)).join('\n');
  return text
    .replaceAll(id.slice('resp_'.length), 'ID')
    .replaceAll(/"(created_at|completed_at)":\d+/g, '"$1":0');
}

async function uninterrupted(): Promise<string> {
  upstream.answer(asIs);
  const ref = await upstream.queued(body);
  await upstream.work(ref);
  return await streamOf(ref);
}

test('it is created there in the background, on record, and its copy is deleted when it is stored', async () => {
  upstream.answer(asIs);
  const { responses } = upstream.client();
  const request = { ...body, stream: true as const, extra: { debug: ['normalizations'] } };
  const events = await take(await responses.create(request));
  const last = events.at(-1);
  if (last?.type !== 'response.completed') expect.fail('It is not complete.');
  expect(last.response).toMatchObject({
    background: true,
    debug: { normalizations: [{ param: 'background', action: 'add', after: true }] },
  });
  expect((await responses.retrieve(last.response.id)).output_text).toContain('sandbox');
  expect(upstream.bodies()).toMatchObject([{ background: true, store: true, stream: true }]);
  await expect.poll(upstream.asked).toEqual(['POST /responses', 'DELETE /responses/ID']);
});

test.each([0, 1, 2, 3, 5, 9])(
  'a connection that breaks after %i events is read on, and no event is lost or repeated',
  async (events) => {
    const whole = await uninterrupted();
    let broken = false;
    upstream.answer(({ path }, answer) => {
      if (broken || !path.startsWith('/responses')) return undefined;
      broken = true;
      return brokenAfter(events, answer());
    });
    const ref = await upstream.queued(body);
    await upstream.work(ref);
    expect(await streamOf(ref)).toBe(whole);
  },
);

/** A host whose time is nearly over after so many milliseconds. */
const endingIn = (milliseconds: number) => ({ remainingMs: () => 20_000 + milliseconds });

test.each([20, 60, 100, 140])(
  'a worker whose time is over after %i ms hands over to the next',
  async (ms) => {
    const whole = await uninterrupted();
    upstream.answer(asIs);
    const ref = await upstream.queued(body);
    await upstream.work(ref, endingIn(ms));
    expect((await upstream.client().responses.retrieve(ref.id)).status).toBe('in_progress');
    await expect.poll(upstream.asked).toContain('DELETE /responses/ID');
    expect(await streamOf(ref)).toBe(whole);
  },
);
