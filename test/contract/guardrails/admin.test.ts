/** Guardrails as an operator sets them, and what the record of a request says of them. */
import { beforeAll, expect, test } from 'vitest';
import { type AdminClient, signInByAddress } from '../../harness/admin/admin-client.ts';
import { answerOf, models, saying, texts, useGuardrails } from '../../harness/guardrails.ts';

const { gateway, upstream, clients } = useGuardrails();

let operator: AdminClient;
beforeAll(async () => {
  operator = await signInByAddress(gateway);
});

const secrets = { id: 'keys', kind: 'secrets', on: ['input'], action: 'block' };

test('a guardrail is set, changed, shown and deleted, and each change is in the audit log without what it looks for', async () => {
  const { tenant } = await clients([]);
  const path = `/tenants/${tenant}/guardrails/house`;
  const words = { id: 'names', kind: 'words', words: ['Aurora'], on: ['input', 'output'], action: 'block' };
  const first = await operator.call('PUT', path, { body: { always: true, rules: [secrets] } });
  expect(first).toMatchObject({
    status: 200,
    body: { id: 'house', always: true, scan: 'new', rules: [secrets] },
  });
  const second = await operator.call('PUT', path, { body: { scan: 'all', rules: [secrets, words] } });
  expect(second.body.version).toBeGreaterThan(first.body.version);
  expect((await operator.call('GET', path)).body).toEqual(second.body);
  expect((await operator.call('GET', `/tenants/${tenant}/guardrails`)).body.data).toEqual([second.body]);
  expect((await operator.call('DELETE', path)).body).toMatchObject({ deleted: true });
  expect((await operator.call('GET', path)).status).toBe(404);
  const audit = await operator.call('GET', `/audit?tenant=${tenant}`);
  expect(JSON.stringify(audit.body)).not.toContain('Aurora');
  expect(audit.body.data).toHaveLength(3);
});

test.each([
  ['rules.0.patterns.0', { kind: 'pattern', patterns: ['(a)\\1'] }],
  ['rules.0.words', { kind: 'words' }],
  ['rules.0.url', { kind: 'secrets', url: 'https://a.example' }],
  ['rules.0.types.0', { kind: 'pii', types: ['shoe-size'] }],
  ['rules.0.action', { kind: 'openai', action: 'redact' }],
  ['rules.0.when', { kind: 'secrets', action: 'redact', when: 'parallel' }],
])('a wrong rule is refused by its field, %s', async (param, rule) => {
  const { tenant } = await clients([]);
  const body = { rules: [{ ...secrets, ...rule }] };
  const { status, body: answer } = await operator.call('PUT', `/tenants/${tenant}/guardrails/house`, {
    body,
  });
  expect([status, answer.error.param]).toEqual([400, param]);
});

test('a request is held to it, and its record says what applied', async () => {
  const { tenant, openai } = await clients([]);
  const rule = { ...secrets, on: ['input', 'output'], action: 'flag' };
  await operator.call('PUT', `/tenants/${tenant}/guardrails/house`, {
    body: { always: true, rules: [rule] },
  });
  upstream.script(saying(answerOf(...texts('Use AKIAIOSFODNN7EXAMPLE.'))));
  const messages = [{ role: 'user' as const, content: 'Which key?' }];
  const { data, response } = await openai.chat.completions
    .create({ model: models.chat, messages })
    .withResponse();
  expect(data.choices[0]?.message.content).toContain('AKIA');
  const id = response.headers.get('x-request-id') ?? '';
  const record = await openai.get<{ guardrails: readonly object[] }>(`/usage/requests/${id}`);
  expect(record.guardrails).toMatchObject([
    { guardrail: 'house', rule: 'keys', phase: 'input', action: 'pass', units: 0, cost_nano_usd: 0 },
    { guardrail: 'house', rule: 'keys', phase: 'output', action: 'flag', labels: ['aws_key'] },
  ]);
});
