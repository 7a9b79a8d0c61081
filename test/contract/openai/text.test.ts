/** A question and its answer, not streamed. */
import { expect, test } from 'vitest';
import { useSdk } from '../../harness/clients/sdk.ts';
import { providerRows } from '../../harness/matrix/providers.ts';

const client = useSdk();

test.each(providerRows)('$provider answers a question', async ({ model }) => {
  const completion = await client().chat.completions.create({
    model,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Say zebra.' },
    ],
  });
  expect(completion.object).toBe('chat.completion');
  expect(completion.model).toBe(model);
  const [choice] = completion.choices;
  expect(choice?.finish_reason).toBe('stop');
  expect(choice?.message.content).toContain('zebra');
  expect(completion.usage?.total_tokens).toBe(
    (completion.usage?.prompt_tokens ?? 0) + (completion.usage?.completion_tokens ?? 0),
  );
  expect(completion.usage?.completion_tokens).toBeGreaterThan(0);
});

test.each(providerRows)('$provider stops at the requested length', async ({ model }) => {
  const completion = await client().chat.completions.create({
    model,
    max_completion_tokens: 3,
    messages: [{ role: 'user', content: 'Tell a long story.' }],
  });
  expect(completion.choices[0]?.finish_reason).toBe('length');
});

test.each(providerRows)('$provider continues a conversation', async ({ model }) => {
  const first = await client().chat.completions.create({
    model,
    messages: [{ role: 'user', content: 'Say one.' }],
  });
  const answer = first.choices[0]?.message;
  if (!answer) throw new Error('There is no answer to go on from.');
  const second = await client().chat.completions.create({
    model,
    messages: [{ role: 'user', content: 'Say one.' }, answer, { role: 'user', content: 'Say two.' }],
  });
  expect(second.choices[0]?.message.content).toContain('two');
});
