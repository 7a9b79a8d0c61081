/**
 * Money through the whole local gateway and the command line: a price of the past that is corrected reaches records, sums and
 * budgets, and a budget that is nearly used up reaches people.
 */

import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runGateway } from '../../cli/gateway.ts';
import { createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { connectDatabase } from '../../local/database-call.ts';
import { type LocalGateway, startGateway } from '../../local/gateway.ts';
import { captureLog } from '../harness/captured-log.ts';
import { chatAnswer, chatUsage } from '../harness/chat-answers.ts';
import { end, listen } from '../harness/listening.ts';
import { newDirectory } from '../harness/new-directory.ts';
import { postJson } from '../harness/post.ts';
import { answerJson, startUpstream } from '../harness/upstream.ts';
import { use } from '../harness/use.ts';

/** What the upstream counts for each answer: 0.00024 USD at the first price. */
const usage = chatUsage(100, 5);
const question = {
  max_completion_tokens: 5,
  messages: [{ role: 'user', content: 'Say something.' }],
};

const directory = newDirectory();
let gateway: LocalGateway;
let receiver: Server;
let received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];

const upstream = use(() => startUpstream());
beforeAll(async () => {
  upstream.script(answerJson(chatAnswer('Something.', usage)));
  const environment = { OPENAI_API_KEY: 'test', OPENAI_UPSTREAM_URL: `${upstream.url}/v1` };
  gateway = await startGateway({ port: 0, dataDirectory: directory, environment });
  const { call, close } = connectDatabase(gateway.variables.DYNAMODB_ENDPOINT ?? '');
  const model = (id: string) => ({
    id,
    created: '2026-01-01',
    status: 'active',
    endpoints: ['chat_completions'],
    modalities: { input: ['text'], output: ['text'] },
    limits: { context: 1_000, input: null, output: 100 },
    traits: {},
    price: { input: 2, output: 8 },
    deployments: [{ provider: 'openai', region: 'global', upstreamId: id }],
  });
  const catalog = createCatalogStore({ call, table: 'catalog' });
  for (const id of ['acme/one', 'acme/two']) await catalog.put(model(id), { source: 'operator' });
  await close();
  receiver = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(204).end();
  });
  await listen(receiver);
});
afterAll(async () => {
  await gateway?.close();
  await end(receiver);
});
beforeEach(() => {
  received = [];
});

/** A command on the data of the running gateway. */
async function run(line: string) {
  await gateway.settled();
  const output: string[] = [];
  const errors: string[] = [];
  const code = await runGateway(line.split(' '), {
    variables: { GATEWAY_DATA_DIR: directory },
    environmentFile: join(directory, '.env'),
    terminal: {
      write: (written) => output.push(...written.split('\n')),
      writeError: (written) => errors.push(written),
      readValue: async () => '',
      columns: undefined,
    },
  });
  await gateway.settled();
  return { code, output, stderr: errors.join('\n') };
}

const json = async (line: string): Promise<readonly Record<string, unknown>[]> =>
  JSON.parse((await run(`${line} --json`)).output.join('\n'));

async function newTenant(name: string, limits: string): Promise<string> {
  await run(`tenants create ${name}`);
  await run(`tenants set-limits ${name} ${limits}`);
  const { output } = await run(`keys create --tenant ${name}`);
  return /mgw_\S+/.exec(output.join(' '))?.[0] ?? '';
}

async function ask(secret: string, model: string) {
  const response = await postJson(`${gateway.url}/v1/chat/completions`, secret, { model, ...question });
  await response.text();
  await gateway.settled();
  return response.status;
}

const usedOf = async (tenant: string) => {
  const rows = await json(`limits show ${tenant}`);
  const used = (limit: string) => rows.find((row) => row.limit === limit)?.used;
  const [sum] = await json(`usage show --tenant ${tenant}`);
  return [used('monthly_budget_usd'), used('total_budget_usd'), sum?.cost_usd];
};

test('a price that is corrected for the past reaches records, sums and budgets', async () => {
  const secret = await newTenant('corrected', '--budget 0.0016 --total-budget 1');
  for (let count = 0; count < 3; count += 1) expect(await ask(secret, 'acme/one')).toBe(200);
  expect(await usedOf('corrected')).toEqual(['0.00072', '0.00072', '0.00072']);
  expect((await run('catalog set-price acme/one --input 4 --output 16 --from 2026-01-01')).code).toBe(0);
  expect((await run('usage recompute --tenant corrected')).code).toBe(1);
  expect(await usedOf('corrected')).toEqual(['0.00072', '0.00072', '0.00072']);
  expect((await run('usage recompute --tenant corrected --write')).code).toBe(0);
  expect(await usedOf('corrected')).toEqual(['0.00144', '0.00144', '0.00144']);
  expect((await run('usage recompute --tenant corrected')).code).toBe(0);
  expect((await run('usage reconcile --tenant corrected')).code).toBe(0);
  // So does what the budget has left.
  expect(await ask(secret, 'acme/one')).toBe(429);
});

test('a budget that is nearly used up is logged and posted, once for each threshold of its period', async () => {
  const secret = await newTenant('alerted', '--daily-budget 0.0025');
  const { port } = receiver.address() as AddressInfo;
  const set = await run(`tenants set-alerts alerted --at 10,40 --webhook http://127.0.0.1:${port}/alerts`);
  const key = /whsec_(\S+)/.exec(set.output.join(' '))?.[1] ?? '';
  const log = captureLog();
  for (let count = 0; count < 6; count += 1) expect(await ask(secret, 'acme/two')).toBe(200);
  await expect.poll(() => received.length).toBe(2);
  log.close();
  const all = log.lines.map((line) => JSON.parse(line));
  expect(all.filter(({ level }) => level === 'ERROR')).toEqual([]);
  const lines = all.filter(({ message }) => message === 'limit alert');
  expect(lines.map(({ tenant, limit, percent }) => [tenant, limit, percent])).toEqual([
    ['alerted', 'dailyBudget', 10],
    ['alerted', 'dailyBudget', 40],
  ]);
  for (const [index, { headers, body }] of received.entries()) {
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const mac = createHmac('sha256', Buffer.from(key, 'base64')).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${mac}`);
    expect(JSON.parse(body).data).toMatchObject({ tenant: 'alerted', percent: [10, 40][index] });
  }
});
