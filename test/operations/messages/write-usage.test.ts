/** The usage of a message, from what the provider counted or from an estimate. */
import { describe, expect, test } from 'vitest';
import type { GenerationEvent } from '../../../lib/core/generation/events.ts';
import { argument, call, finish, reasoning, start, streamText, text, usage, written } from './writing.ts';

describe('usage', () => {
  const of = async (more: object, tier = {}) => {
    const counts = { type: 'usage', usage: { ...usage, ...more }, ...tier } as const;
    return (await written([start, text('a'), finish(), counts])).usage;
  };

  test('excludes what was cached from the input', async () => {
    const counts = { promptTokens: 100, cachedTokens: 60, cacheWriteTokens: 30, cacheWriteHourTokens: 10 };
    expect(await of(counts)).toEqual({
      input_tokens: 10,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 30,
      cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 10 },
      output_tokens: 4,
      output_tokens_details: { thinking_tokens: 1 },
      server_tool_use: null,
      service_tier: 'standard',
      inference_geo: null,
    });
  });

  test.each([
    [{ promptTokens: 5, cachedTokens: 9 }, [0, 5, 0]],
    [
      { promptTokens: 2_168, cachedTokens: 2_161, cacheWriteTokens: 2_161, cacheWriteHourTokens: 9 },
      [0, 2_161, 7],
    ],
  ])('of %j has no more input than there was', async (counts, expected) => {
    const { cache_creation, ...seen } = (await of(counts)) as Record<string, unknown>;
    const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens } = seen;
    expect([input_tokens, cache_read_input_tokens, cache_creation_input_tokens]).toEqual(expected);
    expect(cache_creation).toEqual({ ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: expected[2] });
  });

  test.each([
    ['default', 'standard'],
    ['standard', 'standard'],
    ['on_demand', 'standard'],
    ['priority', 'priority'],
    ['batch', 'batch'],
  ])('of the tier %s is %s', async (serviceTier, expected) => {
    expect(await of({}, { serviceTier })).toMatchObject({ service_tier: expected });
  });

  test('has the same tier at the beginning of a stream, where the SDK reads it', async () => {
    const tierIn = async (events: readonly GenerationEvent[]) => {
      const [, tier] = /message_start.*?"service_tier":(null|"\w+")/.exec(await streamText(events)) ?? [];
      return [JSON.parse(tier ?? 'null'), (await written(events)).usage.service_tier];
    };
    const counts = { type: 'usage', usage, serviceTier: 'default' } as const;
    expect(await tierIn([start, text('a'), finish(), counts])).toEqual(['standard', 'standard']);
    const flex = { ...start, serviceTier: 'flex' } as const;
    expect(await tierIn([flex, text('a'), finish()])).toEqual([null, null]);
  });

  test.each([
    ['was not counted', []],
    [
      'was counted as nothing',
      [{ type: 'usage', usage: { ...usage, promptTokens: 0, completionTokens: 0 } }],
    ],
  ] as const)('that %s is estimated', async (_name, counts) => {
    const events = [start, reasoning('12345678'), text('1234'), call(0), argument(0, '{"a":1}')];
    const { usage: estimated } = await written([...events, finish(), ...counts]);
    expect(estimated).toMatchObject({ input_tokens: 12, output_tokens: 5, output_tokens_details: null });
  });
});
