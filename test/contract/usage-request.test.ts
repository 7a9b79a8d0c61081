/** `GET /v1/usage/requests/{request_id}`: one request of the tenant, found by its id. */
import { describe, expect, test } from 'vitest';
import { timeOfRequest, withTime } from '../../lib/core/names/request-id.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { useGateway } from '../harness/gateways/use-gateway.ts';
import { openLedger, testRecord } from '../harness/ledger.ts';
import { use } from '../harness/use.ts';

const gateway = useGateway();
const ledger = use(() => openLedger());

const access = () => ({ call: ledger.call, table: 'access' });

async function newTenant(name: string, markup?: number): Promise<string> {
  const tenants = createTenantStore(access());
  await tenants.create(name);
  if (markup !== undefined) await tenants.replacePricing(name, undefined, [{ from: 0, markup }]);
  return (await createKeyStore(access()).create({ tenant: name })).secret;
}

async function ask(id: string, secret = gateway().apiKey) {
  const response = await fetch(`${gateway().url}/v1/usage/requests/${id}`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  return { status: response.status, body: (await response.json()) as Described };
}

interface Described {
  readonly [field: string]: unknown;
  readonly cost_nano_usd: number;
  readonly attempts: readonly {
    readonly cost_nano_usd: number;
    readonly arithmetic: readonly { readonly amount: string }[];
  }[];
}

async function chat(secret: string): Promise<string> {
  const response = await gateway().post(
    '/v1/chat/completions',
    { model: 'openai/gpt-5.5', messages: [{ role: 'user', content: 'Say something.' }] },
    { authorization: `Bearer ${secret}`, 'x-gateway-user-id': 'ann', 'x-gateway-tags': 'team=blue' },
  );
  await response.text();
  expect(response.status).toBe(200);
  return response.headers.get('x-request-id') ?? '';
}

/** The sum of exact amounts, rounded half up to nano-dollars. */
function rounded(amounts: readonly string[]): number {
  const places = 13;
  const units = amounts.map((amount) => {
    const [whole = '', fraction = ''] = amount.split('.');
    return BigInt(whole + fraction.padEnd(places, '0'));
  });
  return Number((units.reduce((sum, one) => sum + one, 0n) + 5_000n) / 10_000n);
}

describe.each([
  ['at cost', undefined],
  ['with a markup', 2_050],
])('a request of a tenant %s', (name, markup) => {
  test('has its attempts, tags and charge, and the arithmetic comes to the charge', async () => {
    const tenant = `tenant-${name.replaceAll(' ', '-')}`;
    const secret = await newTenant(tenant, markup);
    const id = await chat(secret);
    const [record] = await ledger.recordsOf(tenant);
    const { status, body } = await ask(id, secret);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        object: 'usage.request',
        id,
        status: 'done',
        user: 'ann',
        tags: { team: 'blue' },
        cost_nano_usd: record?.charge,
        attempts: [{ provider: 'openai', model: 'openai/gpt-5.5', cost_nano_usd: record?.charge }],
      },
    });
    for (const { arithmetic, cost_nano_usd } of body.attempts) {
      expect(rounded(arithmetic.map(({ amount }) => amount))).toBe(cost_nano_usd);
    }
    if (markup === undefined) expect(record?.charge).toBe(record?.cost);
    else expect(JSON.stringify(body)).not.toContain(`:${record?.cost},`);
  });
});

test('a request that runs is open, and has no cost yet; one that is too old was interrupted', async () => {
  const secret = await newTenant('tenant-open');
  const open = (ago: number) => {
    const at = Date.now() - ago;
    const requestId = withTime('9f4c7a52-3b1e-4b7e-9a55-0c3d8f6a1e2b', at);
    return testRecord({ tenant: 'tenant-open', at, requestId });
  };
  const [running, lost] = [open(1_000), open(3_000_000)];
  await ledger.usage.open(running);
  await ledger.usage.open(lost);
  expect((await ask(running.requestId, secret)).body).toMatchObject({
    status: 'open',
    cost: null,
    http_status: null,
    total_ms: null,
  });
  expect((await ask(lost.requestId, secret)).body).toMatchObject({ status: 'interrupted' });
});

test('a request of another tenant, an unknown one and an id without a time are the same 404', async () => {
  const id = await chat(gateway().apiKey);
  const other = await newTenant('tenant-other');
  const ids = [id, withTime('9f4c7a52-3b1e-4b7e-9a55-0c3d8f6a1e2b', Date.now()), 'request-1'];
  for (const one of ids) {
    const { status, body } = await ask(one, other);
    expect({ status, body }).toMatchObject({ status: 404, body: { error: { type: 'not_found_error' } } });
  }
  expect((await ask(id)).status).toBe(200);
  expect(timeOfRequest(id)).toBeGreaterThan(Date.now() - 60_000);
});

test('without a key it is a 401', async () => {
  expect((await fetch(`${gateway().url}/v1/usage/requests/x`)).status).toBe(401);
});
