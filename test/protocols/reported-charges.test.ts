/**
 * What the answers of each protocol say of their price: the tier, the kinds of tokens, the tools, and a cost of their own; and the
 * searches and calls that an answer is charged for: as reported by upstream, else as seen in the answer.
 */
import { describe, expect, test } from 'vitest';
import type { GenerationEvent } from '../../lib/core/generation/events.ts';
import type { GenerationProtocol } from '../../lib/core/generation/original/protocol.ts';
import { countSeen, withToolUse } from '../../lib/pipeline/use/seen-use.ts';
import { anthropicMessages } from '../../lib/protocols/anthropic-messages/protocol.ts';
import { bedrockConverse } from '../../lib/protocols/bedrock-converse/protocol.ts';
import { googleGenerateContent } from '../../lib/protocols/google-generate-content/protocol.ts';
import { createOpenaiChat } from '../../lib/protocols/openai-chat/protocol.ts';
import { createOpenaiResponses } from '../../lib/protocols/openai-responses/protocol.ts';
import { newRequest, user } from './requests.ts';

const openaiChat = createOpenaiChat({});
const openaiResponses = createOpenaiResponses({ reasoningFormat: 'openai-responses-v1' });

type UsageEvent = GenerationEvent & { type: 'usage' };

/** Decodes an answer when its test runs. */
type Counted = () => UsageEvent | undefined;

const usageIn = (events: readonly GenerationEvent[]) =>
  events.find((event): event is UsageEvent => event.type === 'usage');

function streamed(protocol: GenerationProtocol, frames: readonly (readonly [string, object])[]) {
  const decoder = protocol.decodeStream();
  const events = frames.flatMap(([event, data]) => decoder.onFrame({ event, data: JSON.stringify(data) }));
  return usageIn([...events, ...decoder.onEnd()]);
}

const chat =
  (usage: object, more: object = {}) =>
  () =>
    usageIn(
      openaiChat.decodeBody({
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110, ...usage },
        ...more,
      }),
    );

const responsesEvents =
  (usage: object, more: object = {}) =>
  () =>
    openaiResponses.decodeBody({
      status: 'completed',
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hi.' }] }],
      usage: { input_tokens: 100, output_tokens: 10, total_tokens: 110, ...usage },
      ...more,
    });
const responses =
  (...given: Parameters<typeof responsesEvents>) =>
  () =>
    usageIn(responsesEvents(...given)());

const claudeEvents =
  (usage: object, blocks: readonly object[] = []) =>
  () =>
    anthropicMessages.decodeBody({
      content: [...blocks, { type: 'text', text: 'Hi.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 100, output_tokens: 10, ...usage },
    });
const claude =
  (...given: Parameters<typeof claudeEvents>) =>
  () =>
    usageIn(claudeEvents(...given)());

const bedrock =
  (more: object, usage: object = {}, blocks: readonly object[] = []) =>
  () =>
    usageIn(
      bedrockConverse.decodeBody({
        output: { message: { role: 'assistant', content: [...blocks, { text: 'Hi.' }] } },
        stopReason: 'end_turn',
        usage: { inputTokens: 100, outputTokens: 10, totalTokens: 110, ...usage },
        ...more,
      }),
    );

const geminiEvents =
  (usage: object, candidate: object = {}) =>
  () =>
    googleGenerateContent.decodeBody({
      candidates: [{ content: { parts: [{ text: 'Hi.' }] }, finishReason: 'STOP', ...candidate }],
      usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, ...usage },
    });
const gemini =
  (...given: Parameters<typeof geminiEvents>) =>
  () =>
    usageIn(geminiEvents(...given)());

describe('the service tier', () => {
  test.each<[string, Counted, string | undefined]>([
    ['OpenAI chat', chat({}, { service_tier: 'flex' }), 'flex'],
    ['OpenAI chat: none', chat({}), undefined],
    ['Groq: the default', chat({}, { service_tier: 'on_demand' }), 'default'],
    ['Groq: its own', chat({}, { service_tier: 'performance' }), 'performance'],
    ['a tier newer than the gateway', chat({}, { service_tier: 'Ultra' }), 'ultra'],
    ['a tier that is no name', chat({}, { service_tier: 'x'.repeat(100) }), 'unreadable'],
    ['OpenAI Responses', responses({}, { service_tier: 'priority' }), 'priority'],
    ['Claude: the default', claude({ service_tier: 'standard', speed: 'standard' }), 'default'],
    ['Claude: priority', claude({ service_tier: 'priority' }), 'priority'],
    ['Claude: fast', claude({ service_tier: 'standard', speed: 'fast' }), 'fast'],
    ['Claude: in one country', claude({ service_tier: 'standard', inference_geo: 'us' }), 'us'],
    ['Claude: anywhere', claude({ service_tier: 'standard', inference_geo: 'global' }), 'default'],
    ['Claude: before regions', claude({ inference_geo: 'not_available' }), undefined],
    ['Claude: both', claude({ speed: 'fast', inference_geo: 'us' }), 'fast+us'],
    ['Bedrock', bedrock({ serviceTier: { type: 'flex' } }), 'flex'],
    ['Bedrock: low latency', bedrock({ performanceConfig: { latency: 'optimized' } }), 'optimized'],
    ['Gemini', gemini({ serviceTier: 'flex' }), 'flex'],
    ['Gemini: the default', gemini({ serviceTier: 'standard' }), 'default'],
    ['Vertex: the default', gemini({ trafficType: 'ON_DEMAND' }), 'default'],
    ['Vertex: priority', gemini({ trafficType: 'ON_DEMAND_PRIORITY' }), 'priority'],
    ['Vertex: reserved', gemini({ trafficType: 'PROVISIONED_THROUGHPUT' }), 'provisioned_throughput'],
    ['Vertex: unnamed', gemini({ trafficType: 'TRAFFIC_TYPE_UNSPECIFIED' }), undefined],
  ])('%s', (_, read, tier) => {
    expect(read()?.serviceTier).toBe(tier);
  });

  test('of a chat stream is the one that is named last', () => {
    const chunk = (more: object) => ({ choices: [{ index: 0, delta: { content: 'Hi.' } }], ...more });
    const usage = { prompt_tokens: 1, completion_tokens: 1 };
    const event = streamed(openaiChat, [
      ['', chunk({ service_tier: 'auto' })],
      ['', chunk({ service_tier: 'flex' })],
      ['', chunk({})],
      ['', { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], service_tier: 'default' }],
      ['', { choices: [], usage }],
    ]);
    expect(event?.serviceTier).toBe('default');
  });

  test('of a stream of Converse is in its last event', () => {
    const event = streamed(bedrockConverse, [
      ['messageStart', { role: 'assistant' }],
      ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hi.' } }],
      ['messageStop', { stopReason: 'end_turn' }],
      ['metadata', { usage: { inputTokens: 1, outputTokens: 1 }, serviceTier: { type: 'priority' } }],
    ]);
    expect(event?.serviceTier).toBe('priority');
  });

  test('of a stream of Claude holds where only its start names it', () => {
    const event = streamed(anthropicMessages, [
      ['message_start', { message: { id: '1', usage: { input_tokens: 1, service_tier: 'priority' } } }],
      ['message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }],
      ['message_stop', {}],
    ]);
    expect(event?.serviceTier).toBe('priority');
  });
});

describe('tokens written to a cache for an hour', () => {
  const written = (hour: number, short: number) => ({
    cache_creation_input_tokens: hour + short,
    cache_creation: { ephemeral_1h_input_tokens: hour, ephemeral_5m_input_tokens: short },
  });
  const detail = (ttl: string, inputTokens: number) => ({ ttl, inputTokens });

  test.each<[string, Counted, number, number | undefined]>([
    ['Claude', claude(written(80, 20)), 100, 80],
    ['Claude: five minutes', claude(written(0, 20)), 20, undefined],
    [
      'Claude: no more than was written',
      claude({ ...written(80, 0), cache_creation_input_tokens: 50 }),
      50,
      50,
    ],
    ['Claude: several rounds', claude({ iterations: [written(80, 20), written(5, 0)] }), 105, 85],
    [
      'Claude: rounds without details',
      claude({ ...written(80, 0), iterations: [{ cache_creation_input_tokens: 90 }] }),
      90,
      80,
    ],
    [
      'Bedrock',
      bedrock({}, { cacheWriteInputTokens: 100, cacheDetails: [detail('1h', 80), detail('5m', 20)] }),
      100,
      80,
    ],
    [
      'Bedrock: five minutes',
      bedrock({}, { cacheWriteInputTokens: 20, cacheDetails: [detail('5m', 20)] }),
      20,
      undefined,
    ],
    ['Bedrock: without details', bedrock({}, { cacheWriteInputTokens: 20 }), 20, undefined],
  ])('%s', (_, read, all, hour) => {
    const { cacheWriteTokens, cacheWriteHourTokens } = read()?.usage ?? {};
    expect([cacheWriteTokens, cacheWriteHourTokens]).toStrictEqual([all, hour]);
  });
});

describe('sound in a cache', () => {
  const sound = (tokenCount: number) => [
    { modality: 'TEXT', tokenCount: 10 },
    { modality: 'AUDIO', tokenCount },
  ];
  const cached = { promptTokensDetails: sound(90), cachedContentTokenCount: 50 };

  test.each<[string, Counted, number | undefined]>([
    ['as reported', gemini({ ...cached, cacheTokensDetails: sound(40) }), 40],
    ['no more than is cached', gemini({ ...cached, cacheTokensDetails: sound(80) }), 50],
    ['none of it', gemini({ ...cached, cacheTokensDetails: [] }), 0],
    ['not reported', gemini(cached), undefined],
    ['without audio', gemini({ cachedContentTokenCount: 50, cacheTokensDetails: sound(40) }), undefined],
  ])('%s', (_, read, tokens) => {
    expect(read()?.usage.cachedAudioTokens).toBe(tokens);
  });
});

describe('a cost that the host states, in nano-dollars', () => {
  test.each<[string, Counted, number | undefined]>([
    ['OpenRouter', chat({ cost: 0.00014 }), 140_000],
    ['OpenRouter: nothing', chat({ cost: 0 }), 0],
    ['OpenRouter: half a nano-dollar', chat({ cost: 0.0000000005 }), 1],
    [
      'OpenRouter: with a key of its own',
      chat({ cost: 0.0001, is_byok: true, cost_details: { upstream_inference_cost: 0.002 } }),
      2_100_000,
    ],
    ['OpenRouter: a key of its own, no more', chat({ cost: 0.0001, is_byok: true }), undefined],
    [
      'Perplexity',
      chat({ cost: { input_tokens_cost: 0.001, request_cost: 0.006, total_cost: 0.00906 } }),
      9_060_000,
    ],
    ['xAI', chat({ cost_in_usd_ticks: 37_756_000 }), 3_775_600],
    ['xAI, Responses', responses({ cost_in_usd_ticks: 37_756_000 }), 3_775_600],
    ['a negative one', chat({ cost: -1 }), undefined],
    ['too large a one', chat({ cost: 1e12 }), undefined],
    ['no number', chat({ cost: '0.1' }), undefined],
    ['none', chat({}), undefined],
  ])('%s', (_, read, cost) => {
    expect(read()?.usage.statedCost).toBe(cost);
  });
});

describe('calls of tools that the provider runs', () => {
  const tool = (name: string) => ({ type: 'server_tool_use', id: `srv_${name}`, name, input: {} });
  const chunk = (kind: string) => ({
    groundingMetadata: { groundingChunks: [{ [kind]: { uri: 'https://a.example/' } }] },
  });
  const details = (counts: object) => ({
    num_server_side_tools_used: 9,
    server_side_tool_usage_details: counts,
  });

  test.each<[string, Counted, object | undefined]>([
    [
      'Claude: as reported',
      claude({ server_tool_use: { web_fetch_requests: 2, web_search_requests: 1 } }),
      { web_fetch: 2 },
    ],
    ['Claude: none', claude({ server_tool_use: { web_fetch_requests: 0 } }), undefined],
    [
      'Claude: code, as shown',
      claude({}, [tool('bash_code_execution'), tool('text_editor_code_execution')]),
      { code_execution: 2 },
    ],
    [
      'Claude: code, reported and shown',
      claude({ server_tool_use: { code_execution_requests: 1 } }, [tool('code_execution')]),
      { code_execution: 1 },
    ],
    ['Claude: looking up tools is free', claude({}, [tool('tool_search_tool_bm25')]), undefined],
    ['Claude: a tool newer than the gateway', claude({}, [tool('advisor')]), { advisor: 1 }],
    [
      'xAI, Responses',
      responses(details({ web_search_calls: 2, x_search_calls: 3, mcp_calls: 4, code_interpreter_calls: 0 })),
      { x_search: 3 },
    ],
    ['xAI, chat: sources of a search', chat({ num_sources_used: 3 }), { live_search: 3 }],
    ['Gemini: places', gemini({}, chunk('maps')), { google_maps: 1 }],
    ['Vertex: a store', gemini({}, chunk('retrievedContext')), { retrieval: 1 }],
    ['Gemini: the web', gemini({}, chunk('web')), undefined],
    [
      'Bedrock',
      bedrock({}, {}, [
        { toolUse: { toolUseId: '1', name: 'nova_grounding', type: 'server_tool_use', input: {} } },
      ]),
      { nova_grounding: 1 },
    ],
  ])('%s', (_, read, calls) => {
    expect(read()?.usage.hostedCalls).toStrictEqual(calls);
  });

  test('are counted by kind where xAI names the kinds', () => {
    expect(responses(details({ web_search_calls: 2 }))()?.usage.webSearches).toBe(2);
  });

  test('have at most as many names as any provider has tools', () => {
    const blocks = Array.from({ length: 100 }, (_, index) => tool(`tool_${index}`));
    const calls = claude({}, blocks)()?.usage.hostedCalls ?? {};
    expect(Object.keys(calls).length).toBeLessThanOrEqual(33);
    expect(Object.values(calls).reduce((sum, count) => sum + count, 0)).toBe(100);
  });

  test('are known before the end of a stream', () => {
    const decoder = anthropicMessages.decodeStream();
    const frame = (event: string, data: object) => decoder.onFrame({ event, data: JSON.stringify(data) });
    frame('message_start', { message: { id: '1', usage: { input_tokens: 1 } } });
    frame('content_block_start', { index: 0, content_block: tool('code_execution') });
    expect(decoder.usageSoFar?.()?.hostedCalls).toStrictEqual({ code_execution: 1 });
  });
});

const search = { type: 'search', query: 'opening hours' };
const page = { type: 'open_page', url: 'https://a.example/' };

const grounded = (groundingMetadata: object) => geminiEvents({}, { groundingMetadata });
const failedSearch = [
  { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'now' } },
  {
    type: 'web_search_tool_result',
    tool_use_id: 'srv_1',
    content: { type: 'web_search_tool_result_error', error_code: 'unavailable' },
  },
];
const searched = (actions: readonly object[], usage: object = {}) =>
  responsesEvents(usage, {
    output: actions.map((action) => ({ type: 'web_search_call', id: 'ws_1', status: 'completed', action })),
  });

test.each<[string, () => readonly GenerationEvent[], number | undefined]>([
  ['Gemini: each query', grounded({ webSearchQueries: ['opening hours', 'now'] }), 2],
  ['Gemini: at least one', grounded({ groundingChunks: [{ web: { uri: 'https://a.example/' } }] }), 1],
  ['Gemini: none', grounded({}), undefined],
  ['Claude: as reported', claudeEvents({ server_tool_use: { web_search_requests: 2 } }, failedSearch), 2],
  ['OpenAI: each search, but no opened page', searched([search, page, search]), 2],
  ['OpenAI: none', searched([]), undefined],
  ['xAI: as reported', searched([search, page], { num_server_side_tools_used: 2 }), 2],
])('searches: %s', (_, read, expected) => {
  const events = read();
  const seen = countSeen(newRequest([user('Hi')]));
  for (const event of events) seen.add(event);
  const counted = events.find((event) => event.type === 'usage')?.usage;
  if (!counted) throw new Error('nothing was counted');
  expect(withToolUse(counted, seen.toolUse()).webSearches).toBe(expected);
});

describe('calls of other tools', () => {
  const tools = (request: object, ...items: readonly object[]) => {
    const seen = countSeen({ ...newRequest([user('Hi')]), ...request });
    for (const [index, body] of items.entries()) {
      seen.add({ type: 'protocol-item', choice: 0, item: index, body: { ...body } });
    }
    return withToolUse(noTokens, seen.toolUse()).hostedCalls;
  };
  const code = (container_id?: string) => ({ type: 'code_interpreter_call', container_id });
  const declared = (memory_limit: string) => ({
    hostedTools: [{ tool: { type: 'code_interpreter', container: { type: 'auto', memory_limit } } }],
  });
  const noTokens = {
    promptTokens: 1,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    completionTokens: 1,
    reasoningTokens: 0,
  };

  test.each<[string, object | undefined, object | undefined]>([
    [
      'each search in files',
      tools({}, { type: 'file_search_call' }, { type: 'file_search_call' }),
      { file_search: 2 },
    ],
    ['code, by its container', tools({}, code('one'), code('one'), code('two')), { code_interpreter: 2 }],
    ['code in no known container', tools({}, code(), code()), { code_interpreter: 2 }],
    ['code in a larger container', tools(declared('16g'), code('one')), { code_interpreter_16g: 1 }],
    ['code in the smallest container', tools(declared('1g'), code('one')), { code_interpreter: 1 }],
    ["a server of the caller's is not charged for", tools({}, { type: 'mcp_call' }), undefined],
  ])('%s', (_, counted, expected) => {
    expect(counted).toStrictEqual(expected);
  });

  test('that usage counts too are the same calls', () => {
    const both = { ...noTokens, hostedCalls: { code_interpreter: 3, x_search: 1 } };
    const seen = { webSearches: 0, hostedCalls: { code_interpreter: 2, file_search: 1 } };
    expect(withToolUse(both, seen).hostedCalls).toStrictEqual({
      code_interpreter: 3,
      x_search: 1,
      file_search: 1,
    });
  });
});
