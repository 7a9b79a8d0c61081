/** Long stored conversations: what a follow-up reads and writes, and where a conversation ends. */
import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { startTestGateway } from '../../harness/gateways/gateway.ts';
import { putModels } from '../../harness/matrix/catalog.ts';
import { newDirectory } from '../../harness/new-directory.ts';
import { startFaultyStore } from '../../harness/store-faults.ts';
import { answerJson, startUpstream } from '../../harness/upstream.ts';
import { use } from '../../harness/use.ts';

const directory = newDirectory();

/** Calls of the table of stored responses, and the characters of what was written there. */
const seen = { GetItem: 0, PutItem: 0, UpdateItem: 0, DeleteItem: 0, written: 0 };

const store = use(() => startFaultyStore(directory));
const upstream = use(() => startUpstream());
const gateway = use(() =>
  startTestGateway(
    { MOONSHOT_UPSTREAM_URL: upstream.url, MOONSHOT_API_KEY: 'a-provider-key' },
    { database: store },
  ),
);
beforeAll(async () => {
  await putModels({ [model]: [{ provider: 'moonshot', upstreamId: 'model' }] });
  store.setFaults((action, table, body) => {
    if (table !== 'state') return undefined;
    seen[action as 'GetItem'] += 1;
    if (action === 'PutItem') seen.written += body.length;
    return undefined;
  });
  upstream.script(
    answerJson({
      choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }),
  );
});

const model = 'conversations/model';
const start = () => Object.assign(seen, { GetItem: 0, PutItem: 0, UpdateItem: 0, DeleteItem: 0, written: 0 });

async function respond(body: object) {
  const response = await gateway.post('/v1/responses', { model, ...body });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function stored(body: object): Promise<string> {
  const { status, body: answered } = await respond(body);
  expect([status, answered.store]).toEqual([200, true]);
  return String(answered.id);
}

const get = async (path: string, method = 'GET') => {
  const response = await fetch(`${gateway.url}/v1/responses/${path}`, {
    method,
    headers: { authorization: `Bearer ${gateway.apiKey}` },
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

/** A picture of so many random bytes: it does not compress. */
function picture(bytes: number): object {
  const data = randomBytes(bytes);
  const image_url = `data:image/png;base64,${data.toString('base64')}`;
  return { role: 'user', content: [{ type: 'input_image', image_url }] };
}

test('a follow-up to large pictures writes only what is new', async () => {
  let previous = await stored({ input: [picture(1_500_000)] });
  previous = await stored({ input: [picture(1_500_000)], previous_response_id: previous });
  start();
  const last = await stored({ input: 'And now?', previous_response_id: previous });
  expect(seen.PutItem).toBe(1);
  expect(seen.UpdateItem).toBe(0);
  expect(seen.written).toBeLessThan(10_000);
  // The head, and each piece once: 3 MB of bytes, in pieces of 300 KB.
  expect(seen.GetItem).toBeLessThanOrEqual(1 + 12);
  expect(upstream.requests.at(-1)?.body.messages).toHaveLength(5);
  start();
  expect((await get(last)).status).toBe(200);
  expect(await get(`${last}/input_items?limit=2`)).toMatchObject({
    status: 200,
    body: { data: [{ content: [{ text: 'And now?' }] }, { content: [{ text: 'Yes.' }] }], has_more: true },
  });
  expect(seen.GetItem).toBe(2);
});

test('many small turns write in proportion to what they add', async () => {
  const text = () => ({
    role: 'user',
    content: Buffer.from(crypto.getRandomValues(new Uint8Array(9_000))).toString('base64'),
  });
  let previous = await stored({ input: [text()] });
  const written: number[] = [];
  for (let turn = 0; turn < 30; turn += 1) {
    start();
    previous = await stored({ input: [text()], previous_response_id: previous });
    written.push(seen.written);
  }
  const sum = (turns: readonly number[]) => turns.reduce((total, one) => total + one, 0);
  // Each turn adds the same. A whole copy for each turn would be three times as much in the second half.
  expect(sum(written.slice(15))).toBeLessThan(1.6 * sum(written.slice(0, 15)));
  const { body } = await get(`${previous}/input_items?limit=100&order=asc`);
  expect(body.data).toHaveLength(61);
});

test('a deleted response takes nothing from the ones after it, and those nothing from it', async () => {
  const first = await stored({ input: [picture(300_000)] });
  const second = await stored({ input: 'One.', previous_response_id: first });
  const third = await stored({ input: 'Two.', previous_response_id: first });
  start();
  expect((await get(first, 'DELETE')).status).toBe(200);
  // One of the response, and one of what is kept of those that are created in the background.
  expect(seen.DeleteItem).toBe(2);
  expect((await get(first)).status).toBe(404);
  expect((await get(`${second}/input_items?order=asc`)).body.data).toHaveLength(3);
  expect((await get(second, 'DELETE')).status).toBe(200);
  expect((await get(`${third}/input_items?order=asc`)).body.data).toHaveLength(3);
  expect((await respond({ input: 'Go on.', previous_response_id: first })).status).toBe(400);
  await stored({ input: 'Go on.', previous_response_id: third });
});

test('a follow-up that would make a conversation of more than 8 MB is refused before it costs anything', async () => {
  const first = await stored({ input: [picture(4_500_000)] });
  const asked = upstream.total;
  const { status, body } = await respond({ input: [picture(2_000_000)], previous_response_id: first });
  expect(status).toBe(400);
  expect(body).toMatchObject({
    error: {
      code: 'context_length_exceeded',
      param: 'previous_response_id',
      message: expect.stringContaining('8 MB'),
    },
  });
  expect(upstream.total).toBe(asked);
  const unstored = { input: [picture(2_000_000)], previous_response_id: first, store: false };
  expect((await respond(unstored)).status).toBe(200);
});

test('a first request of more than 8 MB is answered, and says that it was not stored', async () => {
  const { status, body } = await respond({
    input: [picture(6_500_000)],
    extra: { debug: ['normalizations'] },
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    store: false,
    debug: { normalizations: [{ param: 'store', action: 'override', before: true, after: false }] },
  });
});
