/** A count that is none, beside a good one: then the use is unknown, and not 0. */
import { describe, expect, test } from 'vitest';
import { anthropicMessages } from '../../lib/protocols/anthropic-messages/protocol.ts';
import { bedrockConverse } from '../../lib/protocols/bedrock-converse/protocol.ts';
import { cohereChat } from '../../lib/protocols/cohere-chat/protocol.ts';
import { googleGenerateContent } from '../../lib/protocols/google-generate-content/protocol.ts';
import { openaiChat } from '../../lib/protocols/openai-chat/protocol.ts';
import { openaiImages } from '../../lib/protocols/openai-images/protocol.ts';
import { protocol as openaiResponses } from './openai-responses/frames.ts';

const inputOf = (usage: object | undefined) =>
  usage && ('usage' in usage ? (usage.usage as { promptTokens: number }).promptTokens : usage);

/** How each protocol counts an input and an output. */
const readers = {
  'openai-chat': (input: unknown, output: unknown) =>
    openaiChat.readUsage({ usage: { prompt_tokens: input, completion_tokens: output } }),
  'openai-responses': (input: unknown, output: unknown) =>
    openaiResponses.readUsage({ usage: { input_tokens: input, output_tokens: output } }),
  'anthropic-messages': (input: unknown, output: unknown) =>
    anthropicMessages.readUsage({ usage: { input_tokens: input, output_tokens: output } }),
  'bedrock-converse': (input: unknown, output: unknown) =>
    bedrockConverse.readUsage({ usage: { inputTokens: input, outputTokens: output } }),
  'google-generate-content': (input: unknown, output: unknown) =>
    googleGenerateContent.readUsage({
      usageMetadata: { promptTokenCount: input, candidatesTokenCount: output },
    }),
  'cohere-chat': (input: unknown, output: unknown) =>
    cohereChat.readUsage({ usage: { tokens: { input_tokens: input, output_tokens: output } } }),
  'openai-images': (input: unknown, output: unknown) =>
    openaiImages.readUsage?.({ usage: { input_tokens: input, output_tokens: output } }),
};

describe.each(Object.entries(readers))('%s', (_, read) => {
  test('counts what is a count', () => {
    expect(inputOf(read(7, 5))).toBeDefined();
  });

  test.each([
    [null, 5],
    [7, null],
    [-7, 5],
    [7, -5],
    ['7', 5],
    [7, 1e300],
  ])('does not count %j and %j', (input, output) => {
    expect(read(input, output)).toBeUndefined();
  });
});

test('details that a host does not have are null, and count nothing', () => {
  const usage = { prompt_tokens: 7, completion_tokens: 5, prompt_tokens_details: { cached_tokens: null } };
  expect(openaiChat.readUsage({ usage })?.usage).toMatchObject({ promptTokens: 7, cachedTokens: 0 });
  const below = { ...usage, prompt_tokens_details: { cached_tokens: -1 } };
  expect(openaiChat.readUsage({ usage: below })).toBeUndefined();
});
