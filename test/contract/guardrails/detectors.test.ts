/** A detector outside the gateway that blocks, fails or is slow: before the call, beside it, and after it. */
import { expect, test } from 'vitest';
import type { Rule } from '../../../lib/core/guardrails/policy.ts';
import { answerOf, models, policyOf, saying, texts, useGuardrails } from '../../harness/guardrails.ts';
import { startUpstream, type Upstream } from '../../harness/upstream.ts';
import { use } from '../../harness/use.ts';

const { gateway, upstream, clients } = useGuardrails();
const service: () => Upstream = (() => {
  const started = use(() => startUpstream());
  return () => started;
})();

const ruleOf = (others: Partial<Rule>): Rule =>
  ({ id: 'house', kind: 'webhook', url: service().url, on: ['input'], action: 'block', ...others }) as Rule;

const says = (action: string, ms = 0) =>
  service().script(async (_request, response) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    response.writeHead(action === 'FAILS' ? 500 : 200).end(JSON.stringify({ action }));
  });

async function ask(rule: Rule, stream = false): Promise<{ readonly status: number; readonly text: string }> {
  const { apiKey } = await clients([policyOf([rule])]);
  upstream.script(saying(answerOf(...texts('Hello there.'))));
  const body = { model: models.chat, messages: [{ role: 'user', content: 'Hello?' }], stream };
  const response = await gateway.post('/v1/chat/completions', body, { authorization: `Bearer ${apiKey}` });
  return { status: response.status, text: await response.text() };
}

test.each(['before', 'parallel'] as const)('%s, it blocks the input', async (when) => {
  says('BLOCKED', when === 'parallel' ? 50 : 0);
  const { status, text } = await ask(ruleOf({ when }), true);
  expect([status, JSON.parse(text).error.code]).toEqual([400, 'content_policy_violation']);
  if (when === 'before') expect(upstream.requests).toHaveLength(0);
});

test.each([
  ['/v1/chat/completions', { messages: [{ role: 'user', content: 'Hello?' }] }],
  ['/v1/embeddings', { input: 'Hello?' }],
])('of %s for a model that does not exist, it is not asked', async (path, body) => {
  says('NONE');
  for (const action of ['block', 'redact'] as const) {
    const { apiKey } = await clients([policyOf([ruleOf({ action })])]);
    const headers = { authorization: `Bearer ${apiKey}` };
    const response = await gateway.post(path, { model: 'openai/no-such-model', ...body }, headers);
    expect([response.status, JSON.parse(await response.text()).error.code]).toEqual([404, 'model_not_found']);
  }
  expect(service().requests).toHaveLength(0);
});

test('it blocks the answer', async () => {
  says('BLOCKED');
  const { status, text } = await ask(ruleOf({ on: ['output'] }));
  expect([status, JSON.parse(text).choices[0].finish_reason]).toEqual([200, 'content_filter']);
  expect(text).not.toContain('Hello');
});

test.each([
  ['fails', 'FAILS', 0],
  ['is slow', 'NONE', 400],
] as const)('if it %s, a closed rule refuses and an open one lets pass', async (_, action, ms) => {
  says(action, ms);
  for (const on of [['input'], ['output']] as const) {
    const closed = await ask(ruleOf({ on, timeoutMs: 100 }));
    expect([closed.status, JSON.parse(closed.text).error.code]).toEqual([503, 'guardrail_unavailable']);
    expect((await ask(ruleOf({ on, timeoutMs: 100, onFailure: 'open' }))).status).toBe(200);
    expect((await ask(ruleOf({ on, timeoutMs: 100, action: 'flag' }))).status).toBe(200);
  }
});

test('what an open rule could not look at is looked at when its detector answers again', async () => {
  const { apiKey } = await clients([policyOf([ruleOf({ onFailure: 'open' })])]);
  upstream.script(saying(answerOf(...texts('Hello there.'))));
  const messages = [
    { role: 'system', content: 'Instructions.' },
    { role: 'user', content: 'Hello?' },
  ];
  const status = async () =>
    (
      await gateway.post(
        '/v1/chat/completions',
        { model: models.chat, messages },
        { authorization: `Bearer ${apiKey}` },
      )
    ).status;
  says('FAILS');
  expect(await status()).toBe(200);
  service().script(({ text }, response) => {
    const action = text.includes('Instructions') ? 'BLOCKED' : 'NONE';
    response.writeHead(200).end(JSON.stringify({ action }));
  });
  expect(await status()).toBe(400);
});

test('the arguments of a call that it has rewritten are JSON', async () => {
  const { apiKey } = await clients([policyOf([ruleOf({ action: 'redact' })])]);
  upstream.script(saying(answerOf(...texts('Hello there.'))));
  service().script(({ text }, response) => {
    const given: readonly string[] = JSON.parse(text).texts;
    const rewritten = given.map((one) => one.replace('Ada', '[NAME]'));
    response.writeHead(200).end(JSON.stringify({ action: 'GUARDRAIL_INTERVENED', texts: rewritten }));
  });
  const arguments_ = JSON.stringify({ to: 'Ada', note: 'One\n"two"' });
  const call = { id: 'c1', type: 'function', function: { name: 'note', arguments: arguments_ } };
  const messages = [
    { role: 'user', content: 'Hello?' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'Noted.' },
  ];
  await gateway.post(
    '/v1/chat/completions',
    { model: models.chat, messages },
    { authorization: `Bearer ${apiKey}` },
  );
  const sent = JSON.parse(upstream.requests[0]?.text ?? '').messages[1].tool_calls[0].function.arguments;
  expect(JSON.stringify(JSON.parse(sent))).toContain('[NAME]');
});

test('a dry run asks it nothing, and shows what would be sent', async () => {
  says('BLOCKED');
  const people: Rule = { id: 'people', kind: 'pii', on: ['input'], action: 'redact' };
  const { apiKey } = await clients([policyOf([ruleOf({}), people])]);
  const body = {
    model: models.chat,
    messages: [{ role: 'user', content: 'Mail ada@example.com.' }],
    extra: { dry_run: true, debug: ['normalizations'] },
  };
  const response = await gateway.post('/v1/chat/completions', body, { authorization: `Bearer ${apiKey}` });
  const text = await response.text();
  expect([response.status, service().requests.length]).toEqual([200, 0]);
  expect(text).toContain('Mail [EMAIL_1].');
  expect(text).not.toContain('ada@');
});
