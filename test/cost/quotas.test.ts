/** Which quotas are exceeded, and from how many streams. */
import { expect, test } from 'vitest';
import { cost, costJson } from './run-cost.ts';

interface JsonQuota {
  readonly name: string;
  readonly needed: Readonly<Record<string, number>>;
  readonly exceeded_from: number | null;
}

function quotasFor(typed: string) {
  const { quotas }: { quotas: readonly JsonQuota[] } = costJson(`--quotas ${typed}`);
  return Object.fromEntries(
    quotas.map(({ name, needed, exceeded_from }) => [name, { needed, exceeded_from }]),
  );
}

test('one stream needs one function, and one request per duration', () => {
  const quotas = quotasFor('--duration 20');
  expect(quotas['Lambda concurrency']).toEqual({
    needed: { 1000: 1_000, 10000: 10_000, 100000: 100_000, 1000000: 1_000_000 },
    exceeded_from: 1_000,
  });
  expect(quotas['API Gateway']).toEqual({
    needed: { 1000: 50, 10000: 500, 100000: 5_000, 1000000: 50_000 },
    exceeded_from: 1_000_000,
  });
});

test('5,000 requests a second of one tenant with limits have no hot partition, once its throughput is set', () => {
  const quotas = quotasFor('--duration 2 --limits key+tenant --tenants 1 --keys 1');
  const names = ["one partition of a tenant's ledger", "one shard of a scope's limits"];
  for (const name of names) {
    // 10,000 streams of 2 seconds are 5,000 requests a second.
    expect(quotas[name]?.needed[10_000]).toBeLessThan(800);
    expect(quotas[name]?.needed[10_000]).toBeGreaterThan(200);
    expect(quotas[name]?.exceeded_from).not.toBe(10_000);
  }
  expect(quotas['the aggregator, of one shard of the stream']?.needed[10_000]).toBeLessThan(50);
  const { tenant_throughput: throughput } = costJson('--quotas --duration 2 --tenants 1');
  expect(throughput).toMatchObject({ 10000: 5_000 });
});

test('the item of a limit has one size, however many streams are running', () => {
  const shard = "one shard of a scope's limits";
  const short = quotasFor('--duration 1 --limits key+tenant --tenants 1000 --keys 1000')[shard];
  const long = quotasFor('--duration 100 --limits key+tenant --tenants 1000 --keys 1000')[shard];
  expect([short?.needed[100_000], long?.needed[100_000]]).toEqual([100, 1]);
  expect(quotasFor('--limits none')[shard]).toMatchObject({ exceeded_from: null });
});

test('the table says what to do about an exceeded quota', () => {
  const { code, output } = cost('--quotas');
  expect(code).toBe(0);
  expect(output).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^QUOTA +LIMIT +AT 1,000 +AT 10,000 +AT 100,000 +AT 1,000,000$/),
      expect.stringMatching(/^- from 10,000: API of this stack: deploy with -c throttleRate=/),
    ]),
  );
});
