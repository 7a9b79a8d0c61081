/** When a background response sends an event, and which. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { notifyingRuns, readEnd } from '../../../lib/operations/responses/background/end-event.ts';
import { createBackgroundStore } from '../../../lib/stores/responses/background.ts';
import { useTestDatabase } from '../../stores/database.ts';

const database = useTestDatabase('state');
let time: number;
beforeEach(() => {
  time = Date.UTC(2026, 10, 28);
});

const now = () => time;
const runs = createBackgroundStore({ call: database.call, table: 'state', now });
const background = { runs, now, responses: { find: async () => undefined }, release: async () => {} };
const isListening = async (tenant: string) => tenant === 'acme';

async function create(tenant = 'acme') {
  const ref = { tenant, id: `resp_${randomUUID().replaceAll('-', '')}` };
  const begun = { id: ref.id, object: 'response', status: 'queued', output: [] };
  return await runs.create(ref, { keyHash: '', headers: {}, streamed: false, request: {}, begun });
}

const read = (ref: { readonly tenant: string; readonly id: string }) =>
  readEnd({ background, isListening }, ref);

test.each(['completed', 'incomplete', 'failed'])('a response that is %s sends that event', async (status) => {
  const run = await create();
  await runs.begin(run, 'one');
  await runs.end(run, 'one', { status: status === 'failed' ? 'failed' : 'done', final: { status } });
  expect(await read(run)).toEqual({ tenant: 'acme', type: `response.${status}`, about: run.id });
});

test('one that goes on leaves its event to the worker that ends it', async () => {
  const run = await create();
  expect(await read(run)).toBeUndefined();
  await runs.begin(run, 'one');
  time += 8_000;
  expect(await read(run)).toBeUndefined();
});

test('one whose worker broke off a minute ago has failed, and sends that event', async () => {
  const run = await create();
  await runs.begin(run, 'one');
  time += 61_000;
  expect(await read(run)).toMatchObject({ type: 'response.failed' });
  expect(await runs.find(run)).toMatchObject({ status: 'failed' });
});

test('one that its provider goes on with is read on by another worker, which sends its event', async () => {
  const run = await create();
  await runs.begin(run, 'one');
  const upstream = { model: 'a', provider: 'openai', region: 'global', id: 'resp_upstream' };
  await runs.noteUpstream(run, 'one', upstream);
  time += 61_000;
  const started: string[] = [];
  const start = async ({ id }: { readonly id: string }) => void started.push(id);
  expect(await readEnd({ background: { ...background, start }, isListening }, run)).toBeUndefined();
  expect(started).toEqual([run.id]);
  expect(await runs.find(run)).toMatchObject({ status: 'queued' });
});

test('what was deleted, and what no one listens to, sends no event', async () => {
  const run = await create();
  await runs.cancel(run);
  expect(await read(run)).toMatchObject({ type: 'response.cancelled' });
  await runs.remove(run);
  expect(await read(run)).toBeUndefined();
  const other = await create('other');
  await runs.cancel(other);
  expect(await read(other)).toBeUndefined();
});

test('an end leads to a worker where it was written, and stands where none can be started', async () => {
  const started: string[] = [];
  const lines: string[] = [];
  const notifying = notifyingRuns(
    runs,
    async ({ id }) => {
      started.push(id);
      throw new Error('no worker');
    },
    { warn: (message) => lines.push(message) },
  );
  const [one, two] = [await create(), await create()];
  expect([await notifying.cancel(one), await notifying.cancel(one)]).toEqual([true, false]);
  expect([await notifying.fail(two, 'Lost.'), await notifying.fail(two, 'Lost.')]).toEqual([true, false]);
  expect(started).toEqual([one.id, two.id]);
  expect(lines).toEqual(['end of response not announced', 'end of response not announced']);
  expect(notifyingRuns(runs, undefined, { warn: () => {} })).toBe(runs);
});
