import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../lib/runtime/log.ts';
import { createAggregator } from '../../lib/runtime/records/aggregator-runtime.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createTenantEdits } from '../../lib/stores/access/tenant-edits.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { createAlertLog } from '../../lib/stores/usage/alert-log.ts';
import { createAwsCall } from '../../lib/transport/aws/aws-call.ts';
import { createSigner } from '../../lib/transport/aws/sign-action.ts';
import { createNodeClient } from '../../lib/transport/http-client/node-client.ts';
import { type LocalDatabase, startDatabase } from '../../local/database.ts';
import type { Changes } from '../../local/stream/changes.ts';
import { type Feed, startFeed } from '../../local/stream/feed.ts';
import { startTestGateway, type TestGateway } from '../harness/gateways/gateway.ts';
import { end, listen } from '../harness/listening.ts';
import { newDirectory } from '../harness/new-directory.ts';
import { postJson } from '../harness/post.ts';
import { answerJson, startUpstream, type Upstream } from '../harness/upstream.ts';
import { answers, question } from './limited-gateway.ts';

const directory = newDirectory();
let database: LocalDatabase;
let feed: Feed;
let gateway: TestGateway;
let upstream: Upstream;
let bus: Server;
/** How much later it is for the aggregator. */
let laterMs = 0;
const events: { readonly target: unknown; readonly body: unknown }[] = [];

/** The gateway's own aggregator gets no changes. */
const noChanges: Changes = { next: async () => [], done: async () => {}, onChange: () => {} };

beforeAll(async () => {
  database = await startDatabase({ dataDirectory: directory });
  upstream = await startUpstream();
  upstream.script(answers);
  bus = createServer(async (request, response) => {
    events.push({ target: request.headers['x-amz-target'], body: await json(request) });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"FailedEntryCount":0}');
  });
  await listen(bus);
  gateway = await startTestGateway(
    { OPENAI_API_KEY: 'test', OPENAI_UPSTREAM_URL: `${upstream.url}/v1` },
    { database: { ...database, changes: noChanges } },
  );
  const call = createAwsCall({
    sendForText: createNodeClient().sendForText,
    sign: createSigner(async () => ({ accessKeyId: 'test', secretAccessKey: 'test' })),
    region: 'us-east-1',
    service: 'events',
    jsonVersion: '1.1',
    endpoint: `http://127.0.0.1:${(bus.address() as AddressInfo).port}/`,
  });
  const table = (name: string) => ({ call: database.call, table: name });
  const environment = { GATEWAY_DASHBOARD_SUMS: 'on' };
  const parts = { environment, log: createLog(), now: () => Date.now() + laterMs, table, events: call };
  feed = startFeed(database.changes, createAggregator(parts));
});
afterAll(async () => {
  await gateway?.close();
  await feed?.close();
  await database?.close();
  await upstream?.close();
  await end(bus);
});

/** Resolves with the status when all that follows is done. */
async function ask(secret: string): Promise<number> {
  const response = await postJson(`${gateway.url}/v1/chat/completions`, secret, {
    ...question,
    max_completion_tokens: 5,
  });
  await response.text();
  await feed.settled();
  return response.status;
}

const sent = () =>
  events.map(({ target, body }) => {
    const [entry] = (body as { Entries: { Source: string; DetailType: string; Detail: string }[] }).Entries;
    const { message, percent } = JSON.parse(entry?.Detail ?? '{}');
    return [target, entry?.Source, entry?.DetailType, message, percent];
  });

test('each threshold is one event, whose words a mail can show', async () => {
  const access = { call: database.call, table: 'access' };
  // An answer costs 60,000 nano-dollars.
  await createTenantStore(access).create('alerted', { limits: { totalBudget: 600_000 } });
  await createTenantEdits(access).edit('alerted', () => ({ alerts: [15, 25] }));
  const { secret } = await createKeyStore(access).create({ tenant: 'alerted' });
  for (let count = 0; count < 4; count += 1) expect(await ask(secret)).toBe(200);
  await expect.poll(() => events.length).toBe(2);
  expect(sent()).toEqual(
    [15, 25].map((percent) => [
      'AWSEvents.PutEvents',
      'model-gateway',
      'Limit Alert',
      `${percent} % of the total budget of tenant alerted is used.`,
      percent,
    ]),
  );
});

test('a provider whose calls fail is an event and a listed alert, and so is its end', async () => {
  const access = { call: database.call, table: 'access' };
  await createTenantStore(access).create('served');
  const { secret } = await createKeyStore(access).create({ tenant: 'served' });
  events.length = 0;
  const bus = ['AWSEvents.PutEvents', 'model-gateway', 'Provider Alert'];
  const minutes = async (later: number) => {
    laterMs += later * 60_000;
    return await ask(secret);
  };
  await minutes(5);
  upstream.script(answerJson({ error: { message: 'No such key.', type: 'invalid_request_error' } }, 401));
  for (let count = 0; count < 5; count += 1) expect(await ask(secret)).toBeGreaterThanOrEqual(500);
  upstream.script(answers);
  await minutes(5);
  await expect
    .poll(sent)
    .toEqual([[...bus, 'Calls of the provider openai fail. Of the last 6, 5 did.', undefined]]);
  expect(JSON.stringify(events[0]?.body)).toContain('text\\":\\"Calls of the provider openai fail. Of');
  await minutes(5);
  await expect.poll(() => events.length).toBe(2);
  const [, over] = sent();
  expect(over).toEqual([
    ...bus,
    'Calls of the provider openai succeed again. Of the last 1, 0 failed.',
    undefined,
  ]);
  const list = createAlertLog({ call: database.call, table: 'usage', now: Date.now });
  const { alerts } = await list.list({ limit: 1 });
  expect(alerts).toMatchObject([
    { type: 'provider.failing', message: 'Calls of the provider openai fail.', delivered: true },
  ]);
  expect(alerts[0]?.until).toBeGreaterThan(alerts[0]?.since ?? 0);
});
