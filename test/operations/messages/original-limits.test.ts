/** Limits of keys, for a target that gets the original: it stays within them, on record. */
import { describe, expect, test } from 'vitest';
import { useAccess } from '../../harness/access.ts';
import { message, useFirstLane } from '../../harness/first-lane.ts';
import { answerJson } from '../../harness/upstream.ts';

const lane = useFirstLane();
const access = useAccess();

interface Debugged {
  readonly debug: { readonly normalizations: readonly { readonly param: string; readonly after: unknown }[] };
}

async function asked(limits: object, body: object) {
  const { authorization } = await access.newKey({ limits });
  const given = { ...body, extra: { debug: ['normalizations'] } };
  const response = await lane.answered(answerJson(message), given, { authorization });
  const text = await response.text();
  const changes = response.status === 200 ? (JSON.parse(text) as Debugged).debug.normalizations : [];
  return { status: response.status, text, changes, sent: lane.upstream.requests[0]?.body };
}

describe('a limit of tokens lowers', () => {
  test('max_tokens', async () => {
    const { sent, changes } = await asked({ tokensPerMinute: 3_000 }, { max_tokens: 10_000 });
    expect(changes).toEqual([expect.objectContaining({ param: 'max_tokens', before: 10_000 })]);
    expect(sent?.max_tokens).toBe(changes[0]?.after);
    expect(Number(sent?.max_tokens)).toBeLessThan(3_000);
    expect(Number(sent?.max_tokens)).toBeGreaterThan(2_000);
  });

  test('the thinking budget with it', async () => {
    const thinking = { type: 'enabled', budget_tokens: 8_000, display: 'updates' };
    const { sent, changes } = await asked({ tokensPerMinute: 3_000 }, { max_tokens: 10_000, thinking });
    expect(changes.map(({ param }) => param)).toEqual(['max_tokens', 'thinking.budget_tokens']);
    const budget_tokens = Number(sent?.max_tokens) - 1_024;
    expect(sent?.thinking).toEqual({ ...thinking, budget_tokens });
    expect(budget_tokens).toBeGreaterThanOrEqual(1_024);
  });

  test('nothing that is within it', async () => {
    const thinking = { type: 'enabled', budget_tokens: 1_024 };
    const { sent, changes } = await asked({ tokensPerMinute: 6_000 }, { max_tokens: 4_000, thinking });
    expect(changes).toEqual([]);
    expect(sent).toMatchObject({ max_tokens: 4_000, thinking });
  });
});

test('a limit that leaves no room for the least thinking refuses the request', async () => {
  const thinking = { type: 'enabled', budget_tokens: 8_000 };
  const { status, text, sent } = await asked({ tokensPerMinute: 1_900 }, { max_tokens: 10_000, thinking });
  expect(status).toBe(400);
  expect(text).toContain('tokens_per_minute_exceeded');
  expect(sent).toBeUndefined();
});

test('what only the original has counts as well', async () => {
  const { text } = await asked(
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
    expect((await asked({ dailyBudget }, body)).status).toBe(429);
    const { cache_control: _, ...unmarked } = content[0] ?? {};
    expect(
      (await asked({ dailyBudget }, { ...body, messages: [{ role: 'user', content: [unmarked] }] })).status,
    ).toBe(200);
  });
});
