/** The differences between hosts of the OpenAI chat protocol, where their form is more than a field of host-dialects.test.ts. */
import { describe, expect, test } from 'vitest';
import type { GenerationParameters, JsonObject, Message } from '../../../lib/core/generation/request.ts';
import { providers } from '../../../lib/providers/all-providers.ts';
import { only } from '../answer.ts';
import { assistant, newRequest, newTarget, text, tool, user, weatherTool } from '../requests.ts';

function protocolOf(name: string) {
  const protocol = providers.get(name)?.generation?.protocol;
  if (!protocol) throw new Error(`There is no provider ${name}.`);
  return protocol;
}

const encode = (
  provider: string,
  messages: readonly Message[],
  parameters: GenerationParameters = {},
  others = {},
) => protocolOf(provider).encode(newRequest(messages, parameters, others), newTarget());

test('Mistral gets its own names, and no stream options', () => {
  const parameters: GenerationParameters = {
    seed: 7,
    max_completion_tokens: 9,
    max_tokens: 5,
    tool_choice: 'required',
  };
  const body = encode('mistral', [user('Hello')], parameters, { tools: [weatherTool], stream: true });
  expect(body).toMatchObject({ random_seed: 7, max_tokens: 9, tool_choice: 'any', stream: true });
  for (const name of ['seed', 'max_completion_tokens', 'stream_options'])
    expect(body).not.toHaveProperty(name);
});

test('Mistral gets ids of nine letters and digits, the same for a call and its result', () => {
  const id = 'call_of_another_provider';
  const history = [
    user('Weather?'),
    assistant('', { toolCalls: [{ id, name: 'f', arguments: '' }] }),
    tool(id, 'Sun'),
  ];
  const [, call, result] = encode('mistral', history).messages as [
    object,
    { tool_calls: { id: string }[] },
    object,
  ];
  expect(call.tool_calls[0]?.id).toMatch(/^[a-zA-Z0-9]{9}$/);
  expect(result).toMatchObject({ tool_call_id: call.tool_calls[0]?.id });
  expect(encode('mistral', history)).toEqual(encode('mistral', history));
});

test.each(['mistral', 'moonshot', 'deepseek'])('%s gets an empty answer only if it takes one', (provider) => {
  const { messages } = encode(provider, [
    user('Hello.'),
    assistant(''),
    assistant(' ', { reasoning: 'Hm.' }),
    user('Well?'),
    { ...assistant(''), name: 'Ann' },
  ]);
  const roles = (messages as readonly Message[]).map(({ role }) => role);
  const others = provider === 'deepseek' ? ['assistant', 'assistant'] : [];
  expect(roles).toEqual(['user', ...others, 'user', 'assistant']);
});

test('Perplexity gets alternating turns', () => {
  const { messages } = encode('perplexity', [user('One.'), user('Two.'), assistant('Yes.'), user('Three.')]);
  expect(messages).toEqual([
    { role: 'user', content: 'One.\nTwo.' },
    { role: 'assistant', content: 'Yes.' },
    { role: 'user', content: 'Three.' },
  ]);
});

test('cache markers are sent only to hosts that support them', () => {
  const cacheControl = { type: 'ephemeral' } as const;
  const marked: Message = { role: 'user', content: text('Long.'), cacheControl };
  const content = [{ type: 'text', text: 'Long.', cache_control: cacheControl }];
  expect(encode('openrouter', [marked]).messages).toEqual([{ role: 'user', content }]);
  expect(encode('together', [marked]).messages).toEqual([{ role: 'user', content: 'Long.' }]);
});

describe('reasoning is sent back to its host', () => {
  test.each([
    ['deepseek', { reasoning_content: 'Hm.' }, { reasoning_content: 'Hm.' }],
    ['moonshot', { reasoning_content: 'Hm.' }, { reasoning_content: 'Hm.' }],
    ['cerebras', { reasoning: 'Hm.' }, { reasoning: 'Hm.' }],
    ['minimax', { content: '<think>Hm.</think>\n\nYes.' }, { content: '<think>Hm.</think>\nYes.' }],
  ])('%s', (provider, reported, back) => {
    const message = { role: 'assistant', content: 'Yes.', ...reported };
    const protocol = protocolOf(provider);
    const seen = only(protocol.decodeBody({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    expect(seen).toMatchObject({ text: 'Yes.', reasoning: 'Hm.' });
    expect(seen.details).toEqual([{ type: 'reasoning.text', text: 'Hm.', format: provider, index: 0 }]);
    const replayed = assistant(seen.text, { reasoningDetails: seen.details as never });
    expect(protocol.encode(newRequest([replayed, user('Go on.')]), newTarget()).messages).toEqual([
      { role: 'assistant', content: 'Yes.', ...back },
      { role: 'user', content: 'Go on.' },
    ]);
  });

  test('OpenRouter’s details are unchanged', () => {
    const details = [
      {
        type: 'reasoning.text',
        text: 'Hm.',
        signature: 'c2ln',
        format: 'anthropic-claude-v1',
        index: 0,
        id: 'r1',
      },
      { type: 'reasoning.encrypted', data: 'ZGF0YQ==', format: 'anthropic-claude-v1', index: 1 },
    ];
    const message = { content: 'Yes.', reasoning: 'Hm.', reasoning_details: details };
    const protocol = protocolOf('openrouter');
    const seen = only(protocol.decodeBody({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    expect(seen.details).toEqual(details);
    // A caller of Responses sends them with the position of their item.
    for (const known of [{}, { position: 0 }]) {
      const reasoningDetails = details.map((detail) => ({ ...detail, ...known })) as never;
      const request = newRequest([assistant('Yes.', { reasoningDetails }), user('Go on.')]);
      const [replayed] = protocol.encode(request, newTarget()).messages as readonly JsonObject[];
      expect(replayed?.reasoning_details).toEqual(details);
    }
  });
});
