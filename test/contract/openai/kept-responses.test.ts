/** Responses that are kept: retrieved, listed by their input and deleted with the official SDK. */
import OpenAI, { NotFoundError } from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KeptResponse } from '../../../lib/core/ports.ts';
import { startTestGateway, type TestGateway } from '../../harness/gateway.ts';
import { type KeptResponses, openKeptResponses } from '../../harness/kept-responses.ts';
import { hasOpenAiSchema, openAiSchema } from '../../harness/openai-schema.ts';

const day = 24 * 3_600_000;
let gateway: TestGateway;
let kept: KeptResponses;

beforeAll(async () => {
  gateway = await startTestGateway();
  kept = openKeptResponses();
});
afterAll(async () => {
  await kept?.close();
  await gateway?.close();
});

const clientWith = (apiKey: string) => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey, maxRetries: 0 });
const client = () => clientWith(gateway.apiKey);
const keep = (make = sample, at?: number) => kept.keep(gateway.apiKey, make, at);

/** Asks without an SDK: what no SDK sends, and answers byte for byte. */
async function ask(path: string, { method = 'GET', apiKey = gateway.apiKey } = {}) {
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${gateway.url}/v1/responses/${path}`, { method, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const message = (id: string, text: string) => ({
  type: 'message',
  id,
  status: 'completed',
  role: 'user',
  content: [{ type: 'input_text', text }],
});

const search = (id: string) => ({
  type: 'web_search_call',
  id,
  status: 'completed',
  action: { type: 'search', query: 'weather', sources: [{ type: 'url', url: 'https://example.org/' }] },
});

const reasoning = (id: string) => ({
  type: 'reasoning',
  id,
  summary: [{ type: 'summary_text', text: 'Thinking.' }],
  encrypted_content: 'sealed',
});

const answer = (id: string) => ({
  type: 'message',
  id,
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Sunny.', annotations: [], logprobs: [] }],
});

const call = { call_id: 'call_1', status: 'completed' };

function sample(id: string): KeptResponse {
  return {
    response: {
      id,
      object: 'response',
      created_at: 1_790_000_000,
      status: 'completed',
      background: false,
      error: null,
      incomplete_details: null,
      instructions: null,
      max_output_tokens: null,
      metadata: { topic: 'weather' },
      model: 'openai/gpt-4.1',
      output: [reasoning('rs_2'), search('ws_2'), answer('msg_9')],
      parallel_tool_calls: true,
      temperature: 1,
      tool_choice: 'auto',
      tools: [],
      top_p: 1,
      truncation: 'disabled',
      usage: {
        input_tokens: 1,
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        output_tokens: 1,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 2,
      },
    },
    input: [
      message('msg_1', 'How is the weather?'),
      reasoning('rs_1'),
      search('ws_1'),
      { type: 'function_call', id: 'fc_1', name: 'weather', arguments: '{}', ...call },
      { type: 'function_call_output', id: 'fco_1', output: 'sunny', ...call },
      answer('msg_2'),
      message('msg_3', 'Say it again.'),
    ],
  };
}

describe('retrieve', () => {
  test('gives the response as it was answered', async () => {
    const id = await keep();
    const response = await client().responses.retrieve(id);
    expect(response).toMatchObject({ id, object: 'response', metadata: { topic: 'weather' } });
    expect(response.output_text).toBe('Sunny.');
    expect(response.output.map(({ type }) => type)).toEqual(['reasoning', 'web_search_call', 'message']);
  });

  test('shows what is sealed, and the sources of a search, only to who asks for it', async () => {
    const id = await keep();
    const plain = JSON.stringify(await client().responses.retrieve(id));
    expect(plain).toContain('Thinking.');
    expect(plain).not.toMatch(/encrypted_content|sources/);
    const both = ['reasoning.encrypted_content', 'web_search_call.action.sources'] as const;
    const { output } = await client().responses.retrieve(id, { include: [...both] });
    expect(output).toEqual(sample(id).response.output);
    const one = await client().responses.retrieve(id, { include: [both[0]] });
    expect(JSON.stringify(one)).toMatch(/encrypted_content/);
    expect(JSON.stringify(one)).not.toMatch(/sources/);
  });

  test.each([
    'include=reasoning.encrypted_content',
    'include[]=reasoning.encrypted_content',
    'include=web_search_call.action.sources&include=reasoning.encrypted_content',
    'include=reasoning.encrypted_content&include_obfuscation=false&stream=false',
  ])('takes the query %s', async (query) => {
    const { status, text } = await ask(`${await keep()}?${query}`);
    expect(status).toBe(200);
    expect(text).toContain('encrypted_content');
  });

  test.each([
    ['include', 'include=everything'],
    ['include.1', 'include=message.output_text.logprobs&include=everything'],
    ['include.0', 'include[]='],
    ['stream', 'stream=true'],
    ['stream', 'stream=false&stream=true'],
    ['starting_after', 'starting_after=3'],
  ])('refuses a wrong %s by its name: %s', async (param, query) => {
    const { status, text } = await ask(`${await keep()}?${query}`);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ error: { type: 'invalid_request_error', param } });
  });

  test('says that it does not stream again', async () => {
    const id = await keep();
    const error = await client()
      .responses.retrieve(id, { stream: true })
      .then(() => undefined, String);
    expect(error).toContain('not streamed again');
  });

  test.skipIf(!hasOpenAiSchema)('satisfies the public schema', async () => {
    const { text } = await ask(await keep());
    expect(openAiSchema('Response')(JSON.parse(text))).toEqual([]);
  });
});

describe('delete', () => {
  test('removes it for good', async () => {
    const id = await keep();
    await client().responses.delete(id);
    await expect(client().responses.retrieve(id)).rejects.toBeInstanceOf(NotFoundError);
    await expect(client().responses.inputItems.list(id)).rejects.toBeInstanceOf(NotFoundError);
    await expect(client().responses.delete(id)).rejects.toBeInstanceOf(NotFoundError);
  });

  test('says what it deleted', async () => {
    const id = await keep();
    const { status, text } = await ask(id, { method: 'DELETE' });
    expect([status, JSON.parse(text)]).toEqual([200, { id, object: 'response', deleted: true }]);
  });
});

describe('input items', () => {
  const ids = sample('').input.map(({ id }) => id);

  test('come newest first, page by page, as the SDK reads them', async () => {
    const id = await keep();
    const pages = [];
    for await (const page of (await client().responses.inputItems.list(id, { limit: 3 })).iterPages())
      pages.push(page.data.map((item) => item.id));
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 1]);
    expect(pages.flat()).toEqual(ids.toReversed());
  });

  test('come in the order of the conversation when asked', async () => {
    const list = client().responses.inputItems.list(await keep(), { order: 'asc', limit: 2 });
    expect(await Array.fromAsync(list, (item) => item.id)).toEqual(ids);
  });

  test('tell where a page begins and ends', async () => {
    const id = await keep();
    const page = async (query: string) => {
      const { data, ...rest } = JSON.parse((await ask(`${id}/input_items?${query}`)).text);
      return { ...rest, ids: data.map((item: { id: string }) => item.id) };
    };
    const list = { object: 'list' };
    expect(await page('order=asc&limit=2&after=msg_1')).toEqual({
      ...list,
      ids: ['rs_1', 'ws_1'],
      first_id: 'rs_1',
      last_id: 'ws_1',
      has_more: true,
    });
    const end = { ...list, ids: [], first_id: '', last_id: '', has_more: false };
    expect(await page('order=asc&after=msg_3')).toEqual(end);
    expect(await page('')).toMatchObject({ ids: ids.toReversed(), has_more: false });
    expect(await page('limit=7')).toMatchObject({ has_more: false });
  });

  test('are twenty to a page where nothing is said', async () => {
    const input = Array.from({ length: 45 }, (_, index) => message(`msg_${index}`, 'Hello.'));
    const id = await keep((id) => ({ ...sample(id), input }));
    const first = await client().responses.inputItems.list(id);
    expect(first.data).toHaveLength(20);
    expect(await Array.fromAsync(first)).toHaveLength(45);
  });

  test('hide what was not asked for', async () => {
    const id = await keep();
    const list = async (query: string) => (await ask(`${id}/input_items?${query}`)).text;
    expect(await list('')).not.toMatch(/encrypted_content|sources/);
    expect(await list('include[]=reasoning.encrypted_content')).toMatch(/encrypted_content/);
    expect(await list('include[]=web_search_call.action.sources')).toMatch(/sources/);
  });

  test.each([
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['limit', 'limit=many'],
    ['limit', 'limit='],
    ['limit', 'limit=2.5'],
    ['limit', 'limit=1&limit=2'],
    ['order', 'order=up'],
    ['after', 'after=msg_nobody'],
    ['after', 'after='],
    ['include', 'include=everything'],
  ])('refuse a wrong %s by its name: %s', async (param, query) => {
    const { status, text } = await ask(`${await keep()}/input_items?${query}`);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ error: { type: 'invalid_request_error', param } });
  });

  test.skipIf(!hasOpenAiSchema)('satisfy the public schema', async () => {
    const { text } = await ask(`${await keep()}/input_items`);
    expect(openAiSchema('ResponseItemList')(JSON.parse(text))).toEqual([]);
  });
});

/** The three operations, as paths and methods. */
const routes = [
  ['', 'GET'],
  ['', 'DELETE'],
  ['/input_items', 'GET'],
] as const;

describe('what is not there', () => {
  test.each(routes)('is the same 404 for every reason (%s %s)', async (below, method) => {
    const foreignKey = await kept.newKey('globex');
    const gone = await keep();
    await client().responses.delete(gone);
    const ids = {
      unknown: 'resp_00000000000000000000000000000000',
      deleted: gone,
      expired: await keep(sample, Date.now() - 30 * day),
      foreign: await kept.keep(foreignKey, sample),
    };
    const answers = await Promise.all(
      Object.values(ids).map(async (id) => {
        const { status, text } = await ask(`${id}${below}`, { method });
        return `${status} ${text.replaceAll(id, '<id>')}`;
      }),
    );
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(/^404 .*"type":"not_found_error"/);
    expect(answers[0]).toContain('<id>');
    expect((await ask(ids.foreign, { apiKey: foreignKey })).status).toBe(200);
  });

  test.each(['a%2Fb', '%zz', '%00', '%23', 'resp_%25', '\'"', 'é', 'x'.repeat(5_000), 'resp_a%23b%231'])(
    'is a clean 404 for the odd id %.12s',
    async (id) => {
      for (const [below, method] of routes) {
        const { status, text } = await ask(`${id}${below}`, { method });
        expect(status).toBe(404);
        expect(text.length).toBeLessThan(600);
        expect(JSON.parse(text)).toMatchObject({ error: { type: 'not_found_error', code: null } });
      }
    },
  );

  test('is a 404 for an empty id, too', async () => {
    for (const path of ['', '/input_items']) expect((await ask(path)).status).toBe(404);
  });
});

describe('who asks, and how', () => {
  test.each(routes)('no key, or a wrong one, is a 401 (%s %s)', async (below, method) => {
    const id = await keep();
    const { status, text } = await ask(`${id}${below}`, { method, apiKey: 'nobody' });
    expect(status).toBe(401);
    expect(text).not.toContain(id);
    expect((await ask(id)).status).toBe(200);
  });

  test.each([
    ['', 'GET, DELETE', ['POST', 'PUT', 'PATCH', 'OPTIONS', 'HEAD']],
    ['/input_items', 'GET', ['POST', 'DELETE', 'HEAD']],
  ] as const)('a wrong method is told all that are right (%s: %s)', async (below, allow, methods) => {
    const id = await keep();
    for (const method of methods) {
      const { status, headers } = await ask(`${id}${below}`, { method });
      expect([method, status, headers.get('allow')]).toEqual([method, 405, allow]);
    }
  });

  test('a body, and what it says it is, do not matter', async () => {
    const id = await keep();
    const response = await fetch(`${gateway.url}/v1/responses/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'text/plain' },
      body: '{"response_id":"resp_other"}',
    });
    expect(await response.json()).toMatchObject({ id, deleted: true });
  });

  test('a query cannot name another response than the path does', async () => {
    const id = await keep();
    const other = await keep();
    const { text } = await ask(`${id}?response_id=${other}`);
    expect(JSON.parse(text)).toMatchObject({ id });
  });
});
