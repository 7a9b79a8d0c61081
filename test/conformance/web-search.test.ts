/** Web search: how each provider that supports it is asked, and how it appears in the answer. */
import { describe, expect, test } from 'vitest';
import { useWatchedGateway } from '../harness/gateways/watched-gateway.ts';

const gateway = useWatchedGateway('xai', 'anthropic/claude-haiku-4-5:bedrock');

interface Item {
  readonly type: string;
  readonly status?: string;
  readonly action?: { readonly query?: string; readonly sources?: readonly { readonly url: string }[] };
  readonly content?: readonly { readonly text: string; readonly annotations: readonly Citation[] }[];
}

interface Citation {
  readonly type: string;
  readonly url: string;
  readonly start_index: number;
  readonly end_index: number;
}

async function ask(model: string, more: object = {}) {
  gateway.take();
  const input = 'When does the café open?';
  const asked = { model, input, tools: [{ type: 'web_search' }], ...more };
  const response = await gateway.post('/v1/responses', asked);
  const text = await response.text();
  const sent = gateway.take().map(({ body }) => JSON.stringify(body));
  return { status: response.status, text, sent };
}

async function answer(model: string, more: object = {}) {
  const { status, text, sent } = await ask(model, more);
  expect([status, text]).toEqual([200, expect.anything()]);
  const body: { output: readonly Item[]; debug?: object } = JSON.parse(text);
  return { ...body, sent };
}

interface Row {
  readonly model: string;
  /** The tool in the protocol. */
  readonly tool: (type: string) => string;
  /** The provider reports which pages a search found, and which text cites which. */
  readonly isExact: boolean;
}

const googles = () => '{"googleSearch":{}}';

const rows: readonly Row[] = [
  {
    model: 'anthropic/claude-haiku-4-5',
    tool: () => '"type":"web_search_20250305"',
    isExact: true,
  },
  { model: 'google/gemini-2.5-flash', tool: googles, isExact: true },
  { model: 'google/gemini-3.5-flash', tool: googles, isExact: true },
  { model: 'openai/gpt-4.1', tool: (type) => `"type":"${type}"`, isExact: true },
  { model: 'xai/grok-4.3', tool: () => '"type":"web_search"', isExact: false },
];

describe.each(rows)('$model', ({ model, tool, isExact }) => {
  test.each(['web_search', 'web_search_preview'])('searches with the tool %s', async (type) => {
    const include = ['web_search_call.action.sources'];
    const { output, sent } = await answer(model, { tools: [{ type }], include });
    expect(sent[0]).toContain(tool(type));
    const [search] = output.filter((item) => item.type === 'web_search_call');
    expect(search).toMatchObject({ status: 'completed', action: { type: 'search' } });
    if (isExact) expect(search?.action?.sources?.length).toBeGreaterThan(0);
  });

  test('cites what it found, at the position of the text', async () => {
    const { output } = await answer(model);
    const parts = output.flatMap(({ content = [] }) => content);
    const cited = parts.flatMap(({ text, annotations }) =>
      annotations.map(({ url, start_index, end_index }) => ({
        url,
        words: text.slice(start_index, end_index).trim(),
      })),
    );
    const words = (exact: string) => (isExact ? exact : expect.stringContaining(exact));
    expect(cited).toEqual([
      { url: 'https://example.com/cafe', words: words('The café – so they say – opens at nine.') },
      { url: 'https://example.org/guide?page=2', words: words('It closes at six.') },
    ]);
  });

  test('returns its sources only on request', async () => {
    const { output } = await answer(model);
    for (const { action } of output) expect(action ?? {}).not.toHaveProperty('sources');
  });

  test('returns the same in a stream', async () => {
    const { status, text } = await ask(model, { stream: true });
    expect(status).toBe(200);
    const events = text.match(/^event: .*$/gm) ?? [];
    const searched = events.filter((line) => line.includes('web_search_call'));
    expect(searched).toEqual([
      'event: response.web_search_call.in_progress',
      'event: response.web_search_call.searching',
      'event: response.web_search_call.completed',
    ]);
    expect(events.filter((line) => line.endsWith('annotation.added'))).toHaveLength(2);
    expect(events.at(-1)).toBe('event: response.completed');
  });

  test('gets an earlier search back only if it is its own', async () => {
    const first = await answer(model);
    const input = [
      { role: 'user', content: 'When does the café open?' },
      ...first.output,
      { role: 'user', content: 'And when does it close?' },
    ];
    const second = await answer(model, { input, tools: [] });
    expect(second.output.map(({ type }) => type)).toContain('message');
    expect(second.sent).toHaveLength(1);
  });
});

test.each([
  ['a model without web search', 'openai/gpt-oss-20b'],
  ['a model whose other deployments support it', 'anthropic/claude-haiku-4-5:bedrock'],
])('%s rejects the tool by name', async (_, model) => {
  const { status, text } = await ask(model, { tools: [{ type: 'web_search_preview' }] });
  expect([status, JSON.parse(text).error]).toMatchObject([
    400,
    { param: 'tools.0.type', message: expect.stringContaining("'web_search_preview'") },
  ]);
});

describe('an unsupported option of the search', () => {
  const search = {
    type: 'web_search',
    search_context_size: 'low',
    user_location: { type: 'approximate', country: 'IT' },
  };
  const lookUp = { type: 'function', name: 'look_up', parameters: { type: 'object', properties: {} } };

  async function recordsOf(model: string, tools: readonly object[]) {
    const { debug } = await answer(model, { tools, extra: { debug: ['normalizations'] } });
    const records = JSON.stringify(debug).match(/"param":"tools[^"]*"/g) ?? [];
    return records.map((record) => record.slice(9, -1));
  }

  test('is removed and reported under its index in the caller’s list', async () => {
    expect(await recordsOf('anthropic/claude-haiku-4-5', [lookUp, search])).toEqual([
      'tools.1.search_context_size',
    ]);
    expect(await recordsOf('google/gemini-3.5-flash', [lookUp, search])).toEqual([
      'tools.1.search_context_size',
      'tools.1.user_location',
    ]);
  });

  test('is rejected by name if it must not be ignored', async () => {
    const domains = { type: 'web_search', filters: { allowed_domains: ['example.com'] } };
    const google = await ask('google/gemini-3.5-flash', { tools: [domains] });
    expect(JSON.parse(google.text).error).toMatchObject({ param: 'tools.0.filters.allowed_domains' });
    const { sent } = await answer('anthropic/claude-haiku-4-5', { tools: [domains] });
    expect(sent[0]).toContain('"allowed_domains":["example.com"]');
  });

  test('functions next to a forced search are rejected on Gemini before the third generation', async () => {
    const forced = { tools: [lookUp, search], tool_choice: { type: 'web_search' } };
    const { status, text } = await ask('google/gemini-2.5-flash', forced);
    expect([status, JSON.parse(text).error.param]).toEqual([400, 'tools.1.type']);
  });

  test('a search that is only declared next to functions is left out there', async () => {
    const { status, sent } = await ask('google/gemini-2.5-flash', { tools: [lookUp, search] });
    expect(status).toBe(200);
    expect(sent[0]).toContain('functionDeclarations');
    expect(sent[0]).not.toContain('googleSearch');
  });
});
