/** No text of a caller reaches the log, and no line is long, whatever is sent where. */
import { describe, expect, test } from 'vitest';
import { examples } from '../../build/openapi/example-bodies.ts';
import { operations } from '../../lib/core/operations.ts';
import { maxLogLine, maxLogText } from '../../lib/runtime/log-bounds.ts';
import { document } from '../docs/document.ts';
import { captureLog } from '../harness/captured-log.ts';
import { startTestGateway } from '../harness/gateways/gateway.ts';
import { textFields, withField } from '../harness/text-fields.ts';
import { use } from '../harness/use.ts';

const gateway = use(() => startTestGateway());
const log = use(captureLog);

const secret = 'MYSECRETPROMPT ';
const long = (bytes: number) => secret.repeat(Math.ceil(bytes / secret.length));

/** The longest text in a line, wherever it is. */
function longestText(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Math.max(0, ...Object.entries(value).flatMap(([name, item]) => [name.length, longestText(item)]));
}

/** What is wrong with the lines since the last call. */
let seen = 0;
function faults(): readonly string[] {
  const lines = log.lines.slice(seen);
  seen = log.lines.length;
  return lines
    .filter(
      (line) =>
        line.includes('SECRET') ||
        Buffer.byteLength(line) > maxLogLine ||
        longestText(JSON.parse(line)) > maxLogText,
    )
    .map((line) => line.slice(0, 300));
}

const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
  const response = await gateway.post(path, body, headers);
  await response.arrayBuffer();
  return response.status;
};

interface DocumentedBody {
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>>;
  };
}

/** The operations with a body, with the name of its schema and an example. */
const posts = operations.flatMap(({ name, method, path, takesFile }) => {
  // Forms, and those whose input is their path, have no such body.
  if (method !== 'POST' || name === 'openapi' || takesFile || path.endsWith('/cancel')) return [];
  const documented = document.paths[path.replace('/v1', '')]?.post as DocumentedBody | undefined;
  const schema = documented?.requestBody?.content['application/json']?.schema.$ref.split('/').at(-1);
  const example = examples[name]?.request;
  if (schema === undefined || !example) throw new Error(`${name} is not documented.`);
  return [{ name, path, schema, example }];
});

describe.each(posts)('$name', ({ path, schema, example }) => {
  const fields = textFields(schema);

  test('with a long text in each field', async () => {
    expect(fields.length).toBeGreaterThan(1);
    for (const field of fields) await post(path, withField(example, field, long(20_000)) as object);
    expect(seen < log.lines.length).toBe(true);
    expect(faults()).toEqual([]);
  });

  test('with 9 MB in all fields together, and in the name of a field', async () => {
    const text = long(9e6 / fields.length);
    const all = fields.reduce<unknown>((body, field) => withField(body, field, text), example);
    await post(path, all as object);
    await post(path, { ...example, [long(9e6)]: 1 });
    expect(faults()).toEqual([]);
  });
});

const headerNames = [
  'authorization',
  'x-api-key',
  'content-type',
  'content-encoding',
  'accept',
  'origin',
  'user-agent',
  'traceparent',
  'x-amzn-trace-id',
  'x-forwarded-for',
  'x-request-id',
  'x-gateway-tags',
  'idempotency-key',
  'openai-beta',
  'openai-organization',
];

test.each(headerNames)('a long header %s', async (name) => {
  const body = { model: 'openai/gpt-4.1', messages: [{ role: 'user', content: 'Hello' }] };
  await post('/v1/chat/completions', body, { [name]: long(7_000).trim() });
  expect(faults()).toEqual([]);
});

test("the caller's ids of user and session are in the log, cut", async () => {
  const ids = { 'x-gateway-user-id': 'u'.repeat(3_000), 'x-gateway-session-id': 's'.repeat(3_000) };
  await post('/v1/chat/completions', { model: 'none/such', messages: [] }, ids);
  const line = JSON.parse(log.lines.at(-1) ?? '');
  expect([line.user_id.length, line.session_id.length]).toEqual([128, 128]);
  expect(faults()).toEqual([]);
});

const text = encodeURIComponent(long(6_000));

test.each([
  `/v1/models/${text}`,
  `/v1/responses/${text}`,
  `/v1/responses/resp_1/input_items?after=${text}&order=${text}`,
  `/v1/usage?from=${text}&group_by=${text}`,
  `/v1/usage/requests/${text}`,
  `/v1/models?status=${text}`,
  `/${text}`,
  `/v1/chat/completions?${text}=${text}`,
])('a long path or query (%#)', async (path) => {
  for (const method of ['GET', 'DELETE', 'POST', 'PUT']) {
    const headers = { authorization: `Bearer ${gateway.apiKey}` };
    await (await fetch(`${gateway.url}${path}`, { method, headers })).arrayBuffer();
  }
  expect(faults()).toEqual([]);
});

test('a model that the catalog does not know is logged as unknown, another one by its id', async () => {
  const messages = [{ role: 'user', content: 'Hello' }];
  for (const model of [secret.trim(), 'gpt-4.1']) await post('/v1/chat/completions', { model, messages });
  const models = log.lines.slice(-2).map((line) => JSON.parse(line).model);
  expect(models).toEqual(['unknown', 'openai/gpt-4.1']);
  expect(faults()).toEqual([]);
});
