/** How responses that are created in the background end otherwise: without a worker, without a budget, without a key. And what they cost. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashApiKey } from '../../../lib/core/names/api-key.ts';
import { createKeyStore } from '../../../lib/stores/access/keys.ts';
import { model, until, useBackgroundGateway } from '../../harness/responses/background-gateway.ts';

const background = useBackgroundGateway();
const body = { model, input: 'Count.', background: true };

/** A run that was written so long ago, and maybe begun. */
async function writtenAgo(
  milliseconds: number,
  { isBegun = false, tenant = 'local', apiKey = background.gateway.apiKey } = {},
) {
  const runs = background.runsAt(() => Date.now() - milliseconds);
  const run = { tenant, id: `resp_${randomUUID().replaceAll('-', '')}` };
  await runs.create(run, {
    keyHash: hashApiKey(apiKey),
    headers: {},
    streamed: false,
    request: body,
    begun: { id: run.id, object: 'response', background: true, status: 'queued', output: [], created_at: 1 },
  });
  if (isBegun) await runs.begin(run, 'a-worker');
  return run.id;
}

test('a response whose worker gave no sign for a minute has failed, and is not created again', async () => {
  const { responses } = background.client();
  const before = background.upstream.total;
  const id = await writtenAgo(61_000, { isBegun: true });
  const failed = await responses.retrieve(id);
  expect(failed).toMatchObject({ id, status: 'failed', error: { code: 'server_error' } });
  expect(failed.error?.message).toBe("The gateway's process ended while it created this response.");
  expect(await responses.retrieve(id)).toEqual(failed);
  await expect(responses.cancel(id)).rejects.toMatchObject({ status: 400 });
  expect((await responses.retrieve(await writtenAgo(59_000, { isBegun: true }))).status).toBe('in_progress');
  expect(background.upstream.total).toBe(before);
});

test('a response that no worker began within half a minute is begun once more, and then has failed', async () => {
  const client = background.client();
  const holding = background.hold();
  const before = background.upstream.total;
  const id = await writtenAgo(31_000);
  const found = await Promise.all([1, 2, 3].map(() => client.responses.retrieve(id)));
  for (const { status } of found) expect(['queued', 'in_progress']).toContain(status);
  const held = await holding;
  held.say('One');
  held.finish();
  expect((await until(client, id, 'completed')).output_text).toBe('One');
  expect(background.upstream.total).toBe(before + 1);
  const again = await writtenAgo(31_000);
  const runs = background.runsAt(() => Date.now() - 31_000);
  const run = await runs.find({ tenant: 'local', id: again });
  if (run) await runs.restart(run);
  expect(await client.responses.retrieve(again)).toMatchObject({ status: 'failed' });
  expect(background.upstream.total).toBe(before + 1);
});

test('it has one record, under the id of its request, with the cost, the tags and the user', async () => {
  const client = background.client();
  const holding = background.hold();
  const user = randomUUID();
  const headers = { 'x-gateway-user-id': user, 'x-gateway-tags': 'team=search' };
  const { data, response } = await client.responses.create(body, { headers }).withResponse();
  const { id } = data;
  const held = await holding;
  held.say('One');
  held.finish();
  await until(client, id, 'completed');
  await expect.poll(async () => (await recordsOf('local', user)).length).toBe(1);
  const [record] = await recordsOf('local', user);
  expect(record).toMatchObject({
    requestId: response.headers.get('x-request-id'),
    response: id,
    status: 200,
    streamed: true,
    operation: 'responses',
    tags: { team: 'search' },
  });
  expect(record?.cost).toBe(100 * 1_000 + 50 * 2_000);
});

const recordsOf = async (tenant: string, user: string) =>
  (await background.ledger.recordsOf(tenant)).filter((record) => record.user === user);

test('a provider that fails makes a response that has failed', async () => {
  const client = background.client();
  background.upstream.script((_request, response) => void response.writeHead(400).end('{}'));
  const { id } = await client.responses.create(body);
  const failed = await until(client, id, 'failed');
  expect(failed).toMatchObject({ id, background: true, error: { code: 'invalid_prompt' }, output: [] });
  const events: string[] = [];
  for await (const { type } of await client.responses.create({ ...body, stream: true })) events.push(type);
  expect(events).toEqual(['response.created', 'response.queued', 'response.failed']);
});

test('a limit that is used up refuses the request, and one that its worker meets makes it fail', async () => {
  const keys = createKeyStore({ call: background.ledger.call, table: 'access' });
  const { secret: apiKey } = await keys.create({ tenant: 'limited', limits: { concurrentRequests: 1 } });
  const client = background.client().withOptions({ apiKey });
  const holding = background.hold();
  const { id } = await client.responses.create(body);
  const held = await holding;
  await expect(client.responses.create(body)).rejects.toMatchObject({ status: 429 });
  const waiting = await writtenAgo(31_000, { tenant: 'limited', apiKey });
  expect((await until(client, waiting, 'failed')).error?.code).toBe('rate_limit_exceeded');
  held.finish();
  await until(client, id, 'completed');
});
