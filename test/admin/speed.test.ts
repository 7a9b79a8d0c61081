/**
 * How much processor time the gateway takes for the dashboard's operations with a hundred thousand records of a thousand tenants: at
 * most 300 ms. It includes the client of the test. The database is a process of its own here, as it is in AWS, and is not measured.
 * The least of several tries counts: the machine has other work.
 */
import { beforeAll, expect, test } from 'vitest';
import { signInAs, signInByAddress } from '../harness/admin/admin-client.ts';
import { useSeededGateway } from '../harness/admin/seeded-gateway.ts';
import { use } from '../harness/use.ts';

const dayMs = 86_400_000;
const maxMs = 300;
const tries = 6;

const gateway = useSeededGateway(100_000);
const now = Date.now();

/** Of the tenant that made the latest request. */
let requestId = '';
const operator = use(() => signInByAddress(gateway()));
const viewer = use(() => signInAs(gateway(), { id: 'vic', name: 'Vic', role: 'viewer', tenant: 'tenant-0' }));
beforeAll(async () => {
  const { body } = await viewer.call('GET', '/requests?limit=1');
  requestId = body.data[0].id;
});

const last = (many: number) => `from=${Math.floor((now - many * dayMs) / 1000)}&to=${Math.floor(now / 1000)}`;

test.each([
  ['overview of a day', () => operator, () => `/overview?${last(1)}`],
  ['overview of a day by tenant', () => operator, () => `/overview?${last(1)}&group_by=tenant`],
  ['overview of a month', () => operator, () => `/overview?${last(30)}`],
  ['overview of a month by tenant', () => operator, () => `/overview?${last(30)}&group_by=tenant`],
  ['overview of three months by provider', () => operator, () => `/overview?${last(92)}&group_by=provider`],
  [
    'overview of a month of the largest tenant',
    () => operator,
    () => `/overview?${last(30)}&tenant=tenant-0`,
  ],
  ['its overview by user', () => viewer, () => `/overview?${last(30)}&group_by=user`],
  ['its overview of three days by key', () => viewer, () => `/overview?${last(3)}&group_by=key`],
  ['usage of a month by model', () => viewer, () => `/usage?from=${days30()}&group_by=day,model`],
  ['usage of all tenants', () => operator, () => `/usage?from=${day()}&group_by=tenant&limit=1000`],
  [
    'usage of thirty days by tenant, with the time before',
    () => operator,
    () => `/usage?from=${days30()}&group_by=tenant&sort=margin&limit=50&include=before`,
  ],
  [
    'usage of a month by key of all tenants',
    () => operator,
    () => `/usage?from=${month()}&group_by=tenant,key&sort=spend&limit=50&search=key`,
  ],
  [
    'usage of its newest records by session',
    () => viewer,
    () => `/usage?from=${days30()}&group_by=session&sort=spend&max_records=3000`,
  ],
  ['usage of the newest records by user', () => operator, () => `/usage?from=${days30()}&group_by=user`],
  ['requests of all tenants', () => operator, () => '/requests'],
  ['requests that failed, of all tenants', () => operator, () => '/requests?status=failed'],
  ['requests of one user', () => viewer, () => '/requests?user=user-3'],
  ['requests of a session without any', () => operator, () => '/requests?session=none'],
  ['tenants with their spend', () => operator, () => '/tenants?include=spend&limit=1000'],
  ['tenants by budget', () => operator, () => '/tenants?include=spend&sort=budget'],
  ['keys with their spend', () => operator, () => '/keys?include=spend'],
  ['keys by spend', () => operator, () => '/keys?include=spend&sort=spend'],
  ['keys by budget', () => operator, () => '/keys?include=spend&sort=budget'],
  ['one request of a tenant', () => viewer, () => `/requests/${requestId}`],
  ['one request, searched in many tenants', () => operator, () => `/requests/${requestId}`],
])('%s takes at most 300 ms', async (_name, client, path) => {
  const times: number[] = [];
  for (let index = 0; index < tries; index += 1) {
    const began = process.cpuUsage();
    const { status, body } = await client().call('GET', path());
    const { user, system } = process.cpuUsage(began);
    times.push((user + system) / 1000);
    expect([status, body.error ?? null]).toEqual([200, null]);
    if (Math.min(...times) <= maxMs && index > 0) break;
  }

  expect(Math.min(...times)).toBeLessThanOrEqual(maxMs);
});

const isoDay = (time: number) => new Date(time).toISOString().slice(0, 10);
const day = () => isoDay(now);
const days30 = () => isoDay(now - 29 * dayMs);
const month = () => `${isoDay(now).slice(0, 7)}-01`;
