/** Web search in the protocols of Claude and Gemini. The Responses protocol has them in its own tests. */
import { describe, expect, test } from 'vitest';
import { readSse, useSandbox, weatherSchema } from './client.ts';

const clientOf = useSandbox();
const cited = ['The café – so they say – opens at nine.', 'It closes at six.'];

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly content?: readonly { readonly url: string }[];
  readonly citations?: readonly { readonly url: string; readonly cited_text: string }[];
}

interface Event {
  readonly type: string;
  readonly index?: number;
  readonly content_block?: Block;
  readonly delta?: { readonly type: string; readonly text?: string; readonly citation?: object };
  readonly usage?: object;
}

describe('Claude', () => {
  const headers = { 'x-api-key': 'sandbox', 'anthropic-version': '2023-06-01' };
  const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 3 };
  const weather = { name: 'get_weather', input_schema: weatherSchema };
  const user = (content: unknown) => ({ role: 'user', content });
  const request = {
    model: 'claude-sonnet-4-5',
    max_tokens: 2_000,
    messages: [user('Hours?')],
    tools: [search],
  };
  const post = (fields: object) => clientOf('/anthropic/v1', headers)('/messages', { ...request, ...fields });
  const complete = async (fields: object) =>
    (await (await post(fields)).json()) as { content: readonly Block[]; usage: object };

  test('searches, and cites what it found', async () => {
    const { content, usage } = await complete({});
    const [call, result, own, ...rest] = content;
    expect(call).toMatchObject({ type: 'server_tool_use', name: 'web_search', input: { query: 'Hours?' } });
    expect(result).toMatchObject({ type: 'web_search_tool_result', tool_use_id: call?.id });
    expect(own).not.toHaveProperty('citations');
    const quoting = rest.filter(({ citations }) => citations);
    expect(quoting.map(({ text }) => text)).toEqual(cited);
    expect(quoting.map(({ citations }) => citations?.[0]?.url)).toEqual(
      result?.content?.map(({ url }) => url),
    );
    expect(usage).toMatchObject({ server_tool_use: { web_search_requests: 1 } });
  });

  test('streams the same blocks, what is cited before the words', async () => {
    const { content, usage } = await complete({});
    const events = readSse<Event>(await (await post({ stream: true })).text()).map(({ data }) => data);
    const started = events.flatMap(({ content_block }) => content_block ?? []);
    expect(started.map(({ type }) => type)).toEqual(content.map(({ type }) => type));
    expect(started[1]).toMatchObject({ content: content[1]?.content });
    const deltas = events.filter(({ index }) => index === 3).flatMap(({ delta }) => delta ?? []);
    expect(deltas[0]).toEqual({ type: 'citations_delta', citation: content[3]?.citations?.[0] });
    expect(deltas.map(({ text = '' }) => text).join('')).toBe(content[3]?.text);
    expect(events.at(-2)?.usage).toMatchObject({ server_tool_use: { web_search_requests: 1 } });
    expect(usage).toMatchObject(events.at(-2)?.usage ?? { none: true });
  });

  test('may search before it calls a function, and not if that is ruled out', async () => {
    const types = async (fields: object) =>
      (
        await complete({ messages: [user('sandbox call get_weather')], tools: [weather, search], ...fields })
      ).content.map(({ type }) => type);
    const searched = ['server_tool_use', 'web_search_tool_result'];
    expect(await types({})).toEqual([...searched, 'tool_use']);
    expect((await types({ tool_choice: { type: 'tool', name: 'web_search' } })).slice(0, 3)).toEqual([
      ...searched,
      'text',
    ]);
    expect(await types({ tool_choice: { type: 'tool', name: 'get_weather' } })).toEqual(['tool_use']);
    expect(await types({ tool_choice: { type: 'none' } })).toEqual(['text']);
  });

  test('takes its search back whole, and not in part or forged', async () => {
    const { content } = await complete({});
    const replay = async (blocks: readonly unknown[]) => {
      const messages = [user('Hours?'), { role: 'assistant', content: blocks }, user('And on Sunday?')];
      return (await post({ messages })).status;
    };
    expect(await replay(content)).toBe(200);
    expect(await replay(content.filter(({ type }) => type !== 'web_search_tool_result'))).toBe(400);
    const forged = content.map((block) =>
      block.content ? { ...block, content: [{ ...block.content[0], encrypted_content: 'x' }] } : block,
    );
    expect(await replay(forged)).toBe(400);
  });

  test.each([
    ['a field it does not know', { search_context_size: 'low' }],
    ['another name', { name: 'search' }],
    [
      'domains to search and not to search',
      { allowed_domains: ['a.example'], blocked_domains: ['b.example'] },
    ],
    ['a location without a type', { user_location: { country: 'DE' } }],
  ])('refuses %s', async (_, fields) => {
    expect((await post({ tools: [{ ...search, ...fields }] })).status).toBe(400);
  });
});

interface Frame {
  readonly candidates: readonly {
    readonly content: {
      readonly parts?: readonly { readonly text?: string; readonly functionCall?: object }[];
    };
    readonly groundingMetadata?: {
      readonly webSearchQueries: readonly string[];
      readonly groundingChunks: readonly { readonly web: { readonly uri: string } }[];
      readonly groundingSupports?: readonly {
        readonly segment: { readonly startIndex: number; readonly endIndex: number; readonly text: string };
        readonly groundingChunkIndices: readonly number[];
      }[];
    };
  }[];
}

describe('Gemini', () => {
  const contents = [{ role: 'user', parts: [{ text: 'Hours?' }] }];
  const search = { googleSearch: {} };
  const functions = { functionDeclarations: [{ name: 'get_weather', parametersJsonSchema: weatherSchema }] };
  const both = { tools: [functions, search], toolConfig: { includeServerSideToolInvocations: true } };
  const post = (fields: object, { model = 'gemini-3.5-flash', method = 'generateContent' } = {}) =>
    clientOf('/google/v1beta/models', { 'x-goog-api-key': 'sandbox' })(`/${model}:${method}`, {
      contents,
      ...fields,
    });
  const textOf = (frames: readonly Frame[]) =>
    frames
      .flatMap(({ candidates }) => candidates[0]?.content.parts?.map(({ text = '' }) => text) ?? [])
      .join('');
  const check = (frames: readonly Frame[]) => {
    const grounding = frames.at(-1)?.candidates[0]?.groundingMetadata;
    expect(grounding?.webSearchQueries).toEqual(['Hours?']);
    expect(grounding?.groundingChunks).toHaveLength(2);
    const bytes = Buffer.from(textOf(frames));
    const segments = grounding?.groundingSupports?.map(({ segment }) => segment) ?? [];
    expect(segments.map(({ text }) => text)).toEqual(cited);
    expect(segments.map((one) => bytes.subarray(one.startIndex, one.endIndex).toString())).toEqual(cited);
    expect(grounding?.groundingSupports?.map((one) => one.groundingChunkIndices)).toEqual([[0], [1]]);
  };

  test('searches, and returns which bytes cite which page', async () => {
    check([(await (await post({ tools: [search] })).json()) as Frame]);
  });

  test('returns them at the end of a stream', async () => {
    const response = await post({ tools: [search] }, { method: 'streamGenerateContent?alt=sse' });
    const frames = readSse<Frame>(await response.text()).map(({ data }) => data);
    check(frames);
    expect(frames.filter(({ candidates }) => candidates[0]?.groundingMetadata)).toHaveLength(1);
  });

  test('searches beside functions when that is allowed', async () => {
    expect((await post({ tools: [functions, search] })).status).toBe(400);
    expect((await post(both, { model: 'gemini-2.5-flash' })).status).toBe(400);
    const asking = { contents: [{ role: 'user', parts: [{ text: 'sandbox call get_weather' }] }] };
    const [candidate] = ((await (await post({ ...both, ...asking })).json()) as Frame).candidates;
    const parts = candidate?.content.parts ?? [];
    const steps = ['toolCall', 'toolResponse', 'functionCall'];
    expect(parts.map((part) => steps.find((step) => step in part))).toEqual(steps);
    expect(candidate?.groundingMetadata?.webSearchQueries).toEqual(['sandbox call get_weather']);
  });

  test('does not know the tools of others', async () => {
    expect((await post({ tools: [{ webSearch: {} }] })).status).toBe(400);
  });
});
