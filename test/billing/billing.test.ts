/**
 * Many requests of every operation and protocol, while providers fail, break off and are left: what the ledger holds is what
 * the providers counted, by a calculation of its own.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { connectDatabase } from '../../local/database-call.ts';
import { databaseEndpoint } from '../harness/gateways/environment.ts';
import { startTestGateway, type TestGateway } from '../harness/gateways/gateway.ts';
import { type Ledger, openLedger } from '../harness/ledger.ts';
import {
  auditAttempts,
  auditCharges,
  auditJoined,
  auditStatuses,
  countedOf,
  isJoined,
  numberOf,
} from './audit.ts';
import { askAll } from './callers.ts';
import { putBilledModels } from './models.ts';
import { createBilledTenants, type TenantKey, tenantOf, tenants } from './tenants.ts';
import { type BillingUpstream, type ServedCall, startBillingUpstream } from './upstream.ts';

const count = 300;
const numbers = Array.from({ length: count }, (_, number) => number);

let upstream: BillingUpstream;
let gateway: TestGateway;
let ledger: Ledger;
let statuses: ReadonlyMap<number, number>;
let keys: ReadonlyMap<string, TenantKey>;
let records: ReadonlyMap<number, LedgerRecord>;

beforeAll(
  async () => {
    upstream = await startBillingUpstream();
    gateway = await startTestGateway({
      OPENAI_UPSTREAM_URL: `${upstream.url}/v1`,
      OPENAI_API_KEY: 'test',
      DEEPSEEK_UPSTREAM_URL: upstream.url,
      DEEPSEEK_API_KEY: 'test',
      ANTHROPIC_UPSTREAM_URL: `${upstream.url}/v1`,
      ANTHROPIC_API_KEY: 'test',
      GOOGLE_UPSTREAM_URL: `${upstream.url}/v1beta`,
      GOOGLE_API_KEY: 'test',
      GATEWAY_FIRST_BYTE_TIMEOUT_MS: '2500',
      GATEWAY_SILENCE_TIMEOUT_MS: '2500',
    });
    await putBilledModels();
    ledger = openLedger();
    keys = await createBilledTenants();
    const keyOf = (number: number) => keys.get(tenantOf(number).name)?.secret ?? '';
    statuses = await askAll({ urlOf: () => gateway.url, keyOf, upstream }, numbers);
    await gateway.settled();
    const all = (await Promise.all(tenants.map(({ name }) => ledger.recordsOf(name)))).flat();
    records = new Map(all.map((record) => [numberOf(record), record]));
    expect(records.size).toBe(all.length);
  },
  120_000 + count * 200,
);

afterAll(async () => {
  await ledger?.close();
  await gateway?.close();
  await upstream?.close();
});

const callsOf = (number: number): readonly ServedCall[] => upstream.calls.get(number) ?? [];

describe('the ledger', () => {
  test('there is one record of each request that reached a provider', () => {
    expect([...records.keys()].sort((a, b) => a - b)).toEqual(
      [...upstream.calls.keys()].sort((a, b) => a - b),
    );
  });

  test('each call of a provider is an attempt, at the cost of the price list', () => {
    const { faults, kinds } = auditAttempts(records, callsOf);
    expect(faults).toEqual([]);
    for (const kind of ['counted', 'free', 'estimated', 'unknown'] as const)
      expect(kinds.get(kind)).toBeGreaterThan(3);
  });

  test('images that are drawn by several calls cost what all of these calls counted', () => {
    expect([...records.keys()].filter(isJoined).length).toBeGreaterThan(3);
    expect(auditJoined(records, callsOf)).toEqual([]);
  });

  test('it has the status that the caller saw', () => {
    expect(auditStatuses(records, statuses)).toEqual([]);
  });

  test('what was counted is charged at the terms of its tenant, and a record has the sums of its attempts', () => {
    expect(auditCharges(records, callsOf)).toEqual([]);
  });
});

const recordsOf = (tenant: string) => [...records.values()].filter((record) => record.tenant === tenant);

describe.each(tenants.map(({ name }) => name))('of tenant %s', (tenant) => {
  test('what it is shown is the sum of its charges', async () => {
    const own = recordsOf(tenant);
    const response = await fetch(`${gateway.url}/v1/usage?group_by=model`, {
      headers: { authorization: `Bearer ${keys.get(tenant)?.secret}` },
    });
    const { total } = (await response.json()) as { readonly total: Readonly<Record<string, unknown>> };
    expect(total).toMatchObject({
      requests: own.length,
      unpriced_requests: own.filter(({ charge }) => charge === null).length,
      cost_nano_usd: own.reduce((sum, { charge }) => sum + (charge ?? 0), 0),
    });
  });

  test('its limits count its charges, and the reserve where they are unknown', async () => {
    const own = recordsOf(tenant);
    const { call, close } = connectDatabase(databaseEndpoint());
    const limits = createLimitStore({ call, table: 'usage', now: Date.now });
    const scopes = [
      { kind: 'tenant', id: tenant },
      { kind: 'key', id: keys.get(tenant)?.id ?? '' },
    ] as const;
    for (const scope of scopes) {
      const used = own.map((record) => countedOf(record, scope.kind));
      const usage = await limits.read(scope);
      expect([usage?.committed, usage?.held]).toEqual([used.reduce((sum, one) => sum + one, 0), 0]);
    }
    await close();
  });
});
