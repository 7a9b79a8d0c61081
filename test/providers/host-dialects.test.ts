/** What is written to each host of the host table, field by field, from the documentation of the hosts. */
import { describe, expect, test } from 'vitest';
import type { ReasoningStyle } from '../../lib/core/catalog/model.ts';
import type { AssistantMessage, GenerationRequest, JsonObject } from '../../lib/core/generation/request.ts';
import { normalize } from '../../lib/normalization/normalize.ts';
import { providers } from '../../lib/providers/all-providers.ts';
import { type HostName, hostNames } from '../../lib/providers/hosts/hosts.ts';
import { testRequest, testTarget } from '../harness/matrix/model.ts';
import { assistant, text, user } from '../protocols/requests.ts';

interface Form {
  readonly url?: string;
  /** The fields of the efforts `high` and `none` for a model of each style; `reasoning_effort` for a style left out. */
  readonly efforts?: Partial<Record<ReasoningStyle, readonly [high: object, none: object]>>;
  /** The name of the limit on tokens. */
  readonly limit?: 'max_tokens';
  /** Whether the usage of a stream must be asked for. */
  readonly asksForUsage?: false;
  readonly required?: string;
  readonly noneLeavesOutTools?: true;
  readonly strict?: false;
  readonly cacheControl?: true;
  readonly takesImageUrls?: false;
  readonly takesNames?: false;
  readonly imagesInResults?: true;
  readonly always?: object;
  readonly forReasoners?: object;
  /** Marks a message to continue. */
  readonly continued?: object;
  readonly formatWithoutTools?: true;
  readonly mergesTurns?: true;
  /** The field in which reasoning goes back. */
  readonly replay?: string;
  readonly embeds?: 'with user' | 'without user';
}

const thinking = (type: string) => ({ thinking: { type } });
const routed = [{ reasoning: { effort: 'high' } }, { reasoning: { enabled: false } }] as const;

const forms: Readonly<Record<HostName, Form>> = {
  mistral: {
    url: 'https://api.mistral.ai/v1',
    limit: 'max_tokens',
    asksForUsage: false,
    required: 'any',
    continued: { prefix: true },
    takesNames: false,
    imagesInResults: true,
    embeds: 'without user',
  },
  xai: { url: 'https://api.x.ai/v1' },
  deepseek: {
    url: 'https://api.deepseek.com',
    limit: 'max_tokens',
    efforts: { effort: [{ ...thinking('enabled'), reasoning_effort: 'high' }, thinking('disabled')] },
    continued: { prefix: true },
    replay: 'reasoning_content',
  },
  moonshot: {
    url: 'https://api.moonshot.ai/v1',
    efforts: { switch: [thinking('enabled'), thinking('disabled')] },
    continued: { partial: true },
    replay: 'reasoning_content',
    takesImageUrls: false,
  },
  alibaba: {
    url: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    limit: 'max_tokens',
    efforts: { switch: [{ enable_thinking: true }, { enable_thinking: false }] },
    continued: { partial: true },
    cacheControl: true,
    embeds: 'with user',
  },
  zai: {
    url: 'https://api.z.ai/api/paas/v4',
    limit: 'max_tokens',
    efforts: {
      effort: [{ ...thinking('enabled'), reasoning_effort: 'high' }, thinking('disabled')],
      switch: [thinking('enabled'), thinking('disabled')],
    },
    asksForUsage: false,
    noneLeavesOutTools: true,
    strict: false,
    takesNames: false,
  },
  minimax: {
    url: 'https://api.minimax.io/v1',
    efforts: { switch: [thinking('adaptive'), thinking('disabled')] },
    noneLeavesOutTools: true,
    strict: false,
    replay: 'content',
  },
  perplexity: {
    url: 'https://api.perplexity.ai',
    limit: 'max_tokens',
    asksForUsage: false,
    mergesTurns: true,
    takesNames: false,
  },
  groq: {
    url: 'https://api.groq.com/openai/v1',
    efforts: { switch: [{ reasoning_effort: 'default' }, { reasoning_effort: 'none' }] },
    forReasoners: { reasoning_format: 'parsed' },
    formatWithoutTools: true,
    takesNames: false,
  },
  together: {
    url: 'https://api.together.xyz/v1',
    limit: 'max_tokens',
    efforts: { switch: [{ reasoning: { enabled: true } }, { reasoning: { enabled: false } }] },
    embeds: 'with user',
  },
  fireworks: { url: 'https://api.fireworks.ai/inference/v1', embeds: 'with user' },
  cerebras: {
    url: 'https://api.cerebras.ai/v1',
    efforts: { switch: [{}, { reasoning_effort: 'none' }] },
    replay: 'reasoning',
  },
  openrouter: {
    url: 'https://openrouter.ai/api/v1',
    efforts: {
      effort: routed,
      switch: [{ reasoning: { enabled: true } }, { reasoning: { enabled: false } }],
      budget: routed,
      adaptive: routed,
      level: routed,
    },
    always: { usage: { include: true } },
    cacheControl: true,
    replay: 'reasoning_details',
    embeds: 'with user',
  },
  huggingface: { url: 'https://router.huggingface.co/v1' },
  'self-hosted': { takesImageUrls: false, embeds: 'with user' },
};

const styles: readonly ReasoningStyle[] = ['effort', 'switch', 'budget', 'adaptive', 'level'];

function written(host: HostName, parts: Partial<GenerationRequest>, style?: ReasoningStyle): JsonObject {
  const generation = providers.get(host)?.generation;
  if (!generation) throw new Error(`There is no provider ${host}.`);
  const reasoning = { efforts: ['none', 'high'], defaultEffort: 'none' } as const;
  const traits = {
    refuses: [],
    refusesWhileReasoning: [],
    structuredOutput: 'schema',
    ...(style && { reasoning: { ...reasoning, style } }),
  } as const;
  const target = testTarget({ traits });
  const { parameters = {}, ...others } = parts;
  const request = testRequest(parameters, others);
  return generation.protocol.encode(normalize(request, target, generation.rules).request, target);
}

const without = (body: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

test('there is a form for each host', () => {
  expect(Object.keys(forms).toSorted()).toEqual(hostNames.toSorted());
});

describe.each(hostNames.map((host) => [host, forms[host]] as const))('%s', (host, form) => {
  const provider = providers.get(host);
  const tools = [{ name: 'f', strict: true, parameters: { type: 'object' } }];

  test('has its address and its key', () => {
    const settings = {};
    const address = 'https://example.com/v1';
    expect(provider?.baseUrl?.('global', { settings })).toBe(form.url);
    expect(provider?.settings).toEqual(form.url ? undefined : ['api-key', 'base-url']);
    expect(provider?.isConfigured({ settings })).toBe(false);
    expect(provider?.isConfigured({ settings, apiKey: 'sk-example' })).toBe(form.url !== undefined);
    expect(provider?.isConfigured({ settings, baseUrl: address })).toBe(form.url === undefined);
    expect(provider?.isConfigured({ settings, baseUrl: address, apiKey: 'sk-example' })).toBe(true);
    expect(provider?.generation?.takesImageUrls).toBe(form.takesImageUrls ?? true);
  });

  test('is sent a request with nothing else in it', () => {
    const body = written(host, {});
    expect(body).toEqual({
      model: 'one',
      messages: [{ role: 'user', content: 'Hello' }],
      ...form.always,
    });
  });

  test.each(styles)('is sent efforts for a model of the style %s', (style) => {
    const usual = [{ reasoning_effort: 'high' }, { reasoning_effort: 'none' }] as const;
    const expected = form.efforts?.[style] ?? usual;
    for (const [index, effort] of (['high', 'none'] as const).entries()) {
      const body = written(host, { parameters: { reasoning_effort: effort } }, style);
      expect(without(body, 'model', 'messages')).toEqual({
        ...form.always,
        ...form.forReasoners,
        ...expected[index],
      });
    }
  });

  test('is sent the limit on tokens under its name', () => {
    const { limit = 'max_completion_tokens' } = form;
    const body = written(host, { parameters: { max_completion_tokens: 5 } });
    expect(without(body, 'model', 'messages', ...Object.keys(form.always ?? {}))).toEqual({ [limit]: 5 });
  });

  test('is asked for the usage of a stream where that is needed', () => {
    const { asksForUsage = true } = form;
    const body = written(host, { stream: true });
    expect(body.stream).toBe(true);
    expect(body.stream_options).toEqual(asksForUsage ? { include_usage: true } : undefined);
  });

  test('is sent tools in its form', () => {
    const { required = 'required', strict = true } = form;
    const body = written(host, { tools, parameters: { tool_choice: 'required' } });
    expect(body.tool_choice).toBe(required);
    expect(body.tools).toEqual([
      {
        type: 'function',
        function: { name: 'f', parameters: { type: 'object' }, ...(strict && { strict: true }) },
      },
    ]);
    const none = written(host, { tools, parameters: { tool_choice: 'none' } });
    expect('tools' in none).toBe(form.noneLeavesOutTools !== true);
    expect(none.tool_choice).toBe(form.noneLeavesOutTools ? undefined : 'none');
  });

  test('is sent a format beside tools where it takes one', () => {
    const parameters = { response_format: { type: 'json_object' } } as const;
    expect(written(host, { parameters }).response_format).toEqual({ type: 'json_object' });
    expect('response_format' in written(host, { parameters, tools })).toBe(form.formatWithoutTools !== true);
  });

  test('is sent names and cache markers where it takes them', () => {
    const marked = { ...user('Hi'), name: 'Ann', cacheControl: { type: 'ephemeral' } } as const;
    const sent = JSON.stringify(written(host, { messages: [marked] }));
    expect(sent.includes('Ann')).toBe(form.takesNames !== false);
    expect(sent.includes('cache_control')).toBe(form.cacheControl === true);
    const inTool = [{ name: 'f', cacheControl: { type: 'ephemeral' } }] as const;
    expect(JSON.stringify(written(host, { tools: inTool }))).not.toContain('cache_control');
  });

  test('is sent images in results where it takes them there', () => {
    const messages = [
      user('Look.'),
      assistant('', { toolCalls: [{ id: 'abcdefghi', name: 'f', arguments: '{}' }] }),
      {
        role: 'tool',
        toolCallId: 'abcdefghi',
        content: [{ type: 'image', url: 'data:image/png;base64,aGk=' }],
      },
    ] as const;
    const sent = written(host, { messages }).messages as readonly { readonly role: string }[];
    expect(sent.at(-1)?.role).toBe(form.imagesInResults ? 'tool' : 'user');
  });

  test('is sent several texts and turns as it takes them', () => {
    const texts = { role: 'user', content: [...text('a'), ...text('b')] } as const;
    const [joined] = written(host, { messages: [texts] }).messages as readonly {
      readonly content: unknown;
    }[];
    expect(joined?.content).toEqual(expect.any(String));
    expect(written(host, { messages: [user('a'), user('b')] }).messages).toHaveLength(
      form.mergesTurns ? 1 : 2,
    );
  });

  test('is sent the beginning of an answer in its form', () => {
    const sent = written(host, { messages: [user('Hi'), assistant('Well, ')] }).messages as readonly object[];
    expect(sent.at(-1)).toEqual({ role: 'assistant', content: 'Well, ', ...form.continued });
  });

  test('is sent its own reasoning back where it takes it', () => {
    const { replay } = form;
    const details = (format: string): AssistantMessage => ({
      ...assistant('Yes.'),
      reasoningDetails: [{ type: 'reasoning.text', text: 'thought', format, index: 0 }],
    });
    const own = host === 'openrouter' ? 'unknown' : host;
    const last = (message: AssistantMessage) =>
      (written(host, { messages: [user('Hi'), message, user('So?')] }).messages as readonly JsonObject[])[1];
    expect(JSON.stringify(last(details('another')))).not.toContain('thought');
    const fields = Object.entries(last(details(own)) ?? {});
    const holding = fields.filter(([, value]) => JSON.stringify(value).includes('thought'));
    expect(holding.map(([name]) => name)).toEqual(replay ? [replay] : []);
    const plain = JSON.stringify(last({ ...assistant('Yes.'), reasoning: 'thought' }));
    if (!replay) expect(plain).not.toContain('thought');
    if (replay === 'reasoning_content') expect(plain).toContain('thought');
    expect(JSON.stringify(last(details(own)))).toContain('Yes.');
  });

  test('embeds, with the end user where it takes one', () => {
    expect(provider?.embeddings !== undefined).toBe(form.embeds !== undefined);
    const refusing = provider?.embeddings?.rules.filter(({ param }) => param === 'user') ?? [];
    expect(refusing).toHaveLength(form.embeds === 'without user' ? 1 : 0);
  });
});
