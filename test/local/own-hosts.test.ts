/** OpenAI-compatible hosts of the operator's own, defined without code: each is called at its address with its own key. */
import { beforeEach, describe, expect, test } from 'vitest';
import { type FaultyStore, startFaultyStore } from '../harness/store-faults.ts';
import { answerEvents, answerJson, startUpstream, type Upstream } from '../harness/upstream.ts';
import { modelRow, useOwnGateway } from './own-gateway.ts';

const embedder = (id: string, provider: string) =>
  modelRow(id, provider, {
    endpoints: ['embeddings'],
    modalities: { input: ['text'], output: ['embedding'] },
    traits: { embedding: { dimensions: { default: 2 } } },
  });

interface OwnHost {
  readonly name: string;
  readonly key: string;
  readonly upstream: Upstream;
}

interface Normalized {
  readonly debug: { readonly normalizations: readonly { readonly param: string }[] };
}

let store: FaultyStore;
let open: Upstream;
let hosts: readonly OwnHost[];
/** The names of the hosts whose rows were read from the database. */
const reads: string[] = [];

const { gateway, post } = useOwnGateway(
  async (directory) => {
    store = await startFaultyStore(directory);
    store.setFaults((action, _table, body) => {
      const [, name] = action === 'GetItem' ? (/"host#([^"]+)"/.exec(body) ?? []) : [];
      if (name !== undefined) reads.push(name);
      return undefined;
    });
    const [one, two] = [await startUpstream(), await startUpstream()];
    open = await startUpstream();
    hosts = [
      { name: 'vllm-one', key: 'sk-example-one', upstream: one },
      { name: 'vllm-two', key: 'sk-example-two', upstream: two },
    ];
    const rows = [
      { name: 'vllm-one', baseUrl: `${one.url}/v1`, embeddings: {} },
      {
        name: 'vllm-two',
        baseUrl: `${two.url}/openai/v1/`,
        unsupported: ['seed', 'service_tier'],
        choices: 1,
        takesNames: false,
        dialect: {
          names: { max_completion_tokens: 'max_tokens' },
          errorCodes: { 77: 'upstream_overloaded' },
        },
        embeddings: { batchSize: 1, takesUser: false },
      },
      { name: 'open-three', baseUrl: `${open.url}/v1`, needsKey: false, nativeFields: ['house_style'] },
    ];
    const models = [
      ...['vllm-one', 'vllm-two', 'open-three'].map((name) => modelRow(`acme/${name}`, name)),
      ...['vllm-one', 'vllm-two'].map((name) => embedder(`acme/${name}-embed`, name)),
      modelRow('acme/undefined', 'no-such-host'),
    ];
    const environment = { VLLM_ONE_API_KEY: 'sk-example-one', VLLM_TWO_API_KEY: 'sk-example-two' };
    return { hosts: rows, models, environment, database: store };
  },
  () =>
    Promise.all([...(hosts ?? []).map(({ upstream }) => upstream.close()), open?.close(), store?.close()]),
);

beforeEach(() => {
  for (const { upstream } of hosts) upstream.script(() => {});
  open.script(() => {});
});

const messages = [{ role: 'user', content: 'Hello' }];
const chat = (model: string, fields: object = {}) =>
  post('/v1/chat/completions', { model, messages, ...fields });
const answer = (content: string) =>
  answerJson({
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });
const hostNamed = (name: string): OwnHost => {
  const host = hosts.find((one) => one.name === name);
  if (!host) throw new Error(`There is no host ${name}.`);
  return host;
};

describe.each(['vllm-one', 'vllm-two'])('the host %s', (name) => {
  test('answers chat with its own key, at its own path', async () => {
    const { upstream, key } = hostNamed(name);
    upstream.script(answer(`<think>Greet.</think>\n\nHello from ${name}`));
    const body = await (await chat(`acme/${name}`)).json();
    expect(body).toMatchObject({
      model: `acme/${name}`,
      choices: [{ message: { content: `Hello from ${name}`, reasoning_content: 'Greet.' } }],
    });
    const [request] = upstream.requests;
    expect(request?.path).toBe(name === 'vllm-one' ? '/v1/chat/completions' : '/openai/v1/chat/completions');
    expect(request?.headers.authorization).toBe(`Bearer ${key}`);
    expect(request?.body.model).toBe(name);
  });

  test('streams', async () => {
    const { upstream, key } = hostNamed(name);
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      choices: [{ index: 0, delta, finish_reason }],
    });
    upstream.script(answerEvents([chunk({ content: 'Hel' }), chunk({ content: 'lo' }), chunk({}, 'stop')]));
    const text = await (await chat(`acme/${name}`, { stream: true })).text();
    const said = [...text.matchAll(/"content":"([^"]*)"/g)].map(([, content]) => content).join('');
    expect(said).toBe('Hello');
    expect(text).toContain('data: [DONE]');
    expect(upstream.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
  });

  test('calls tools', async () => {
    const { upstream, key } = hostNamed(name);
    const call = {
      id: 'call_1',
      type: 'function',
      function: { name: 'weather', arguments: '{"city":"Oslo"}' },
    };
    const message = { role: 'assistant', content: null, tool_calls: [call] };
    upstream.script(answerJson({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }));
    const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }];
    const body = await (await chat(`acme/${name}`, { tools, tool_choice: 'required' })).json();
    expect(body).toMatchObject({
      choices: [{ message: { tool_calls: [call] }, finish_reason: 'tool_calls' }],
    });
    expect(upstream.requests[0]?.body).toMatchObject({ tool_choice: 'required', tools });
    expect(upstream.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
  });

  test('answers the Responses API', async () => {
    hostNamed(name).upstream.script(answer('Hello'));
    const body = await (await post('/v1/responses', { model: `acme/${name}`, input: 'Hello' })).json();
    expect(body).toMatchObject({ status: 'completed', output: [{ content: [{ text: 'Hello' }] }] });
  });

  test('embeds', async () => {
    const { upstream, key } = hostNamed(name);
    upstream.script((request, response) => {
      const texts = request.body.input as readonly string[];
      const data = texts.map((_, index) => ({ index, embedding: [0.6, 0.8] }));
      answerJson({ data, usage: { prompt_tokens: 2, total_tokens: 2 } })(request, response);
    });
    const model = `acme/${name}-embed`;
    const body = await (
      await post('/v1/embeddings', { model, input: ['one', 'two'], user: 'someone' })
    ).json();
    expect(body).toMatchObject({ model, data: [{ embedding: [0.6, 0.8] }, { embedding: [0.6, 0.8] }] });
    expect(upstream.requests).toHaveLength(name === 'vllm-one' ? 1 : 2);
    for (const request of upstream.requests) {
      expect(request.headers.authorization).toBe(`Bearer ${key}`);
      expect(request.path).toMatch(/\/v1\/embeddings$/);
      expect(request.body.user).toBe(name === 'vllm-one' ? 'someone' : undefined);
    }
  });
});

describe('the settings of a row', () => {
  test('decide what the host is sent, and each change is recorded', async () => {
    const fields = { seed: 7, max_completion_tokens: 9, extra: { debug: ['normalizations'] } };
    for (const { name, upstream } of hosts) {
      upstream.script(answer('Yes.'));
      const body = (await (await chat(`acme/${name}`, fields)).json()) as Normalized;
      const stripped = body.debug.normalizations.map(({ param }) => param);
      const [request] = upstream.requests;
      if (name === 'vllm-one') {
        expect([request?.body.seed, request?.body.max_completion_tokens, stripped]).toEqual([7, 9, []]);
      } else
        expect([request?.body.seed, request?.body.max_tokens, stripped]).toEqual([undefined, 9, ['seed']]);
    }
    expect((await chat('acme/vllm-two', { n: 2 })).status).toBe(400);
  });

  test('say what an error code means, so that another host answers', async () => {
    const [one, two] = [hostNamed('vllm-one'), hostNamed('vllm-two')];
    two.upstream.script(answerJson({ error: { message: 'Busy', code: '77' } }, 400));
    one.upstream.script(answer('Instead.'));
    const body = await (await chat('acme/vllm-two', { extra: { fallbacks: ['acme/vllm-one'] } })).json();
    expect(body).toMatchObject({ model: 'acme/vllm-one', choices: [{ message: { content: 'Instead.' } }] });
    expect(one.upstream.requests[0]?.headers.authorization).toBe('Bearer sk-example-one');
  });

  test('a host that needs no key is called without one', async () => {
    open.script(answer('Open.'));
    expect((await chat('acme/open-three')).status).toBe(200);
    expect(open.requests[0]?.headers.authorization).toBeUndefined();
  });
});

describe('reads of the database', () => {
  test('none is added to a request for a built-in provider', async () => {
    reads.length = 0;
    for (const model of ['openai/gpt-4.1', 'qwen/qwen3.8-27b', 'amazon/nova-pro']) {
      expect((await chat(model)).status).toBe(200);
    }
    expect((await chat('no-such-owner/no-such-model')).status).toBe(404);
    expect(reads).toEqual([]);
  });

  test('the row of a host is read once for many requests', async () => {
    open.script(answer('Open.'));
    await chat('acme/open-three');
    reads.length = 0;
    for (const _ of ['first', 'second', 'third']) expect((await chat('acme/open-three')).status).toBe(200);
    expect(reads).toEqual([]);
  });
});

describe('callers', () => {
  test('cannot define a host, or name one that is not in the catalog', async () => {
    expect((await chat('vllm-one/anything')).status).toBe(404);
    expect((await chat('acme/undefined')).status).toBe(503);
    const host = { name: 'theirs', baseUrl: open.url };
    for (const fields of [
      { hosts: [host] },
      { extra: { hosts: [host] } },
      { extra: { baseUrl: open.url } },
    ]) {
      expect((await chat('acme/vllm-one', fields)).status, JSON.stringify(fields)).toBe(400);
    }
    expect(open.requests).toEqual([]);
  });

  test('may give the fields of servers of this kind, and those that the row adds', async () => {
    const native_fields = {
      chat_template_kwargs: { enable_thinking: false },
      repeat_penalty: 1.1,
      options: { num_predict: 9, mirostat: 2 },
    };
    const { upstream } = hostNamed('vllm-one');
    upstream.script(answer('Here.'));
    expect((await chat('acme/vllm-one', { native_fields })).status).toBe(200);
    const { num_predict: _, ...options } = native_fields.options;
    expect(upstream.requests.at(-1)?.body).toMatchObject({ ...native_fields, options, max_tokens: 9 });
    expect((await chat('acme/vllm-one', { native_fields: { house_style: 'brief' } })).status).toBe(400);
    open.script(answer('Here.'));
    expect((await chat('acme/open-three', { native_fields: { House_Style: 'brief' } })).status).toBe(200);
    expect(open.requests.at(-1)?.body).toMatchObject({ house_style: 'brief' });
    open.script(answer('Here.'));
  });

  test('cannot change the address by fields of their own', async () => {
    const { upstream } = hostNamed('vllm-one');
    upstream.script(answer('Here.'));
    const native_fields = { baseUrl: open.url, base_url: open.url, baseURL: open.url, name: 'open-three' };
    expect((await chat('acme/vllm-one', { native_fields })).status).toBe(400);
    const fields = { model: 'acme/vllm-one', input: 'Hello', native_fields };
    expect((await post('/v1/responses', fields)).status).toBe(400);
    expect([...upstream.requests, ...open.requests]).toEqual([]);
  });

  test("cannot make the gateway or the host fetch the host's address", async () => {
    for (const { upstream, name } of hosts) {
      for (const url of [`${upstream.url}/secret.png`, `${open.url}/secret.png`]) {
        const content = [{ type: 'image_url', image_url: { url } }];
        const response = await chat(`acme/${name}`, { messages: [{ role: 'user', content }] });
        expect(response.status, url).toBe(400);
      }
      expect(upstream.requests).toEqual([]);
    }
    expect(open.requests).toEqual([]);
  });
});

test('the start lists the hosts, and which of them have no key', async () => {
  const kinds = Object.fromEntries(gateway().providers.map(({ provider, kind }) => [provider, kind]));
  expect(kinds).toMatchObject({
    'vllm-one': 'real',
    'vllm-two': 'real',
    'open-three': 'real',
    openai: 'sandbox',
  });
});
