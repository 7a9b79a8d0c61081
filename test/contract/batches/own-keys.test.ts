/** Lines of a tenant with keys of its own: never in a job of the gateway's accounts, and single requests only where those are allowed. */
import OpenAI, { toFile } from 'openai';
import { beforeAll, expect, test } from 'vitest';
import type { FoundApiKey } from '../../../lib/core/ports/api-keys.ts';
import type { Permissions, TenantTerms } from '../../../lib/core/tenancy.ts';
import { linePartsOf } from '../../../lib/runtime/batches/line-parts.ts';
import { signInAs } from '../../harness/admin/admin-client.ts';
import { useGateway } from '../../harness/gateways/use-gateway.ts';
import { openLedger } from '../../harness/ledger.ts';
import { use } from '../../harness/use.ts';

const gateway = useGateway({ GATEWAY_BATCH_POLL_MS: '100', GATEWAY_SANDBOX_BATCH_MS: '500' });
const ledger = use(() => openLedger());
const tenant = 'own-batches';
const endpoint = '/v1/chat/completions';
let client: OpenAI;
let credential: string;

beforeAll(async () => {
  const operator = await signInAs(gateway(), { id: 'olga', name: 'Olga', role: 'operator' });
  await operator.call('POST', '/tenants', { body: { tenant } });
  const apiKey = (await operator.call('POST', '/keys', { body: { tenant } })).body.key;
  const settings = { 'api-key': 'sk-own-0123456789abcdef' };
  const body = { provider: 'openai', settings };
  credential = (await operator.call('POST', `/tenants/${tenant}/credentials`, { body })).body.id;
  client = new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey, maxRetries: 0 });
});

async function answersOf(more: object): Promise<string> {
  const lines = ['openai/gpt-4.1', 'anthropic/claude-haiku-4-5'].map((model, n) => {
    const body = { model, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 20 };
    return JSON.stringify({ custom_id: `line-${n}`, method: 'POST', url: endpoint, body });
  });
  const file = await toFile(Buffer.from(lines.join('\n')), 'lines.jsonl');
  const { id } = await client.files.create({ file, purpose: 'batch' });
  const asked = { input_file_id: id, endpoint, completion_window: '24h', ...more } as const;
  let batch = await client.batches.create(asked);
  while (!['completed', 'failed'].includes(batch.status)) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    batch = await client.batches.retrieve(batch.id);
  }
  const files = [batch.output_file_id, batch.error_file_id].flatMap((one) => one ?? []);
  return (await Promise.all(files.map(async (one) => (await client.files.content(one)).text()))).join('');
}

test('where single requests are allowed, a line is sent with the own key, and costs nothing', async () => {
  const text = await answersOf({ extra: { batch: 'any' } });
  expect(text.match(/"status_code":200/g)).toHaveLength(2);
  await gateway().settled();
  const records = await ledger.recordsOf(tenant);
  const own = records.find(({ model }) => model === 'openai/gpt-4.1');
  expect(own).toMatchObject({ cost: 0, charge: 0, attempts: [{ credential, cost: 0 }] });
  expect(own?.attempts[0]?.listCost).toBeGreaterThan(0);
  const other = records.find(({ model }) => model === 'anthropic/claude-haiku-4-5');
  expect(other?.attempts[0]?.credential).toBeUndefined();
  expect(other?.cost).toBeGreaterThan(0);
}, 60_000);

test('where they are not, it is refused, and no account of the gateway gets it', async () => {
  const text = await answersOf({ extra: { batch: 'native' } });
  expect(text).toContain('batch_not_supported');
  expect(text.match(/"status_code":200/g)).toHaveLength(1);
}, 60_000);

test.each<[string, Permissions & TenantTerms, string | undefined]>([
  ['a key of its own for the model', { ownProviders: ['azure'] }, 'batch_not_supported'],
  ['one for another model', { ownProviders: ['anthropic'] }, undefined],
  ['zero retention', { dataPolicy: { zdr: true } }, 'data_policy'],
  ['a provider that is ruled out', { dataPolicy: { providers: { ignore: ['openai'] } } }, 'data_policy'],
  ['no training', { dataPolicy: { noTraining: true } }, undefined],
])('a job that waits is not sent any more where its tenant has %s by then', async (_, tenantPolicy, code) => {
  const target = { model: 'openai/gpt-4.1', provider: 'openai', region: 'global' };
  const key = { id: 'key_1', tenant, hash: '', tenantPolicy } as FoundApiKey;
  expect(await linePartsOf(gateway().variables).barredBy(target, key)).toBe(code);
});
