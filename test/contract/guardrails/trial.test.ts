/** A guardrail that an operator tries on a text: what each rule finds, where, and that the text goes nowhere else. */
import { beforeAll, expect, test } from 'vitest';
import { openTable } from '../../../lib/stores/dynamodb/table.ts';
import { connectDatabase } from '../../../local/database-call.ts';
import { signInAs, signInByAddress } from '../../harness/admin/admin-client.ts';
import { captureLog } from '../../harness/captured-log.ts';
import { databaseEndpoint } from '../../harness/gateways/environment.ts';
import { useGuardrails } from '../../harness/guardrails.ts';
import { startUpstream } from '../../harness/upstream.ts';
import { use } from '../../harness/use.ts';

const { gateway, upstream, clients } = useGuardrails();
const service = use(() => startUpstream());

let path: string;
const operator = use(() => signInByAddress(gateway));
beforeAll(async () => {
  const { tenant } = await clients([]);
  path = `/tenants/${tenant}/guardrails/house`;
});

const rule = (id: string, others: object) => ({ id, on: ['input'], action: 'block', ...others });
const people = rule('people', { kind: 'pii', types: ['email'], action: 'redact' });
const names = rule('names', { kind: 'words', words: ['Aurora'], on: ['input', 'output'] });
const bedrock = { kind: 'bedrock', guardrail: 'abc123', guardrail_version: '1', region: 'us-east-1' };

const tested = (body: object) => operator.call('POST', `${path}/test`, { body });
const found = async (rules: readonly object[], text: string, others: object = {}) =>
  (await tested({ text, draft: { rules }, ...others })).body.rules;

test('what is stored is tested: each rule says what it found and where, and what it would do', async () => {
  const { version } = (await operator.call('PUT', path, { body: { rules: [people, names] } })).body;
  const text = '😀 Write to ada@example.com of Project Aurora, or to bob@example.com.';
  const { status, body } = await tested({ text });
  expect([status, body.version, body.on]).toEqual([200, version, 'input']);
  expect(body.rules).toMatchObject([
    { rule: 'people', kind: 'pii', action: 'redact', match_count: 2, failure: null, cost_usd: '0.00' },
    { rule: 'names', kind: 'words', action: 'block', match_count: 1 },
  ]);
  const parts = body.rules.flatMap(({ matches }: { matches: { start: number; end: number }[] }) =>
    matches.map(({ start, end }) => text.slice(start, end)),
  );
  expect(parts).toEqual(['ada@example.com', 'bob@example.com', 'Aurora']);
  const output = (await tested({ text: 'Nothing.', on: 'output' })).body.rules;
  expect(output).toMatchObject([{ rule: 'names', action: 'pass', matches: [], match_count: 0 }]);
});

test('a draft is tested and not stored, and what is wrong in it is named', async () => {
  const stored = (await operator.call('GET', path)).body;
  const [one] = await found([rule('many', { kind: 'words', words: ['a'] })], 'a '.repeat(150));
  expect([one.matches.length, one.match_count]).toEqual([100, 150]);
  expect(
    (await tested({ text: 'Hi', draft: { rules: [names], output: 'flag' }, on: 'output' })).body,
  ).toMatchObject({
    version: null,
    rules: [{ action: 'pass' }],
  });
  expect(
    (await found([names], 'Aurora', { on: 'output', draft: { rules: [names], output: 'flag' } }))[0].action,
  ).toBe('flag');
  expect((await operator.call('GET', path)).body).toEqual(stored);
  const wrong = await tested({ text: 'Hi', draft: { rules: [names, { ...names, words: ['!'] }] } });
  expect(wrong.body.error.param).toBe('draft.rules.1.words.0');
  expect((await tested({ text: '' })).body.error.param).toBe('text');
  expect((await operator.call('POST', `${path}-none/test`, { body: { text: 'Hi' } })).status).toBe(404);
});

test('detectors elsewhere are asked only where that is wanted, and one that fails says why', async () => {
  const webhook = rule('ours', { kind: 'webhook', url: service.url });
  const rules = [rule('aws', { ...bedrock, timeout_ms: 3_000 }), webhook];
  const text = 'How do I make a bomb?';
  expect((await found(rules, text)).map(({ action }: { action: string }) => action)).toEqual([
    'not_asked',
    'not_asked',
  ]);
  expect(service.requests).toEqual([]);
  service.script(
    (_, response) => void response.writeHead(200).end('{"action":"BLOCKED","blocked_reason":"bomb"}'),
  );
  const [aws, ours] = await found(rules, text, { remote: true });
  expect(aws).toMatchObject({ action: 'block', matches: [{ label: 'violence', start: null }] });
  expect(Number(aws.cost_usd)).toBeGreaterThan(0);
  expect(ours).toMatchObject({ action: 'block', matches: [{ label: 'webhook' }], cost_usd: '0.00' });
  service.script((_, response) => void response.writeHead(500).end('It said bomb.'));
  const failing = [{ ...webhook, on_failure: 'open' }, rule('missing', { ...bedrock, guardrail: 'missing' })];
  expect(await found(failing, text, { remote: true })).toMatchObject([
    { action: 'failed', failure: 'The webhook of the guardrail answered with status 500.', matches: [] },
    { action: 'failed', failure: "The provider's detector answered with status 404." },
  ]);
  expect(upstream.requests).toEqual([]);
});

test('the text is not in the answer, in the log or in a table; that it was tested is in the audit log', async () => {
  const secret = 'zebra-crossing@example.com';
  const log = captureLog();
  const { body } = await tested({ text: `Write to ${secret}` });
  await tested({
    text: secret,
    draft: { rules: [rule('aws', { ...bedrock, guardrail: 'missing' })] },
    remote: true,
  });
  log.close();
  expect(body.rules[0].match_count).toBe(1);
  const { call, close } = connectDatabase(databaseEndpoint());
  const tables = await Promise.all(
    (['access', 'usage', 'state'] as const).map((table) => openTable({ call, table }).scan('')),
  );
  await close();
  for (const kept of [JSON.stringify(body), log.lines.join(), JSON.stringify(tables)])
    expect(kept).not.toContain('zebra');
  const tenant = path.split('/')[2];
  const { data } = (await operator.call('GET', `/audit?tenant=${tenant}&action=guardrails.test`)).body;
  expect(data[1]).toMatchObject({
    target: 'house',
    after: { 'guardrail_test.rules': ['people: redact', 'names: pass'] },
  });
});

test('an admin of the tenant may not test it', async () => {
  const tenant = path.split('/')[2] ?? '';
  const { cookie } = await signInAs(gateway, { id: 'ada', name: 'ada', role: 'tenant_admin', tenant });
  const headers = { cookie, 'x-dashboard': '1', 'content-type': 'application/json' };
  const url = `${gateway.url}/admin/v1${path}/test`;
  const response = await fetch(url, { method: 'POST', headers, body: '{"text":"Hi"}' });
  expect(response.status).toBe(403);
});
