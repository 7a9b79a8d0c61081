/**
 * Many requests of every operation and protocol, while providers fail, break off and are left: what the ledger holds is what
 * the providers counted, by a calculation of its own.
 *
 * GATEWAY_BILLING_REQUESTS is the number of requests.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectDatabase } from '../../infra/local/database-call.ts';
import type { LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { startTestGateway, type TestGateway } from '../harness/gateways/gateway.ts';
import { type Ledger, openLedger } from '../harness/ledger.ts';
import { askAll } from './callers.ts';
import { chargeExpected, expectedOf, faultOf } from './judge.ts';
import { putBilledModels } from './models.ts';
import { planOf } from './plan.ts';
import { createBilledTenants, type TenantKey, tenantOf, tenants } from './tenants.ts';
import { type BillingUpstream, type ServedCall, startBillingUpstream } from './upstream.ts';

const count = Number(process.env.GATEWAY_BILLING_REQUESTS || 500);
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
    statuses = await askAll({ url: gateway.url, keyOf, upstream }, numbers);
    await gateway.settled();
    const all = (await Promise.all(tenants.map(({ name }) => ledger.recordsOf(name)))).flat();
    records = new Map(all.map((record) => [Number(record.user?.replace('user-', '')), record]));
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

/** Images are drawn by several calls of one attempt. */
const isJoined = (number: number) => planOf(number).model === 'billed/drawings';

describe('the ledger', () => {
  test('there is one record of each request that reached a provider', () => {
    expect([...records.keys()].sort((a, b) => a - b)).toEqual(
      [...upstream.calls.keys()].sort((a, b) => a - b),
    );
  });

  test('each call of a provider is an attempt, at the cost of the price list', () => {
    const kinds = new Map<string, number>();
    const faults: string[] = [];
    for (const [number, { attempts }] of records) {
      if (isJoined(number)) continue;
      const calls = callsOf(number);
      if (calls.length !== attempts.length) {
        faults.push(`${number}: ${calls.length} calls, ${attempts.length} attempts`);
      }
      for (const [index, call] of calls.entries()) {
        const expected = expectedOf(call);
        kinds.set(expected.kind, (kinds.get(expected.kind) ?? 0) + 1);
        const attempt = attempts[index];
        const fault = attempt && faultOf(expected, attempt);
        if (fault) faults.push(`${number} ${call.model} ${call.planned.way} ${index}: ${fault}`);
      }
    }
    expect(faults).toEqual([]);
    for (const kind of ['counted', 'free', 'estimated', 'unknown'])
      expect(kinds.get(kind)).toBeGreaterThan(3);
  });

  test('images that are drawn by several calls cost what all of these calls counted', () => {
    const joined = [...records].filter(([number]) => isJoined(number));
    const faults: string[] = [];
    for (const [number, { cost }] of joined) {
      const expected = callsOf(number).map(expectedOf);
      const isKnown = expected.every(({ kind }) => kind === 'counted' || kind === 'free');
      const counted = expected.map((one) => (one.kind === 'counted' ? one.cost : 0));
      if (cost !== (isKnown ? sumOf(counted) : null)) faults.push(`${number}: ${counted}, recorded ${cost}`);
    }
    expect(joined.length).toBeGreaterThan(3);
    expect(faults).toEqual([]);
  });

  test('it has the status that the caller saw', () => {
    const seen = [...records].map(([number]) => [number, statuses.get(number)]);
    const recorded = [...records].map(([number, { status, error }]) => {
      // The gateway may have failed just before it noticed that the caller had left.
      const hasFailedBefore = statuses.get(number) === 499 && status >= 400 && error !== undefined;
      return [number, hasFailedBefore ? 499 : status];
    });
    expect(recorded).toEqual(seen);
  });

  test('an attempt that was counted is charged at the terms of its tenant', () => {
    const faults: string[] = [];
    for (const [number, { attempts, tenant }] of records) {
      expect(tenant).toBe(tenantOf(number).name);
      for (const [index, call] of isJoined(number) ? [] : callsOf(number).entries()) {
        const kind = expectedOf(call).kind;
        const charge = chargeExpected(call, tenantOf(number));
        const recorded = attempts[index]?.charge;
        if ((kind === 'counted' || kind === 'free') && recorded !== charge)
          faults.push(`${number} ${call.model}: ${charge}, recorded ${recorded}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test('a record has the sums of its attempts', () => {
    for (const { attempts, cost, charge } of records.values()) {
      expect(cost).toBe(sumOf(attempts.map((attempt) => attempt.cost)));
      expect(charge).toBe(sumOf(attempts.map((attempt) => attempt.charge)));
    }
  });
});

/** Unknown if one of them is. */
const sumOf = (amounts: readonly (number | null)[]): number | null =>
  amounts.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0);

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
    const { call, close } = connectDatabase(process.env.DYNAMODB_ENDPOINT ?? '');
    const limits = createLimitStore({ call, table: 'usage', now: Date.now });
    const scopes = [
      { kind: 'tenant', id: tenant },
      { kind: 'key', id: keys.get(tenant)?.id ?? '' },
    ] as const;
    for (const scope of scopes) {
      const used = own.map(({ charge, attempts, holds = [] }) => {
        const held = holds.filter(({ kind }) => kind === scope.kind);
        const known = attempts.reduce((sum, attempt) => sum + (attempt.charge ?? 0), 0);
        return (
          charge ??
          Math.max(
            known,
            held.reduce((sum, { amount }) => sum + amount, 0),
          )
        );
      });
      const usage = await limits.read(scope);
      expect([usage?.committed, usage?.held]).toEqual([used.reduce((sum, one) => sum + one, 0), 0]);
    }
    await close();
  });
});
