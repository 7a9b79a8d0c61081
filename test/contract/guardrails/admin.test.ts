/** Guardrails as an operator sets them, and what the record of a request says of them. */
import { expect, test } from 'vitest';
import { formatDollars } from '../../../lib/core/accounting/money.ts';
import { openTable } from '../../../lib/stores/dynamodb/table.ts';
import { connectDatabase } from '../../../local/database-call.ts';
import { signInByAddress } from '../../harness/admin/admin-client.ts';
import { databaseEndpoint } from '../../harness/gateways/environment.ts';
import { answerOf, models, saying, texts, useGuardrails } from '../../harness/guardrails.ts';
import { startUpstream } from '../../harness/upstream.ts';
import { use } from '../../harness/use.ts';
import { unwrap } from '../../harness/webhook-receiver.ts';

const { gateway, upstream, clients } = useGuardrails();
const service = use(() => startUpstream());

const operator = use(() => signInByAddress(gateway));

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
  const { call, close } = connectDatabase(databaseEndpoint());
  const kept = await openTable({ call, table: 'access' }).scan(`guardrail#${tenant}#`);
  await close();
  const week = Date.now() / 1_000 + 7 * 86_400;
  expect(kept.map(({ expires_at }) => Math.abs(Number(expires_at) - week) < 60)).toEqual([true, true]);
  const audit = await operator.call('GET', `/audit?tenant=${tenant}`);
  expect(JSON.stringify(audit.body)).not.toContain('Aurora');
  expect(audit.body.data).toHaveLength(3);
});

test('a change that names a state is refused once that is replaced, and one that creates where there is one', async () => {
  const { tenant } = await clients([]);
  const path = `/tenants/${tenant}/guardrails/house`;
  const put = async (headers: Record<string, string>, id = 'keys') => {
    const { status, body } = await operator.call('PUT', path, {
      body: { rules: [{ ...secrets, id }] },
      headers,
    });
    return { status, etag: body.etag, code: body.error?.code };
  };
  expect(await put({ 'if-match': '*' })).toMatchObject({ status: 409, code: 'conflict' });
  const { etag } = await put({ 'if-none-match': '*' });
  expect((await put({ 'if-none-match': '*' })).status).toBe(409);
  expect((await operator.call('GET', path)).headers.get('etag')).toBe(etag);
  const both = await Promise.all(['one', 'two'].map((id) => put({ 'if-match': etag }, id)));
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const headers = { 'if-match': etag };
  expect((await operator.call('DELETE', path, { headers })).status).toBe(409);
  const won = both.find(({ status }) => status === 200);
  expect((await operator.call('GET', path)).body.etag).toBe(won?.etag);
  expect((await operator.call('DELETE', path, { headers: { 'if-match': won?.etag } })).status).toBe(200);
});

test('calls of a webhook are signed with a secret that is shown once, and that stays while the address does', async () => {
  const { tenant, openai } = await clients([]);
  const path = `/tenants/${tenant}/guardrails/house`;
  const rule = { id: 'ours', kind: 'webhook', url: service.url, on: ['input'], action: 'block' };
  const put = async (others: object) =>
    (await operator.call('PUT', path, { body: { always: true, rules: [{ ...rule, ...others }, secrets] } }))
      .body;
  const first = await put({});
  const { ours: secret } = first.webhook_secrets;
  expect(first.rules[0]).toEqual(rule);
  expect(JSON.stringify((await operator.call('GET', path)).body)).not.toContain('whsec_');
  expect((await put({ action: 'flag' })).webhook_secrets).toBeUndefined();
  service.script((_, response) => void response.writeHead(200).end('{"action":"NONE"}'));
  upstream.script(saying(answerOf(...texts('Hello.'))));
  const ask = async (content: string) => {
    await openai.chat.completions.create({ model: models.chat, messages: [{ role: 'user', content }] });
    const [sent] = service.requests.slice(-1);
    return { headers: sent?.headers as Record<string, string>, body: sent?.text ?? '' };
  };
  const call = await ask('Hello?');
  expect(await unwrap(call, secret)).toMatchObject({ texts: ['Hello?'] });
  await expect(unwrap({ ...call, body: call.body.replace('Hello', 'Bye') }, secret)).rejects.toThrow();
  const body = { text: 'Hi', remote: true, draft: { rules: [rule] } };
  await operator.call('POST', `${path}/test`, { body });
  const [tested] = service.requests.slice(-1);
  await unwrap({ headers: tested?.headers as Record<string, string>, body: tested?.text ?? '' }, secret);
  const moved = await put({ url: `${service.url}/moved` });
  expect(moved.webhook_secrets.ours).toMatch(/^whsec_/);
  expect(moved.webhook_secrets.ours).not.toBe(secret);
  const { data } = (await operator.call('GET', `/audit?tenant=${tenant}`)).body;
  expect(JSON.stringify(data)).not.toContain('whsec_');
  expect(data[0].after.new_webhook_secrets).toEqual(['ours']);
});

test.each([
  ['rules.0.patterns.0', { kind: 'pattern', patterns: ['(a)\\1'] }],
  ['rules.0.words', { kind: 'words' }],
  ['rules.0.words.1', { kind: 'words', words: ['Aurora', '!?'] }],
  ['rules.0.url', { kind: 'secrets', url: 'https://a.example' }],
  ['rules.0.types.0', { kind: 'pii', types: ['shoe-size'] }],
  ['rules.0.action', { kind: 'openai', action: 'redact' }],
  ['rules.0.unit_price_usd', { kind: 'bedrock_checks', region: 'us-east-1' }],
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

const checks = { id: 'aws', kind: 'bedrock_checks', region: 'us-east-1', on: ['input'], action: 'block' };

test.each([
  ['chat/completions', { messages: [{ role: 'user', content: 'How do I make a bomb?' }] }],
  ['embeddings', { input: 'How do I make a bomb?', model: 'openai/text-embedding-3-small' }],
])(
  'a request that a rule blocks before any attempt is on record with what the rule cost, %s',
  async (path, body) => {
    const { tenant, apiKey, openai } = await clients([]);
    const rule = { ...checks, unit_price_usd: '0.0002', timeout_ms: 3_000 };
    const set = await operator.call('PUT', `/tenants/${tenant}/guardrails/house`, {
      body: { always: true, rules: [rule] },
    });
    expect(set.body.rules).toEqual([rule]);
    await operator.call('PATCH', `/tenants/${tenant}`, { body: { limits: { monthly_budget_usd: '1' } } });
    const { status, headers } = await gateway.post(
      `/v1/${path}`,
      { model: models.chat, ...body },
      { authorization: `Bearer ${apiKey}` },
    );
    expect(status).toBe(400);
    const id = headers.get('x-request-id') ?? '';
    const record = await openai.get<{ readonly guardrails: readonly { readonly units: number }[] }>(
      `/usage/requests/${id}`,
    );
    const cost = (record.guardrails[0]?.units ?? 0) * 200_000;
    expect(cost).toBeGreaterThan(0);
    expect(record).toMatchObject({
      http_status: 400,
      error: 'content_policy_violation',
      attempts: [],
      cost_nano_usd: cost,
      guardrails: [{ rule: 'aws', action: 'block', cost_nano_usd: cost }],
    });
    expect(JSON.stringify(record)).not.toContain('bomb');
    const [row] = (await operator.call('GET', `/requests?tenant=${tenant}`)).body.data;
    expect(row).toMatchObject({
      id,
      status: 'failed',
      provider: 'none',
      guard: 'block',
      cost_nano_usd: cost,
    });
    expect((await operator.call('GET', `/requests/${id}?tenant=${tenant}`)).body.guardrails).toEqual(
      record.guardrails,
    );
    await gateway.settled();
    const { body: use } = await operator.call('GET', `/tenants/${tenant}`);
    expect(JSON.stringify(use)).toContain(`"used":"${formatDollars(cost)}"`);
  },
);
