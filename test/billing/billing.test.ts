/**
 * Many requests of every operation and protocol, while providers fail, break off and are left: what the ledger holds is what
 * the providers counted, by a calculation of its own.
 *
 * GATEWAY_BILLING_REQUESTS is the number of requests.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import { startTestGateway, type TestGateway } from '../harness/gateways/gateway.ts';
import { type Ledger, openLedger } from '../harness/ledger.ts';
import { askAll } from './callers.ts';
import { expectedOf, faultOf } from './judge.ts';
import { putBilledModels } from './models.ts';
import { planOf } from './plan.ts';
import { type BillingUpstream, type ServedCall, startBillingUpstream } from './upstream.ts';

const count = Number(process.env.GATEWAY_BILLING_REQUESTS || 500);
const numbers = Array.from({ length: count }, (_, number) => number);

let upstream: BillingUpstream;
let gateway: TestGateway;
let ledger: Ledger;
let statuses: ReadonlyMap<number, number>;
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
    const parties = { url: gateway.url, keyOf: () => gateway.apiKey, upstream };
    statuses = await askAll(parties, numbers);
    const all = await ledger.recordsOf('local');
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

  test('it has the status that the caller saw', () => {
    const seen = [...records].map(([number]) => [number, statuses.get(number)]);
    const recorded = [...records].map(([number, { status, error }]) => {
      // The gateway may have failed just before it noticed that the caller had left.
      const hasFailedBefore = statuses.get(number) === 499 && status >= 500 && error !== undefined;
      return [number, hasFailedBefore ? 499 : status];
    });
    expect(recorded).toEqual(seen);
  });

  test('a record costs the sum of its attempts', () => {
    for (const { attempts, cost } of records.values()) {
      const costs = attempts.map((attempt) => attempt.cost);
      const isKnown = costs.every((one) => one !== null);
      expect(cost).toBe(isKnown ? costs.reduce<number>((sum, one) => sum + (one ?? 0), 0) : null);
    }
  });
});
