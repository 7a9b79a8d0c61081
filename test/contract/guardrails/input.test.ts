/** What becomes of a request that a guardrail looks at, and what its provider and its client get. */
import { describe, expect, test } from 'vitest';
import type { Rule } from '../../../lib/core/guardrails/policy.ts';
import { answerOf, models, policyOf, saying, texts, useGuardrails } from '../../harness/guardrails.ts';
import { pixel } from '../../harness/matrix/providers.ts';
import { answerJson } from '../../harness/upstream.ts';

const { gateway, upstream, clients } = useGuardrails();

const noWord: Rule = {
  id: 'names',
  kind: 'words',
  words: ['Project Aurora'],
  on: ['input'],
  action: 'block',
};
const noData: Rule = { id: 'people', kind: 'pii', on: ['input'], action: 'redact' };

const ask = (apiKey: string, path: string, body: object) =>
  gateway.post(path, body, { authorization: `Bearer ${apiKey}` });

const chat = (apiKey: string, messages: readonly object[], others: object = {}) =>
  ask(apiKey, '/v1/chat/completions', { model: models.chat, messages, ...others });

interface Body {
  readonly error: { readonly message: string; readonly param: string };
  readonly content: readonly object[];
  readonly choices: readonly { readonly message: { readonly content: string } }[];
  readonly debug: { readonly normalizations: readonly object[] };
}

const bodyOf = async (response: Response) => (await response.json()) as Body;

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });

const file = (text: string) => ({
  type: 'file',
  file: { filename: 'a.txt', file_data: `data:text/plain;base64,${Buffer.from(text).toString('base64')}` },
});

const noted = (argumentsText: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'note', arguments: argumentsText } }],
});

const parted = ['Pro', 'ject Au', 'rora'].map((text) => ({ type: 'text', text }));

test('a name of a tool is looked at, and stays', async () => {
  const tool = { name: 'aurora', parameters: { type: 'object' } };
  const named: Rule = { ...noWord, words: ['aurora'] };
  const messages = [user('Hi')];
  const chatTools = { tools: [{ type: 'function', function: tool }] };
  const claudeTools = { max_tokens: 10, tools: [{ name: 'aurora', input_schema: tool.parameters }] };
  upstream.script(saying(answerOf(...texts('Hello.'))));
  for (const action of ['block', 'redact'] as const) {
    const { apiKey } = await clients([policyOf([{ ...named, action }])]);
    const answers = [
      await chat(apiKey, messages, chatTools),
      await ask(apiKey, '/v1/messages', { model: models.claude, messages, ...claudeTools }),
    ];
    const status = action === 'block' ? 400 : 200;
    expect(answers.map((answer) => answer.status)).toEqual([status, status]);
  }
  expect(upstream.requests.map(({ text }) => text.includes('"aurora"'))).toEqual([true, true]);
});

describe('a blocked word in a request', () => {
  const blocked: readonly (readonly [where: string, path: string, messages: readonly object[]])[] = [
    ['a message', 'messages.0.content', [user('Tell me about project  AURORA.')]],
    ['the instructions', 'messages.0.content', [{ role: 'system', content: 'Project Aurora' }, user('Hi')]],
    ['parts of a message', 'messages.0.content.0', [user(parted)]],
    ['parts of the instructions', 'messages.0.content.0', [{ role: 'system', content: parted }, user('Hi')]],
    ['two messages', 'messages.0.content', [user('It is project'), user('aurora')]],
    ['a text file', 'messages.0.content.0', [user([file('Notes on Project Aurora.')])]],
    [
      'the result of a tool',
      'messages.2.content',
      [user('Hi'), noted('{}'), { role: 'tool', tool_call_id: 'c1', content: 'Project Aurora' }],
    ],
    [
      'an answer that the caller has begun',
      'messages.0.content',
      [user('Project Aurora?'), assistant('It is')],
    ],
    ['soft hyphens and full width', 'messages.0.content', [user('Pro\u00adject Ａｕｒｏｒａ')]],
  ];
  test('is not looked for in a dry run, which names the policy', async () => {
    const { apiKey } = await clients([policyOf([noWord])]);
    const response = await chat(apiKey, [user('Project Aurora')], { extra: { dry_run: true } });
    expect(await response.json()).toMatchObject({
      debug: {
        dry_run: { guardrails: [{ id: 'house', version: 1 }], sent: { messages: [user('Project Aurora')] } },
      },
    });
  });
  test.each(blocked)('is refused in %s, and no provider is asked', async (_, path, messages) => {
    const { apiKey } = await clients([policyOf([noWord])]);
    upstream.script(saying(answerOf(...texts('Hello.'))));
    const response = await chat(apiKey, messages);
    const { error } = await bodyOf(response);
    expect(response.status).toBe(400);
    expect(error).toMatchObject({ code: 'content_policy_violation', type: 'invalid_request_error' });
    expect(error.param).toMatch(new RegExp(`^${path}`));
    expect(error.message).toContain("'house'");
    expect(error.message).toContain("'names'");
    expect(error.message).not.toMatch(/aurora/i);
    expect(upstream.requests).toHaveLength(0);
  });

  test.each<[string, object]>([
    ['what stands for a user', { user: 'Project Aurora' }],
    [
      'where the user is',
      {
        web_search_options: {
          user_location: { type: 'approximate', approximate: { city: 'Project Aurora' } },
        },
      },
    ],
    ['the text that ends an answer', { stop: ['Project Aurora'] }],
    ['metadata of any name', { metadata: { status: 'Project Aurora' } }],
    [
      'a schema that names its members like a protocol',
      {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'x', schema: { properties: { id: { description: 'Project Aurora' } } } },
        },
      },
    ],
  ])('is refused in %s', async (_, field) => {
    const { apiKey } = await clients([policyOf([noWord])]);
    expect((await chat(apiKey, [user('Hi')], field)).status).toBe(400);
  });

  test.each<[string, object]>([
    ['parts of the instructions', { system: parted }],
    [
      'an example of a tool',
      {
        tools: [{ name: 'n', input_schema: { type: 'object' }, input_examples: [{ id: 'Project Aurora' }] }],
      },
    ],
    ['a text that begins like a file', { messages: [user('data:;base64,Project Aurora')] }],
    [
      'the schema of a tool',
      { tools: [{ name: 'note', input_schema: { properties: { type: { title: 'Project Aurora' } } } }] },
    ],
    [
      'a call of a tool',
      {
        messages: [
          user('Hi'),
          {
            role: 'assistant',
            content: [{ type: 'tool_use', id: 'c1', name: 'note', input: { status: 'Project Aurora' } }],
          },
          user([{ type: 'tool_result', tool_use_id: 'c1', content: 'Done.' }]),
        ],
      },
    ],
  ])('is refused in %s for Claude', async (_, others) => {
    const { apiKey } = await clients([policyOf([noWord], { scan: 'all' })]);
    const body = { model: models.claude, max_tokens: 9, messages: [user('Hi')], ...others };
    expect((await ask(apiKey, '/v1/messages', body)).status).toBe(400);
    expect(upstream.requests).toHaveLength(0);
  });

  test('of the history is seen where the policy says so', async () => {
    const history = [user('Project Aurora'), assistant('Yes.'), user('Go on.')];
    const fresh = await clients([policyOf([noWord])]);
    const whole = await clients([policyOf([noWord], { scan: 'all' })]);
    upstream.script(saying(answerOf(...texts('Hello.'))));
    expect((await chat(fresh.apiKey, history)).status).toBe(200);
    expect((await chat(whole.apiKey, history)).status).toBe(400);
  });

  test('is refused in every operation, in its own format', async () => {
    const { apiKey, openai, anthropic } = await clients([policyOf([noWord])]);
    const said = 'Project Aurora';
    upstream.script(saying(answerOf(...texts('Hello.'))));
    const filtered = { code: 'content_policy_violation', status: 400 };
    await expect(openai.responses.create({ model: models.chat, input: said })).rejects.toMatchObject(
      filtered,
    );
    await expect(openai.completions.create({ model: models.chat, prompt: said })).rejects.toMatchObject(
      filtered,
    );
    const embedding = { model: 'openai/text-embedding-3-small', input: ['one', said] };
    await expect(openai.embeddings.create(embedding)).rejects.toMatchObject({
      ...filtered,
      param: 'input.1',
    });
    const image = { model: 'openai/gpt-image-1-mini', prompt: said };
    await expect(openai.images.generate(image)).rejects.toMatchObject({ ...filtered, param: 'prompt' });
    const message = {
      model: models.claude,
      max_tokens: 9,
      messages: [{ role: 'user' as const, content: said }],
    };
    await expect(anthropic.messages.create(message)).rejects.toMatchObject({ status: 400 });
    const tokens = await ask(apiKey, '/v1/messages/count_tokens', {
      model: models.claude,
      messages: [user(said)],
    });
    expect(tokens.status).toBe(400);
    const ranked = { model: 'cohere/rerank-v4.0-fast', query: 'names', documents: ['one', { text: said }] };
    const ranking = await ask(apiKey, '/v2/rerank', ranked);
    expect((await bodyOf(ranking)).error).toMatchObject({ code: filtered.code, param: 'documents.1' });
    expect(ranking.status).toBe(400);
    expect(upstream.requests).toHaveLength(0);
  });

  test('is answered with a refusal where the policy says so', async () => {
    const { openai, anthropic } = await clients([policyOf([noWord], { answer: 'refusal' })]);
    const messages = [{ role: 'user' as const, content: 'Project Aurora' }];
    const { choices } = await openai.chat.completions.create({ model: models.chat, messages });
    expect(choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { refusal: expect.stringContaining("'house'") },
    });
    const stream = anthropic.messages.stream({ model: models.claude, max_tokens: 9, messages });
    expect((await stream.finalMessage()).stop_reason).toBe('refusal');
    const response = await openai.responses.create({ model: models.chat, input: 'Project Aurora' });
    expect(response.status).toBe('completed');
  });
});

describe('which policies apply', () => {
  test('those of the tenant, of the key and of the request together', async () => {
    const other: Rule = { ...noWord, id: 'other', words: ['Borealis'] };
    const policies = [policyOf([noWord]), policyOf([other], { id: 'strict' })];
    const none = await clients(policies, { always: false });
    const keyed = await clients(policies, { always: false, key: ['strict'] });
    upstream.script(saying(answerOf(...texts('Hello.'))));
    const status = async (apiKey: string, text: string, guardrails: readonly string[] = []) =>
      (await chat(apiKey, [user(text)], { extra: { guardrails } })).status;
    expect(await status(none.apiKey, 'Project Aurora Borealis')).toBe(200);
    expect(await status(none.apiKey, 'Project Aurora', ['house'])).toBe(400);
    expect(await status(keyed.apiKey, 'Borealis')).toBe(400);
    expect(await status(keyed.apiKey, 'Project Aurora')).toBe(200);
    expect(await status(keyed.apiKey, 'Project Aurora', ['house'])).toBe(400);
    const unknown = await chat(none.apiKey, [user('Hi')], { extra: { guardrails: ['missing'] } });
    expect(await unknown.json()).toMatchObject({ error: { param: 'extra.guardrails.0' } });
    const lost = await clients([], { key: ['gone'] });
    expect((await chat(lost.apiKey, [user('Hi')])).status).toBe(503);
  });
});

describe('personal data', () => {
  const email = 'ada@example.com';
  const card = '4111 1111 1111 1111';

  test('is not sent, and stands in the answer again: in text in pieces, and in the arguments of a call', async () => {
    const { openai } = await clients([policyOf([noData])]);
    const back = [
      ...texts('I wrote to [EMAIL_1] 😀 about [CARD_1] and [EMAIL_9].'),
      { type: 'call' as const, call: 0, id: 'call_1', name: 'note' },
      ...texts('{"to":"[EMAIL_1]"}').map((step) => ({
        ...step,
        type: 'arguments' as const,
        call: 0,
        text: step.type === 'text' ? step.text : '',
      })),
    ];
    upstream.script(saying(answerOf(...back)));
    const content = `😀 Write to ${email}, not to [EMAIL_9], and again ${email}: ${card}`;
    const tools = [{ type: 'function' as const, function: { name: 'note', parameters: { type: 'object' } } }];
    const stream = openai.chat.completions.stream({
      model: models.chat,
      messages: [{ role: 'user', content }],
      tools,
    });
    const { choices } = await stream.finalChatCompletion();
    const [sent] = upstream.requests;
    expect(sent?.text).not.toContain('ada@');
    expect(sent?.text).not.toContain('4111');
    expect(sent?.text).toContain('Write to [EMAIL_1], not to [EMAIL_9], and again [EMAIL_1]: [CARD_1]');
    const { message } = choices[0] ?? {};
    expect(message?.content).toBe(`I wrote to ${email} 😀 about ${card} and [EMAIL_9].`);
    expect(message?.tool_calls?.[0]).toMatchObject({ function: { arguments: `{"to":"${email}"}` } });
  });

  test('keeps its numbers as the conversation grows, also in calls of the model', async () => {
    const { apiKey } = await clients([policyOf([noData])]);
    upstream.script(saying(answerOf(...texts('Fine.'))));
    const first = [user(`Write to ${email}.`)];
    const result = { role: 'tool', tool_call_id: 'c1', content: 'Sent to bob@example.com.' };
    const tools = [{ type: 'function', function: { name: 'note', parameters: { type: 'object' } } }];
    await chat(apiKey, first, { tools });
    await chat(apiKey, [...first, noted(`{"to":"ada\\u0040example.com"}`), result], { tools });
    const [one, two] = upstream.requests.map(
      ({ body }) => body.messages as readonly Record<string, unknown>[],
    );
    expect(one?.[0]).toEqual(two?.[0]);
    expect(JSON.stringify(two)).toContain('{\\"to\\":\\"[EMAIL_1]\\"}');
    expect(two?.[2]?.content).toBe('Sent to [EMAIL_2].');
  });

  test('is taken out of a request to Claude, which is translated for it, on record', async () => {
    const { apiKey } = await clients([policyOf([noData])]);
    upstream.script(saying(answerOf(...texts('Dear [EMAIL_1]'))));
    const response = await ask(apiKey, '/v1/messages', {
      model: models.claude,
      max_tokens: 100,
      messages: [user([{ type: 'text', text: `Write to ${email}.` }])],
      extra: { debug: ['normalizations'] },
    });
    const { content, debug } = await bodyOf(response);
    expect(content).toMatchObject([{ type: 'text', text: `Dear ${email}` }]);
    expect(upstream.requests[0]?.text).not.toContain('ada@');
    expect(JSON.stringify(debug)).not.toContain('ada@');
    expect(debug.normalizations).toContainEqual(
      expect.objectContaining({ param: 'messages.0.content.0', before: 'email', after: 'a tag' }),
    );
  });

  test('is not sent as the name of a user, in any operation', async () => {
    const { apiKey } = await clients([policyOf([noData])]);
    const data = [{ index: 0, embedding: Array.from({ length: 1536 }, () => 0.5), b64_json: 'eA==' }];
    const usage = { prompt_tokens: 1, total_tokens: 1, input_tokens: 1, output_tokens: 1 };
    upstream.script((request, response) =>
      request.body.messages
        ? saying(answerOf(...texts('Fine.')))(request, response)
        : void response.writeHead(200).end(JSON.stringify({ data, usage })),
    );
    const named = { user: email };
    await chat(apiKey, [user('Hi')], named);
    const embedding = { model: 'openai/text-embedding-3-small', input: 'Hi' };
    await ask(apiKey, '/v1/embeddings', { ...embedding, ...named });
    await ask(apiKey, '/v1/images/generations', { model: 'openai/gpt-image-1-mini', prompt: 'Hi', ...named });
    expect(upstream.requests.map(({ body }) => body.user)).toEqual(['[EMAIL_1]', '[EMAIL_1]', '[EMAIL_1]']);
  });

  test('is not sent beside the images of an edit', async () => {
    const { apiKey } = await clients([policyOf([noData])]);
    upstream.script(answerJson({ data: [{ b64_json: 'eA==' }] }));
    const asked = { model: 'openai/gpt-image-1-mini', prompt: `For ${email}.` };
    await ask(apiKey, '/v1/images/edits', { ...asked, images: [{ image_url: pixel }] });
    const [{ text = '' } = {}] = upstream.requests;
    expect(text).toContain('For [EMAIL_1].');
    expect(text).toMatch(/name="image"[\s\S]*PNG/);
  });

  test('is not sent to a fallback either', async () => {
    const { apiKey } = await clients([policyOf([noData])]);
    upstream.script((request, response) => {
      if (request.path.endsWith('/messages')) return void response.writeHead(529).end('{}');
      return saying(answerOf(...texts('To [EMAIL_1]')))(request, response);
    });
    const response = await chat(apiKey, [user(`Write to ${email}.`)], {
      model: models.claude,
      extra: { fallbacks: [models.chat] },
    });
    const { choices } = await bodyOf(response);
    expect(choices[0]?.message.content).toBe(`To ${email}`);
    expect(upstream.requests.length).toBeGreaterThan(1);
    expect(upstream.requests.some(({ text }) => text.includes('ada@'))).toBe(false);
  });
});
