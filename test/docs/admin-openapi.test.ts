/** The OpenAPI document of the dashboard's API: complete, and true of real answers. */
import { beforeAll, expect, test } from 'vitest';
import { adminOpenapi, documented } from '../../build/openapi/admin/admin-openapi.ts';
import { descriptionGroups } from '../../build/openapi/admin/fields.ts';
import { undescribed } from '../../build/openapi/admin/schemas.ts';
import { generateDocs } from '../../cli/docs/generate.ts';
import { adminOperations } from '../../lib/core/admin/admin-operations.ts';
import { newRequestId } from '../../lib/core/names/request-id.ts';
import { type AdminResponse, signInByAddress } from '../harness/admin/admin-client.ts';
import { storeBatch, storedUse, storeFile } from '../harness/batches/stored-batch.ts';
import { useGateway } from '../harness/gateways/use-gateway.ts';
import { testRecord } from '../harness/ledger.ts';
import { use } from '../harness/use.ts';
import { useLedger } from '../harness/use-ledger.ts';
import { validatorOf } from './document.ts';

const document = JSON.parse(JSON.stringify(adminOpenapi()));

const problems = validatorOf(document);

// biome-ignore lint/suspicious/noExplicitAny: a document has any form.
type Documented = any;

const objectOf = (name: string): Documented =>
  Object.values<Documented>(document.paths)
    .flatMap((path) => Object.values<Documented>(path))
    .find(({ operationId }) => operationId === name);

/** What people open in a browser is no part of the API. */
const isOfApi = ({ path, isOpened }: { path: string; isOpened?: true }) =>
  path.startsWith('/admin/v1/') && !isOpened;

test('every operation is in it', () => {
  expect(documented.map(([{ name }]) => name).sort()).toEqual(
    adminOperations
      .filter(isOfApi)
      .map(({ name }) => name)
      .sort(),
  );
});

test('every field has a description', () => {
  generateDocs();
  expect([...undescribed]).toEqual([]);
});

test('no group of descriptions replaces one of another group', () => {
  const names = descriptionGroups.flatMap((group) => Object.keys(group));
  expect(names.filter((name, position) => names.indexOf(name) !== position)).toEqual([]);
});

test.each(documented.map(([{ name }]) => name))('the examples of %s fit it', (name) => {
  const { requestBody, responses, parameters = [] } = objectOf(name);
  const answer = responses[200].content['application/json'];
  if (answer.example) expect(problems(answer.schema, answer.example)).toEqual([]);
  const body = requestBody?.content['application/json'];
  if (body) expect(problems(body.schema, body.example)).toEqual([]);
  for (const { description, schema } of parameters)
    expect([description.length > 0, typeof schema]).toEqual([true, 'object']);
});

const gateway = useGateway();
const used = useLedger(() => []);
let key = '';
let batch = '';
let credential = '';
/** Milliseconds since 1970: a moment ago. */
const at = Date.now() - 1_000;
const requestId = newRequestId(at);

const operator = use(() => signInByAddress(gateway()));
beforeAll(async () => {
  const limits = { monthly_budget_usd: '50' };
  await operator.call('POST', '/tenants', { body: { tenant: 'acme', limits, models: ['openai/*'] } });
  const made = await operator.call('POST', '/keys', { body: { tenant: 'acme', name: 'laptop', limits } });
  key = made.body.id;
  const usual = { tenant: 'acme', key, at, streamed: true, firstByteMs: 500 };
  const owned = { tenant: 'acme', key };
  batch = await storeBatch(used.ledger.call, owned, { use: storedUse });
  await storeFile(used.ledger.call, owned);
  await used.ledger.write(
    testRecord({ ...usual, requestId, user: 'ann', session: 'one', tags: { team: 'blue' } }),
    testRecord({ ...usual, requestId: crypto.randomUUID(), status: 500, error: 'internal', cost: null }),
  );
});

/** A list with something in it: an empty one would fit any description of its rows. */
async function listed(path: string): Promise<AdminResponse> {
  const answer = await operator.call('GET', path);
  expect(answer.body.data).not.toEqual([]);
  return answer;
}

/** A call of each operation that succeeds, in an order in which each can. */
const calls: Readonly<Record<string, () => Promise<AdminResponse>>> = {
  'admin-session-show': () => operator.call('GET', '/session'),
  'admin-tenants-list': () => listed('/tenants'),
  'admin-tenants-retrieve': () => operator.call('GET', '/tenants/acme'),
  'admin-tenants-change': () =>
    operator.call('PATCH', '/tenants/acme', { body: { limits: { daily_budget_usd: '5' } } }),
  'admin-credit-add': () =>
    operator.call('POST', '/tenants/acme/credit', {
      body: { id: 'grant_1', amount_usd: '25', note: 'gift' },
    }),
  'admin-adjustments-add': () =>
    operator.call('POST', '/tenants/acme/adjustments', {
      body: { id: 'note_1', amount_usd: '-1', reason: 'An outage' },
    }),
  'admin-invoice-close': () =>
    operator.call('POST', '/tenants/acme/invoice/close', { body: { month: '2026-01' } }),
  'admin-invoice-retrieve': () => operator.call('GET', '/tenants/acme/invoice'),
  'admin-adjustments-list': () => listed('/tenants/acme/adjustments'),
  'admin-credentials-create': async () => {
    const settings = { 'api-key': 'sk-of-the-tenant' };
    const made = await operator.call('POST', '/tenants/acme/credentials', {
      body: { provider: 'openai', settings },
    });
    credential = made.body.id;
    return made;
  },
  'admin-credentials-list': () => listed('/tenants/acme/credentials'),
  'admin-credentials-change': () =>
    operator.call('PATCH', `/tenants/acme/credentials/${credential}`, { body: { fallback: 'shared' } }),
  'admin-credentials-test': () =>
    operator.call('POST', `/tenants/acme/credentials/${credential}/test`, { body: {} }),
  'admin-credentials-delete': () => operator.call('DELETE', `/tenants/acme/credentials/${credential}`),
  'admin-keys-list': () => listed('/keys'),
  'admin-keys-create': () => operator.call('POST', '/keys', { body: { tenant: 'acme', name: 'server' } }),
  'admin-keys-retrieve': () => operator.call('GET', `/keys/${key}`),
  'admin-keys-change': () => operator.call('PATCH', `/keys/${key}`, { body: { name: 'desktop' } }),
  'admin-keys-rotate': () => operator.call('POST', `/keys/${key}/rotate`, { body: { overlap_seconds: 60 } }),
  'admin-keys-disable': () => operator.call('POST', `/keys/${key}/disable`),
  'admin-keys-enable': () => operator.call('POST', `/keys/${key}/enable`),
  'admin-usage': () => listed('/usage?tenant=acme&group_by=model,key'),
  'admin-overview': () => operator.call('GET', '/overview?tenant=acme&group_by=model'),
  'admin-requests-list': () => listed('/requests'),
  'admin-requests-retrieve': () => operator.call('GET', `/requests/${requestId}`),
  'admin-batches-list': () => listed('/batches?tenant=acme'),
  'admin-batches-retrieve': () => operator.call('GET', `/batches/${batch}?tenant=acme`),
  'admin-files-list': () => listed('/files?tenant=acme'),
  'admin-audit-list': () => listed('/audit'),
  'admin-models-list': () => operator.call('GET', '/models?limit=1000'),
  'admin-providers-list': () => operator.call('GET', '/providers'),
  'admin-providers-test': () => operator.call('POST', '/providers/openai/test'),
  'admin-hosts-put': () =>
    operator.call('PUT', '/hosts/vllm-a', { body: { row: { baseUrl: 'https://a.example/v1' } } }),
  'admin-hosts-list': () => listed('/hosts'),
  'admin-hosts-delete': () => operator.call('DELETE', '/hosts/vllm-a'),
  'admin-models-retrieve': () => operator.call('GET', '/models/openai/gpt-5.5'),
  'admin-aliases-put': () =>
    operator.call('PUT', '/aliases/fast', {
      body: {
        targets: [{ model: 'openai/gpt-5.5' }, { model: 'openai/gpt-5.4-mini', when: { tools: true } }],
      },
    }),
  'admin-aliases-list': () => listed('/aliases'),
  'admin-aliases-delete': () => operator.call('DELETE', '/aliases/fast'),
  'admin-openapi': () => operator.call('GET', '/openapi.json'),
};

test.each(Object.keys(calls))('a real answer of %s fits it', async (name) => {
  const { status, body } = (await calls[name]?.()) ?? {};
  expect([status, body]).toEqual([200, expect.anything()]);
  expect(problems(objectOf(name).responses[200].content['application/json'].schema, body)).toEqual([]);
});

test.each(documented.filter(([{ roles }]) => roles).map(([operation]) => operation))(
  'the errors of $name are in it: a stranger, another site, a wrong query',
  async ({ name, method, path, withKey }) => {
    const { responses } = objectOf(name);
    const filled = path.replaceAll(/\{[^}]+\}/g, 'absent');
    const url = `${gateway().url}${filled}`;
    const send = async (headers: Record<string, string>, query = '') => {
      const response = await fetch(`${url}${query}`, { method, headers });
      return { status: response.status, body: (await response.json()) as Documented };
    };
    const page = { cookie: operator.cookie, 'x-dashboard': '1' };
    const found = [
      await send({}),
      await send({ ...page, 'sec-fetch-site': 'cross-site' }),
      await send(page, '?unknown=1'),
    ];
    expect(found.map(({ status }) => status)).toEqual([401, 403, 400]);
    for (const { status, body } of found) {
      const { description, content } = responses[status];
      expect(problems(content['application/json'].schema, body)).toEqual([]);
      expect(description).toContain(`\`${body.error.type}\``);
      if (body.error.code) expect(description).toContain(`\`${body.error.code}\``);
    }
    if (withKey) expect(objectOf(name).description).toContain('/account/v1');
  },
);
