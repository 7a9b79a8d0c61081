/** What a body of the caller's own may cost beside its tokens: a budget and the models of a key hold all the same. */
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

/** A dollar for a day, in nano-dollars. */
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
    expect(await costOf(round, { ...round, model: null })).toBeCloseTo(2 * one, 9);
  });

  test.each([
    ['an advisor', [round, { ...round, type: 'advisor_message', model: 'claude-other' }]],
    ['a fallback', [{ ...round, type: 'fallback_message', model: 'claude-other' }]],
    ['another model that declined', [round, { ...round, model: 'claude-other' }]],
  ])('of %s have no known cost', async (_, iterations) => {
    expect(await costOf(...iterations)).toBeNull();
  });
});
