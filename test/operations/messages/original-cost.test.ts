/** What a body of the caller's own may cost: the budget, the models and the limits of a key hold all the same. */

import { describe, expect, test } from 'vitest';
import { useAccess } from '../../harness/access.ts';
import { atAnthropic, message, useFirstLane } from '../../harness/first-lane.ts';
import { answerJson } from '../../harness/upstream.ts';

const lane = useFirstLane();
const access = useAccess();

async function asked(key: object, body: object) {
  const { authorization } = await access.newKey(key);
  const response = await lane.answered(answerJson(message), { max_tokens: 16, ...body }, { authorization });
  return { status: response.status, text: await response.text(), calls: lane.upstream.requests.length };
}

/** A tool that a message defines, as messages of the system may. */
const defined = (definition: object) => ({
  messages: [
    { role: 'user', content: 'Hello.' },
    {
      role: 'system',
      content: [{ type: 'tool_addition', tool: { type: 'tool_definition', definition } }],
    },
  ],
});

/** The same in the summary of such messages. */
const summarized = (definition: object) => ({
  messages: [
    {
      role: 'user',
      content: [
        {
          type: 'compaction',
          content: 'They said hello.',
          tool_changes: [{ type: 'tool_addition', tool: { type: 'tool_definition', definition } }],
        },
        { type: 'text', text: 'Hello.' },
      ],
    },
  ],
});

const advisor = { type: 'advisor_20260301', name: 'advisor', model: 'claude-fable-5' };

/** Enough for whatever one call of a tool may bring in. */
const budget = { limits: { dailyBudget: 100_000_000_000 } };

describe('with a budget', () => {
  test.each([
    ['fallbacks', { fallbacks: [{ model: 'claude-sonnet-5' }] }],
    ['an MCP server', { mcp_servers: [{ type: 'url', name: 'a', url: 'https://mcp.example' }] }],
    ['an advisor', { tools: [{ type: 'advisor_20260301', name: 'advisor', model: 'claude-opus-5' }] }],
    ['code execution', { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] }],
    ['a tool that is not known', { tools: [{ type: 'unheard_of_20300101', name: 'unheard_of' }] }],
    ['a speed that is not known', { speed: 'instant' }],
    ['a region that is not known', { inference_geo: 'mars' }],
    ['an advisor that a message defines', defined(advisor)],
    ['an advisor in a summary', summarized(advisor)],
    ['an MCP server that a message offers', defined({ type: 'mcp_toolset', mcp_server_name: 'a' })],
    [
      'a search that a message defines',
      defined({ type: 'web_search_20250305', name: 'web_search', max_uses: 20 }),
    ],
    ['a compaction', { context_management: { edits: [{ type: 'compact_20260112' }] } }],
  ])('%s, whose cost has no known bound, is refused', async (_, body) => {
    const { status, calls } = await asked(budget, body);
    expect([status, calls]).toEqual([403, 0]);
    expect((await asked({}, body)).status).toBe(200);
  });

  test.each([
    ['tools of the client', { tools: [{ type: 'bash_20250124', name: 'bash' }] }],
    ['pages that are fetched', { tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] }],
    ['the web search', { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 1 }] }],
    [
      'the usual context management',
      { context_management: { edits: [{ type: 'clear_thinking_20251015' }] } },
    ],
    ['a tool of the client that a message defines', defined({ name: 'f', input_schema: { type: 'object' } })],
    ['a region anywhere', { inference_geo: 'global' }],
  ])('%s pass', async (_, body) => {
    expect((await asked(budget, body)).status).toBe(200);
  });
});

describe('a key that may use one model', () => {
  const key = { models: [atAnthropic] };
  test.each([
    ['fallbacks.0.model', { fallbacks: [{ model: 'claude-fable-5' }] }],
    ['fallbacks', { fallbacks: 'default' }],
    ['tools.0.model', { tools: [{ type: 'advisor_20260301', name: 'advisor', model: 'claude-fable-5' }] }],
    ['messages.1.content.0.tool.definition.model', defined(advisor)],
    ['messages.0.content.0.tool_changes.0.tool.definition.model', summarized(advisor)],
  ])('reaches no other by %s', async (param, body) => {
    const { status, text, calls } = await asked(key, body);
    expect([status, calls]).toEqual([403, 0]);
    expect(JSON.parse(text).error.param).toBe(param);
    expect((await asked({}, body)).status).toBe(200);
  });
});

describe('rounds of an answer', () => {
  const round = { type: 'message', model: 'claude-upstream', input_tokens: 12, output_tokens: 3 };
  const costOf = async (...iterations: readonly object[]) => {
    const script = answerJson({ ...message, usage: { ...message.usage, iterations } });
    const body = { max_tokens: 16, extra: { debug: ['cost'] } };
    const answer = JSON.parse(await (await lane.answered(script, body)).text());
    return answer.debug.cost;
  };

  test('of the model that was asked have its price', async () => {
    const one = await costOf(round);
    expect(one).toBeGreaterThan(0);
    for (const other of [{ model: null }, { type: 'compaction' }])
      expect(await costOf({ ...round, ...other }, round)).toBeCloseTo(2 * one, 9);
  });

  test.each([
    ['an advisor', [round, { ...round, type: 'advisor_message', model: 'claude-other' }]],
    ['a fallback', [{ ...round, type: 'fallback_message', model: 'claude-other' }]],
    ['another model that declined', [round, { ...round, model: 'claude-other' }]],
  ])('of %s have no known cost', async (_, iterations) => {
    expect(await costOf(...iterations)).toBeNull();
  });
});

interface Debugged {
  readonly debug: { readonly normalizations: readonly { readonly param: string; readonly after: unknown }[] };
}

async function askedWithin(limits: object, body: object) {
  const { authorization } = await access.newKey({ limits });
  const given = { ...body, extra: { debug: ['normalizations'] } };
  const response = await lane.answered(answerJson(message), given, { authorization });
  const text = await response.text();
  const changes = response.status === 200 ? (JSON.parse(text) as Debugged).debug.normalizations : [];
  return { status: response.status, text, changes, sent: lane.upstream.requests[0]?.body };
}

describe('a limit of tokens lowers', () => {
  test('max_tokens', async () => {
    const { sent, changes } = await askedWithin({ tokensPerMinute: 3_000 }, { max_tokens: 10_000 });
    expect(changes).toEqual([expect.objectContaining({ param: 'max_tokens', before: 10_000 })]);
    expect(sent?.max_tokens).toBe(changes[0]?.after);
    expect(Number(sent?.max_tokens)).toBeLessThan(3_000);
    expect(Number(sent?.max_tokens)).toBeGreaterThan(2_000);
  });

  test('the thinking budget with it', async () => {
    const thinking = { type: 'enabled', budget_tokens: 8_000, display: 'updates' };
    const { sent, changes } = await askedWithin({ tokensPerMinute: 3_000 }, { max_tokens: 10_000, thinking });
    expect(changes.map(({ param }) => param)).toEqual(['max_tokens', 'thinking.budget_tokens']);
    const budget_tokens = Number(sent?.max_tokens) - 1_024;
    expect(sent?.thinking).toEqual({ ...thinking, budget_tokens });
    expect(budget_tokens).toBeGreaterThanOrEqual(1_024);
  });

  test('nothing that is within it', async () => {
    const thinking = { type: 'enabled', budget_tokens: 1_024 };
    const { sent, changes } = await askedWithin({ tokensPerMinute: 6_000 }, { max_tokens: 4_000, thinking });
    expect(changes).toEqual([]);
    expect(sent).toMatchObject({ max_tokens: 4_000, thinking });
  });
});

test('a limit that leaves no room for the least thinking refuses the request', async () => {
  const thinking = { type: 'enabled', budget_tokens: 8_000 };
  const { status, text, sent } = await askedWithin(
    { tokensPerMinute: 1_900 },
    { max_tokens: 10_000, thinking },
  );
  expect(status).toBe(400);
  expect(text).toContain('tokens_per_minute_exceeded');
  expect(sent).toBeUndefined();
});

test('what only the original has counts as well', async () => {
  const { text } = await askedWithin(
    { tokensPerMinute: 3_000 },
    { max_tokens: 100, unheard_of: { texts: ['x'.repeat(4_000)] } },
  );
  expect(text).toContain('tokens_per_minute_exceeded');
});

describe('a budget', () => {
  test('counts a cache that is kept for an hour at its price, wherever it is marked', async () => {
    const cache_control = { type: 'ephemeral', ttl: '1h' };
    const content = [
      { type: 'tool_result', tool_use_id: 'toolu_1', content: 'x'.repeat(2_000), cache_control },
    ];
    const body = { max_tokens: 16, messages: [{ role: 'user', content }] };
    // 5 USD for a million tokens; written for five minutes 6.25, for an hour 10.
    const dailyBudget = 2_100 * 8_000;
    expect((await askedWithin({ dailyBudget }, body)).status).toBe(429);
    const { cache_control: _, ...unmarked } = content[0] ?? {};
    expect(
      (await askedWithin({ dailyBudget }, { ...body, messages: [{ role: 'user', content: [unmarked] }] }))
        .status,
    ).toBe(200);
  });
});
