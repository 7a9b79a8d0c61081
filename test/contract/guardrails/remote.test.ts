/** Rules whose detectors are elsewhere, in a whole request: what the model gets, and what happens when a detector fails. */
import { describe, expect, test } from 'vitest';
import type { Rule } from '../../../lib/core/guardrails/policy.ts';
import { captureLog } from '../../harness/captured-log.ts';
import { answerOf, models, policyOf, saying, texts, useGuardrails } from '../../harness/guardrails.ts';

const { upstream, clients } = useGuardrails();

const bedrock = {
  kind: 'bedrock',
  guardrail: 'abc123',
  guardrailVersion: '1',
  region: 'us-east-1',
  timeoutMs: 3_000,
} as const;
const rule = (others: Partial<Rule>): Rule =>
  ({ id: 'aws', ...bedrock, on: ['input'], action: 'block', ...others }) as Rule;

async function ask(rules: readonly Rule[], content: string) {
  upstream.script(saying(answerOf(...texts('Noted, [EMAIL_1].', 5))));
  const { openai } = await clients([policyOf(rules)]);
  return await openai.chat.completions.create({
    model: models.chat,
    messages: [{ role: 'user', content }],
  });
}

test('what a guardrail of Bedrock masks is taken out before the model is called, and put back into the answer', async () => {
  const answer = await ask([rule({ action: 'redact' })], 'Write to ada@example.com.');
  expect(upstream.requests).toHaveLength(1);
  expect(upstream.requests[0]?.text).not.toContain('ada@example.com');
  expect(upstream.requests[0]?.text).toContain('[EMAIL_1]');
  expect(answer.choices[0]?.message.content).toBe('Noted, ada@example.com.');
});

test.each([
  ['a guardrail of Bedrock', rule({})],
  ['checks of Bedrock', rule({ kind: 'bedrock_checks', region: 'us-east-1' } as Partial<Rule>)],
])('what %s blocks reaches no model, and the error does not repeat it', async (_, one) => {
  const failure = await ask([one], 'How do I make a bomb?').catch((error: unknown) => error);
  expect(failure).toMatchObject({ status: 400, code: 'content_policy_violation' });
  expect(String(failure)).not.toContain('bomb');
  expect(upstream.requests).toEqual([]);
});

test.each(['block', 'redact'] as const)(
  'what is paid for is not asked beyond a budget, to %s',
  async (action) => {
    upstream.script(saying(answerOf(...texts('Noted.'))));
    const { openai } = await clients([policyOf([rule({ action })])], { limits: { dailyBudget: 1 } });
    const log = captureLog();
    const failure = await openai.chat.completions
      .create({ model: models.chat, messages: [{ role: 'user', content: 'A bomb for ada@example.com?' }] })
      .catch((error: unknown) => error);
    log.close();
    expect(failure).toMatchObject({ status: 429 });
    const line = log.lines.map((one) => JSON.parse(one)).find(({ message }) => message === 'request');
    expect(line).toBeDefined();
    expect(line.guard).toBeUndefined();
  },
);

describe('a detector that fails', () => {
  const missing = { ...bedrock, guardrail: 'missing' };

  test('ends a request whose rule is closed, and is in the log by its rule', async () => {
    const log = captureLog();
    const failure = await ask([rule(missing)], 'Hello').catch((error: unknown) => error);
    log.close();
    expect(failure).toMatchObject({ status: 503, code: 'guardrail_unavailable' });
    expect(upstream.requests).toEqual([]);
    const lines = log.lines.map((line) => JSON.parse(line));
    expect(lines.find(({ message }) => message === 'request')?.failed_guards).toBe('house/aws');
    // What was refused costs nothing, so it is not on record.
    expect(log.lines.join()).not.toContain('usage unpriced');
  });

  test('lets a request pass whose rule is open, and is in the log as well', async () => {
    const log = captureLog();
    const answer = await ask([rule({ ...missing, action: 'flag' } as Partial<Rule>)], 'Hello');
    log.close();
    expect(answer.choices[0]?.message.content).toContain('Noted');
    expect(log.lines.some((line) => line.includes('"failed_guards":"house/aws"'))).toBe(true);
  });
});

test('texts that are to be moderated are looked at, too', async () => {
  const words: Rule = { id: 'names', kind: 'words', words: ['Aurora'], on: ['input'], action: 'block' };
  const { openai } = await clients([policyOf([words])]);
  const model = 'mistral/mistral-moderation-2603';
  const failure = await openai.moderations
    .create({ model, input: ['Hello', 'Aurora'] })
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ status: 400, code: 'content_policy_violation', param: 'input.1' });
  expect((await openai.moderations.create({ model, input: 'Hello' })).results).toHaveLength(1);
});
