/**
 * How long the dashboard's operations take with a hundred thousand records of a thousand tenants: at most 300 ms of the server's time,
 * which is here that of the gateway and of its database together. The least of several tries counts: the machine has other work.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import { type AdminClient, signInAs, signInByAddress } from '../harness/admin/admin-client.ts';
import { catchStore, seedLedger } from '../harness/admin/seed-ledger.ts';
import { startTestGateway, type TestGateway } from '../harness/gateways/gateway.ts';
import { testRecord } from '../harness/ledger.ts';
import { createRandom } from '../harness/random.ts';

const records = 100_000;
const tenants = 1_000;
const days = 62;
const dayMs = 86_400_000;
const maxMs = 300;
const tries = 6;

let gateway: TestGateway;
let operator: AdminClient;
let viewer: AdminClient;
const now = Date.now();

/** Few tenants have most of the requests; a large one has many keys and models. */
function* makeRecords(): Generator<LedgerRecord> {
  const random = createRandom(1);
  for (let index = 0; index < records; index += 1) {
    const tenant = Math.floor(tenants * random.next() ** 3);
    const model = random.between(0, tenant < 20 ? 19 : 3);
    yield {
      ...testRecord({
        requestId: `seed-${index}`,
        tenant: `tenant-${tenant}`,
        key: `key_${tenant}_${random.between(0, tenant < 20 ? 9 : 1)}`,
        model: `owner/model-${model}`,
        provider: `provider-${model % 7}`,
        at: now - Math.floor(random.next() * days * dayMs),
        streamed: true,
        firstByteMs: random.between(200, 3_000),
        ...(tenant < 20 && { user: `user-${random.between(0, 9)}` }),
        cost: random.chance(0.01) ? null : random.between(1_000, 9_000_000),
        ...(random.chance(0.02) && { status: 500, error: 'provider_error' }),
      }),
    };
  }
}

beforeAll(async () => {
  const store = catchStore();
  gateway = await startTestGateway();
  const made = [...makeRecords()];
  await seedLedger(store(), made);
  operator = await signInByAddress(gateway);
  viewer = await signInAs(gateway, { id: 'vic', name: 'Vic', role: 'viewer', tenant: 'tenant-0' });
}, 120_000);
afterAll(() => gateway?.close());

const last = (many: number) => `from=${Math.floor((now - many * dayMs) / 1000)}&to=${Math.floor(now / 1000)}`;

test.each([
  ['overview of a day', () => operator, () => `/overview?${last(1)}`],
  ['overview of a day by tenant', () => operator, () => `/overview?${last(1)}&group_by=tenant`],
  ['overview of a month', () => operator, () => `/overview?${last(30)}`],
  [
    'overview of a month of the largest tenant',
    () => operator,
    () => `/overview?${last(30)}&tenant=tenant-0`,
  ],
  ['its overview by user', () => viewer, () => `/overview?${last(30)}&group_by=user`],
  ['its overview of three days by key', () => viewer, () => `/overview?${last(3)}&group_by=key`],
  ['usage of a month by model', () => viewer, () => `/usage?from=${days30()}&group_by=day,model`],
  ['usage of all tenants', () => operator, () => `/usage?from=${day()}&group_by=tenant&limit=1000`],
  ['requests of all tenants', () => operator, () => '/requests'],
  ['requests that failed, of all tenants', () => operator, () => '/requests?status=failed'],
  ['requests of one user', () => viewer, () => '/requests?user=user-3'],
  ['requests that nobody made', () => operator, () => '/requests?session=none'],
])('%s takes at most 300 ms', async (_name, client, path) => {
  const times: number[] = [];
  for (let index = 0; index < tries; index += 1) {
    const began = process.cpuUsage();
    const { status, body } = await client().call('GET', path());
    const { user, system } = process.cpuUsage(began);
    times.push((user + system) / 1000);
    expect([status, body.error]).toEqual([200, undefined]);
    if (Math.min(...times) <= maxMs && index > 0) break;
  }
  expect(Math.min(...times)).toBeLessThanOrEqual(maxMs);
});

const isoDay = (time: number) => new Date(time).toISOString().slice(0, 10);
const day = () => isoDay(now);
const days30 = () => isoDay(now - 29 * dayMs);
