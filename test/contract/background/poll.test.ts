/** Responses that are created in the background, polled and cancelled by the official SDK. */
import { expect, test } from 'vitest';
import { model, until, useBackgroundGateway } from '../../harness/responses/background-gateway.ts';

const background = useBackgroundGateway();
const create = (more: object = {}) =>
  background.client().responses.create({ model, input: 'Count.', background: true, ...more });

test('a response is queued at once, in progress while it is created, and stored when it is complete', async () => {
  const holding = background.hold();
  const queued = await create({ metadata: { team: 'search' } });
  expect(queued).toMatchObject({
    status: 'queued',
    background: true,
    output: [],
    usage: null,
    metadata: { team: 'search' },
    model,
  });
  const held = await holding;
  held.say('One');
  expect((await until(background.client(), queued.id, 'in_progress')).output).toEqual([]);
  held.say(', two.');
  held.finish();
  const completed = await until(background.client(), queued.id, 'completed');
  expect(completed).toMatchObject({ id: queued.id, background: true, created_at: queued.created_at });
  expect(completed.output_text).toBe('One, two.');
  expect(completed.usage).toMatchObject({ input_tokens: 100, output_tokens: 50 });
  expect(background.upstream.total).toBe(1);
});

test('a response that is cancelled while it runs ends its call of the provider, and stays cancelled', async () => {
  const holding = background.hold();
  const { id } = await create();
  const held = await holding;
  held.say('One');
  await until(background.client(), id, 'in_progress');
  const cancelled = await background.client().responses.cancel(id);
  expect(cancelled).toMatchObject({ id, status: 'cancelled', output: [], background: true });
  expect(await held.over).toBe(false);
  expect(await background.client().responses.cancel(id)).toEqual(cancelled);
  expect(await background.client().responses.retrieve(id)).toMatchObject({ id, status: 'cancelled' });
});

test('what has ended, or was not created in the background, cannot be cancelled, and what is unknown is not found', async () => {
  const client = background.client();
  const holding = background.hold();
  const { id } = await create();
  (await holding).finish();
  await until(client, id, 'completed');
  await expect(client.responses.cancel(id)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("its status is 'completed'"),
  });
  const finishing = background.hold().then(({ finish }) => finish());
  const plain = await create({ background: false });
  await finishing;
  await expect(client.responses.cancel(plain.id)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("Only a response that was created with 'background': true"),
  });
  await expect(client.responses.cancel('resp_unknown')).rejects.toMatchObject({ status: 404 });
});

test('no other tenant finds, cancels or deletes it', async () => {
  const holding = background.hold();
  const { id } = await create();
  const held = await holding;
  const { responses } = await background.stranger('other');
  await expect(responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
  await expect(responses.retrieve(id, { stream: true })).rejects.toMatchObject({ status: 404 });
  await expect(responses.cancel(id)).rejects.toMatchObject({ status: 404 });
  await expect(responses.delete(id)).rejects.toMatchObject({ status: 404 });
  held.say('One');
  held.finish();
  expect((await until(background.client(), id, 'completed')).output_text).toBe('One');
});

test('a response that is deleted while it runs ends its call of the provider, and is gone', async () => {
  const client = background.client();
  const holding = background.hold();
  const { id } = await create();
  const held = await holding;
  held.say('One');
  await client.responses.delete(id);
  await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
  expect(await held.over).toBe(false);
  await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
  await expect(client.responses.delete(id)).rejects.toMatchObject({ status: 404 });
});

test('what can be refused is refused at once', async () => {
  await expect(create({ store: false })).rejects.toMatchObject({ status: 400, param: 'store' });
  await expect(create({ model: 'acme/unknown' })).rejects.toMatchObject({ status: 404 });
  await expect(create({ previous_response_id: 'resp_unknown' })).rejects.toMatchObject({ status: 400 });
});

test('a response is continued only when it is complete', async () => {
  const client = background.client();
  const holding = background.hold();
  const { id } = await create();
  const held = await holding;
  held.say('One');
  await expect(create({ previous_response_id: id })).rejects.toMatchObject({
    status: 400,
    param: 'previous_response_id',
    message: expect.stringContaining('is not complete yet'),
  });
  held.finish();
  await until(client, id, 'completed');
  const next = background.hold();
  const continued = await create({ previous_response_id: id });
  (await next).finish();
  await until(client, continued.id, 'completed');
  expect(background.upstream.requests.at(-1)?.text).toContain('"One"');
});
