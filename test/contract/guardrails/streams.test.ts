/** What clients get of an answer that a guardrail looks at, through the official SDKs. */
import { describe, expect, test } from 'vitest';
import type { Rule } from '../../../lib/core/guardrails/policy.ts';
import { answerOf, models, policyOf, saying, texts, useGuardrails } from '../../harness/guardrails.ts';

const { upstream, clients } = useGuardrails();

const noSecretWord: Rule = {
  id: 'names',
  kind: 'words',
  words: ['Project Aurora'],
  on: ['output'],
  action: 'block',
};

const noData: Rule = { id: 'people', kind: 'pii', on: ['output'], action: 'redact' };

const spoken = `${'Some harmless words. '.repeat(30)}It is called Project Aurora, and so on.`;

const user = [{ role: 'user' as const, content: 'What is it called?' }];

const call = (argumentsText: string, size: number) => [
  { type: 'call' as const, call: 0, id: 'call_1', name: 'note' },
  ...texts(argumentsText, size).map((step) => ({
    type: 'arguments' as const,
    call: 0,
    text: step.type === 'text' ? step.text : '',
  })),
];

const tool = { name: 'note', description: 'Notes.', parameters: { type: 'object', properties: {} } };

describe('a blocked word in a streamed answer', () => {
  test.each([1, 5000])('ends a chat in pieces of %i characters before it', async (size) => {
    const { openai } = await clients([policyOf([noSecretWord])]);
    upstream.script(saying(answerOf(...texts(spoken, size))));
    const stream = await openai.chat.completions.create({ model: models.chat, messages: user, stream: true });
    let text = '';
    let finish: string | null = null;
    for await (const { choices } of stream) {
      text += choices[0]?.delta.content ?? '';
      finish = choices[0]?.finish_reason ?? finish;
    }
    expect(finish).toBe('content_filter');
    expect(spoken.startsWith(text)).toBe(true);
    expect(text).not.toContain('Project');
  });

  test.each([1, 5000])('ends a message of Claude in pieces of %i characters as a refusal', async (size) => {
    const { anthropic } = await clients([policyOf([noSecretWord])]);
    upstream.script(saying(answerOf(...texts(spoken, size))));
    const stream = anthropic.messages.stream({ model: models.claude, max_tokens: 100, messages: user });
    const message = await stream.finalMessage();
    expect(message.stop_reason).toBe('refusal');
    const [block] = message.content;
    expect(block?.type === 'text' && block.text.includes('Project')).toBe(false);
  });

  test('ends a response as incomplete', async () => {
    const { openai } = await clients([policyOf([noSecretWord])]);
    upstream.script(saying(answerOf(...texts(spoken, 3))));
    const stream = openai.responses.stream({ model: models.chat, input: user });
    const response = await stream.finalResponse();
    expect(response).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'content_filter' },
    });
    expect(response.output_text).not.toContain('Project');
  });

  test.each(['chat', 'claude'] as const)(
    'ends a message of another model, or %s, that was not streamed',
    async (name) => {
      const { anthropic } = await clients([policyOf([noSecretWord])]);
      upstream.script(saying(answerOf(...texts(spoken, 3))));
      const message = await anthropic.messages.create({
        model: models[name],
        max_tokens: 100,
        messages: user,
      });
      expect(message.stop_reason).toBe('refusal');
      expect(JSON.stringify(message)).not.toContain('Project');
    },
  );

  test('ends a text completion', async () => {
    const { openai } = await clients([policyOf([noSecretWord])]);
    upstream.script(saying(answerOf(...texts(spoken, 3))));
    const { choices } = await openai.completions.create({ model: models.chat, prompt: 'It is called' });
    expect(choices[0]?.finish_reason).toBe('content_filter');
    expect(choices[0]?.text).not.toContain('Project');
  });
});

describe('a blocked word in the arguments of a call', () => {
  const argumentsText = '{"title":"\\u0050roject\\u0020Aurora","done":true}';

  test.each([1, 50])('drops the whole call, in pieces of %i characters', async (size) => {
    const { openai, anthropic } = await clients([policyOf([noSecretWord])]);
    upstream.script(saying(answerOf(...texts('Noted.'), ...call(argumentsText, size))));
    const chat = await openai.chat.completions.create({
      model: models.chat,
      messages: user,
      tools: [{ type: 'function', function: tool }],
      stream: true,
    });
    const seen: unknown[] = [];
    for await (const { choices } of chat) seen.push(choices[0]);
    expect(JSON.stringify(seen)).not.toContain('tool_calls');
    expect(seen.at(-1)).toMatchObject({ finish_reason: 'content_filter' });
    const { name, description } = tool;
    const tools = [{ name, description, input_schema: { type: 'object' as const } }];
    const message = await anthropic.messages
      .stream({ model: models.claude, max_tokens: 100, messages: user, tools })
      .finalMessage();
    expect(message.stop_reason).toBe('refusal');
    expect(JSON.stringify(message.content)).not.toContain('tool_use');
  });
});

test.each([false, true])(
  'a blocked call that is the whole answer is dropped, streamed %s',
  async (stream) => {
    const { openai, anthropic } = await clients([policyOf([noSecretWord])]);
    upstream.script(saying(answerOf(...call('{"status":"Project Aurora"}', 5))));
    const tools = [{ type: 'function' as const, function: tool }];
    const chat = { model: models.chat, messages: user, tools };
    const answer = stream
      ? await Array.fromAsync(await openai.chat.completions.create({ ...chat, stream }))
      : await openai.chat.completions.create(chat);
    expect(JSON.stringify(answer)).toContain('content_filter');
    expect(JSON.stringify(answer)).not.toContain('tool_calls');
    const message = { model: models.claude, max_tokens: 100, messages: user };
    const { content, stop_reason } = stream
      ? await anthropic.messages.stream(message).finalMessage()
      : await anthropic.messages.create(message);
    expect([content, stop_reason]).toEqual([[], 'refusal']);
  },
);

test.each([false, true])(
  "what is taken out of Claude's answers is so for its own clients, streamed %s",
  async (stream) => {
    const { anthropic } = await clients([policyOf([noData])]);
    upstream.script(saying(answerOf(...texts('Write to ada@example.com now.', 3))));
    const body = { model: models.claude, max_tokens: 100, messages: user };
    const { content } = stream
      ? await anthropic.messages.stream(body).finalMessage()
      : await anthropic.messages.create(body);
    expect(content).toMatchObject([{ type: 'text', text: 'Write to [EMAIL_1] now.' }]);
  },
);

test('a blocked answer is not kept for the next request', async () => {
  const { openai } = await clients([policyOf([noSecretWord])]);
  const chat = { model: models.chat, messages: user };
  const ask = async (text: string) => {
    upstream.script(saying(answerOf(...texts(text, 5000))));
    const headers = { 'x-gateway-cache': 'true' };
    return (await openai.chat.completions.create(chat, { headers })).choices[0]?.finish_reason;
  };
  expect([await ask('Project Aurora'), await ask('Fine.'), await ask('Project Aurora')]).toEqual([
    'content_filter',
    'stop',
    'stop',
  ]);
});

describe('an answer without a finding', () => {
  test('is the same, and so is that of a policy that only flags', async () => {
    const harmless = 'Nothing to see here. '.repeat(40);
    const plain = await clients([]);
    const blocked = await clients([policyOf([noSecretWord])]);
    const flagged = await clients([policyOf([{ ...noSecretWord, action: 'flag' }])]);
    const read = async ({ openai, anthropic }: typeof plain) => {
      upstream.script(saying(answerOf(...texts(harmless, 5), ...call('{"a":1}', 2))));
      const tools = [{ type: 'function' as const, function: tool }];
      const chat = openai.chat.completions.stream({ model: models.chat, messages: user, tools });
      const message = anthropic.messages.stream({ model: models.claude, max_tokens: 100, messages: user });
      const { choices, usage } = await chat.finalChatCompletion();
      const { content, stop_reason, usage: counts } = await message.finalMessage();
      return { choices, usage, content, stop_reason, counts };
    };
    const expected = await read(plain);
    expect(await read(blocked)).toEqual(expected);
    expect(await read(flagged)).toEqual(expected);
  });
});
