import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { seedCatalog } from '../../infra/catalog/seed.ts';
import { operationNamed } from '../../lib/core/operations.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { type LocalDatabase, startDatabase } from '../../local/database.ts';
import { type FakeAws, operator, startFakeAws } from '../harness/aws/fake-aws.ts';
import { PassedOn } from '../harness/aws/service.ts';
import { bedrock } from '../harness/aws/services/bedrock.ts';
import { dynamodb } from '../harness/aws/services/dynamodb.ts';
import { ssm } from '../harness/aws/services/ssm.ts';
import { built } from '../harness/built.ts';
import { type LambdaEngine, startLambdaEngine } from '../harness/lambda/engine.ts';
import { operationEvent } from '../harness/lambda/event.ts';
import { databaseEnvironment } from '../harness/lambda/use-bundle.ts';
import { newDirectory } from '../harness/new-directory.ts';

const operation = operationNamed('chat-completions');
const secretWords = 'the-word-of-the-caller';
const directory = newDirectory();
let bundles: string;
let database: LocalDatabase;
let aws: FakeAws;
let apiKey: string;

const answer = {
  output: { message: { role: 'assistant', content: [{ text: 'Hello.' }] } },
  stopReason: 'end_turn',
  usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
};
let bedrockAnswer: () => PassedOn;

beforeAll(async () => {
  [database, bundles] = await Promise.all([startDatabase({ dataDirectory: directory }), built()]);
  await seedCatalog(createCatalogStore({ call: database.call, table: 'catalog' }));
  const keys = createKeyStore({ call: database.call, table: 'access' });
  apiKey = (await keys.create({ tenant: 'acme' })).secret;
  aws = await startFakeAws({
    services: [
      dynamodb({ endpoint: database.endpoint }),
      ssm(),
      bedrock({ runtime: async () => bedrockAnswer() }),
    ],
  });
}, 120_000);
afterAll(async () => {
  await aws?.close();
  await database?.close();
});
beforeEach(() => {
  aws.faults.clear();
  bedrockAnswer = () => ok(200, answer);
});

const ok = (status: number, body: object, headers: Readonly<Record<string, string>> = {}) =>
  new PassedOn(status, { 'content-type': 'application/json', ...headers }, Buffer.from(JSON.stringify(body)));

const event = () => {
  const body = { model: 'amazon/nova-lite', messages: [{ role: 'user', content: secretWords }] };
  const plain = operationEvent(operation.name, { bearer: apiKey, body });
  // What steers nothing.
  const steering = { aws_endpoint_url: 'http://127.0.0.1:1', 'x-aws-endpoint-url': 'http://127.0.0.1:1' };
  return { ...plain, headers: { ...plain.headers, ...steering } };
};

const linesOf = (log: string): Line[] =>
  log.split('\n').flatMap((line) => (line.startsWith('{"level"') ? [JSON.parse(line)] : []));

type Line = Readonly<Record<string, unknown>>;

/** Asks a new function twice at most, and gives its answers and log lines. */
async function ask(times = 1, url = aws.url): Promise<{ statuses: number[]; lines: Line[]; log: string }> {
  const { DYNAMODB_ENDPOINT: _, ...tables } = databaseEnvironment(database.endpoint);
  const engine: LambdaEngine = await startLambdaEngine({
    bundle: join(bundles, operation.name, 'index.mjs'),
    environment: {
      ...tables,
      AWS_ACCESS_KEY_ID: operator.accessKeyId,
      AWS_SECRET_ACCESS_KEY: operator.secretAccessKey,
      AWS_ENDPOINT_URL: url,
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      PROVIDER_PARAMETERS_PREFIX: '/Gateway/providers',
    },
  });
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const invoked = await engine.invoke(event());
    await Array.fromAsync(invoked.chunks);
    statuses.push(Number(invoked.prelude?.statusCode));
  }
  const count = () => linesOf(engine.log()).filter(({ message }) => message === 'request').length;
  await expect.poll(count).toBe(times);
  const log = engine.log();
  await engine.close();
  return { statuses, lines: linesOf(log), log };
}

const requestLine = (lines: readonly Line[]) => lines.find(({ message }) => message === 'request') ?? {};

test('a request that is served names Lambda’s own id, and whether it started the function', async () => {
  const { statuses, lines } = await ask(2);
  expect(statuses).toEqual([200, 200]);
  const [first = {}, second = {}] = lines.filter(({ message }) => message === 'request');
  expect(first).toMatchObject({ cold_start: true, provider: 'bedrock' });
  expect(second).not.toHaveProperty('cold_start');
  for (const { request_id, lambda_request_id } of [first, second]) {
    expect(lambda_request_id).toMatch(/^[0-9a-f-]{36}$/);
    // They share the part that is random.
    expect(String(request_id).slice(-20)).toBe(String(lambda_request_id).slice(-20));
  }
}, 60_000);

test('a table that may not be read: the call, its code and its status', async () => {
  aws.faults.add('dynamodb:GetItem', 'denied');
  const { statuses, lines, log } = await ask();
  expect(statuses).toEqual([500]);
  expect(requestLine(lines)).toMatchObject({
    error: 'internal',
    aws_error: { service: 'dynamodb', action: 'GetItem', code: 'AccessDeniedException', status: 400 },
  });
  expect(log).not.toMatch(/not authorized|arn:/);
}, 60_000);

test('a service that is not there: the call, and the code of the system from the end of the chain', async () => {
  const { statuses, lines } = await ask(1, 'http://127.0.0.1:1');
  expect(statuses).toEqual([500]);
  expect(requestLine(lines)).toMatchObject({
    error: 'internal',
    aws_error: { service: 'dynamodb', action: 'GetItem' },
    cause: 'ECONNREFUSED',
  });
}, 60_000);

test('Bedrock by its role does not need the parameter store, and the failed read is in the log', async () => {
  aws.faults.add('ssm:*', 'denied');
  const { statuses, lines } = await ask(2);
  expect(statuses).toEqual([200, 200]);
  expect(lines.filter(({ level }) => level === 'WARN')).toEqual([
    expect.objectContaining({
      message: 'settings of providers not read',
      reason: 'AccessDeniedException',
      aws_error: {
        service: 'ssm',
        action: 'GetParametersByPath',
        code: 'AccessDeniedException',
        status: 400,
      },
    }),
  ]);
}, 60_000);

test('a refusal of a provider: its own code, and nothing of its message', async () => {
  const refusal = `You lack aws-marketplace:Subscribe for ${secretWords}`;
  bedrockAnswer = () =>
    ok(
      403,
      { message: refusal },
      { 'x-amzn-errortype': 'AccessDeniedException:http://internal.amazon.com/' },
    );
  const { statuses, lines, log } = await ask();
  expect(statuses).toEqual([500]);
  expect(requestLine(lines)).toMatchObject({
    error: 'upstream_credentials',
    upstream_status: 403,
    upstream_code: 'AccessDeniedException',
  });
  expect(log).not.toMatch(/aws-marketplace|internal\.amazon/);
  expect(log).not.toContain(secretWords);
}, 60_000);

test('a code of a provider that is a sentence is left out', async () => {
  bedrockAnswer = () => ok(403, { error: { code: `no ${secretWords}, sorry` } });
  const { lines, log } = await ask();
  expect(requestLine(lines)).toMatchObject({ upstream_status: 403 });
  expect(requestLine(lines)).not.toHaveProperty('upstream_code');
  expect(log).not.toContain(secretWords);
}, 60_000);
