/** Lists of a large installation: 1,000 tenants and 5,000 keys cost a bounded part of the processor, and few calls of the database. */
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listKeys } from '../../lib/admin/keys/read-key.ts';
import { listTenants } from '../../lib/admin/tenants/read-tenant.ts';
import type { User } from '../../lib/core/admin/user.ts';
import { hashApiKey, newApiKey } from '../../lib/core/names/api-key.ts';
import { createKeyEdits } from '../../lib/stores/access/key-edits.ts';
import { createTenantEdits } from '../../lib/stores/access/tenant-edits.ts';
import { scanSegments } from '../../lib/stores/dynamodb/parallel-scan.ts';
import { connectDatabase } from '../../local/database-call.ts';
import { listen } from '../harness/listening.ts';

const tenants = 1_000;
const keys = 5_000;

/** Answers of the table's scans, written before: what is measured is the gateway's own work. */
let server: Server;
let database: ReturnType<typeof connectDatabase>;
let calls = 0;

const limits = {
  requests_per_minute: { N: '600' },
  monthly_budget: { N: '50000000000' },
  models: { L: [{ S: 'openai/*' }, { S: 'anthropic/claude-opus-5' }] },
};

const tenantItem = (_: unknown, index: number) => ({
  pk: { S: `tenant#tenant-${String(index).padStart(4, '0')}` },
  name: { S: `tenant-${index}` },
  created_at: { N: String(1_790_000_000 + index) },
  ...limits,
});

const keyItem = (_: unknown, index: number) => ({
  pk: { S: `key#${hashApiKey(newApiKey())}` },
  tenant: { S: `tenant-${String(index % tenants).padStart(4, '0')}` },
  name: { S: `key number ${index}` },
  owner: { S: `person-${index % 50}` },
  created_at: { N: String(1_790_000_000 + index) },
  last_used_at: { N: '1795000000' },
  ...limits,
});

beforeAll(async () => {
  const pagesOf = (items: readonly object[]) =>
    Array.from({ length: scanSegments }, (_, segment) =>
      JSON.stringify({ Items: items.filter((__, index) => index % scanSegments === segment) }),
    );
  const pages = {
    'key#': pagesOf(Array.from({ length: keys }, keyItem)),
    'tenant#': pagesOf(Array.from({ length: tenants }, tenantItem)),
  };
  server = createServer(async (request, response) => {
    calls += 1;
    const { ExpressionAttributeValues: values, Segment: segment } = JSON.parse(await text(request));
    response.end(pages[values[':prefix'].S as keyof typeof pages][segment]);
  });
  database = connectDatabase(await listen(server));
});

afterAll(async () => {
  await database?.close();
  server?.close();
});

const user: User = { id: 'olga', name: 'Olga', role: 'operator', via: 'oidc' };
const options = () => ({ call: database.call, table: 'access' });

/** The processor time of the fastest of five lists, in milliseconds: others use the machine, too. */
async function timeOf(list: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    const before = process.cpuUsage();
    await list();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
  }
  return Math.min(...times);
}

test('a page of keys and a page of tenants stay below the time that a page may take', async () => {
  const parts = { keyEdits: createKeyEdits(options()), tenantEdits: createTenantEdits(options()) };
  const reading = { ...parts, tenants: {} as never, limits: {} as never, sums: {} as never, now: Date.now };
  const ofKeys = await timeOf(async () => {
    expect(await listKeys(reading, user, {})).toMatchObject({ has_more: true });
  });
  calls = 0;
  const ofTenants = await timeOf(async () => {
    expect((await listTenants(reading, user, { limit: 1_000 })).data).toHaveLength(tenants);
  });
  expect(calls).toBe(5 * scanSegments);
  // Measured: 65 and 20 ms.
  expect(ofKeys).toBeLessThan(300);
  expect(ofTenants).toBeLessThan(300);
});

test('a search finds keys and tenants by a part of their names, ids and owners', async () => {
  const parts = { keyEdits: createKeyEdits(options()), tenantEdits: createTenantEdits(options()) };
  const reading = { ...parts, tenants: {} as never, limits: {} as never, sums: {} as never, now: Date.now };
  const found = await listTenants(reading, user, { search: 'NANT-0777' });
  expect(found.data.map(({ id }) => id)).toEqual(['tenant-0777']);
  const [named] = (await listKeys(reading, user, { search: 'number 4321' })).data;
  expect(named?.name).toBe('key number 4321');
  expect((await listKeys(reading, user, { search: named?.id })).data).toEqual([named]);
  const owned = await listKeys(reading, user, { search: 'person-17', limit: 200 });
  expect(owned.data.map(({ owner }) => owner)).toEqual(Array(keys / 50).fill('person-17'));
  expect((await listKeys(reading, user, { search: 'nobody' })).data).toEqual([]);
});
