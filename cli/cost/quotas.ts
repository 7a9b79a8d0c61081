/**
 * AWS quotas that limit many concurrent streams: their defaults for one account in one region, how much of each a workload
 * needs, and what to do about it.
 */
import { throttleRate } from '../../infra/settings/groups/traffic.ts';
import { shardingFor } from '../../lib/core/accounting/limits.ts';
import { partitionsFor } from '../../lib/core/accounting/partitions.ts';
import type { Output } from '../command.ts';
import { toTable } from '../listing.ts';
import { grouped, priceRegion } from './prices.ts';
import * as sizes from './sizes.ts';
import { isWrite, limitedScopes, tableCalls } from './table-calls.ts';
import { aggregatorBatches, cacheSeconds, readShare, type Traffic } from './traffic.ts';

/** Concurrent streams. */
const levels = [1_000, 10_000, 100_000, 1_000_000] as const;

interface Quota {
  readonly name: string;
  readonly limit: number;
  readonly unit: string;
  /** How much of it a workload needs. */
  readonly needed: (traffic: Traffic) => number;
  readonly remedy: string;
  readonly source: string;
}

/** The same workload with this number of concurrent streams. */
const withStreams = (traffic: Traffic, streams: number): Traffic => ({
  ...traffic,
  rps: streams / traffic.duration,
});

const units = (traffic: Traffic, table: string, kind: 'writes' | 'reads'): number =>
  tableCalls(traffic)
    .filter((call) => call.table === table && isWrite(call) === (kind === 'writes'))
    .reduce((sum, { times, units: each }) => sum + times * each, 0) * traffic.rps;

/** The throughput that a tenant is to be set to, and is taken to be set to here. */
const tenantsRps = ({ rps, tenants }: Traffic): number => Math.ceil(rps / tenants);

/** The write units of the open record of a request, and of the final one. */
const recordUnits = (traffic: Traffic): readonly number[] =>
  tableCalls(traffic)
    .filter(({ what }) => what.startsWith('ledger:'))
    .map(({ times, units: each }) => times * each);

/** Of the busiest limited scope: an admission is one write. */
function limitWrites(traffic: Traffic): number {
  const rates = limitedScopes(traffic).map(([, scopes]) => traffic.rps / scopes);
  return Math.max(0, ...rates) * Math.ceil(sizes.limitItem / sizes.writeUnit);
}

/** Writes are spread at random: of at most 64 partitions or shards, the fullest has so much more than its share in a busy second. */
const unevenness = 1.15;

const fullestOf = (count: number): number => Math.min(1, unevenness / count);

const partition = 'docs.aws.amazon.com DynamoDB, throttling of on-demand tables';

export const quotas: readonly Quota[] = [
  {
    name: 'Lambda concurrency',
    limit: 1_000,
    unit: 'concurrent',
    needed: ({ rps, duration }) => rps * duration,
    remedy:
      'request an increase (AWS grants tens of thousands); beyond that, one stack for each region and account, or Web Functions',
    source: 'docs.aws.amazon.com/lambda gettingstarted-limits',
  },
  {
    name: 'Lambda scaling within a minute, from zero',
    limit: 6_000,
    unit: 'new functions per minute',
    needed: ({ rps, duration }) => rps * duration,
    remedy:
      'fixed, 1,000 in 10 s for each function: let traffic grow over minutes, or use provisioned concurrency',
    source: 'docs.aws.amazon.com/lambda scaling-behavior',
  },
  {
    name: 'API of this stack',
    limit: throttleRate,
    unit: 'requests/s',
    needed: ({ rps }) => rps,
    remedy: 'deploy with -c throttleRate=<n> -c throttleBurst=<n>',
    source: 'infra/settings/groups/traffic.ts',
  },
  {
    name: 'API Gateway',
    limit: 10_000,
    unit: 'requests/s',
    needed: ({ rps }) => rps,
    remedy: 'request an increase; 2,500 in newer regions; the burst of 5,000 follows the rate',
    source: 'docs.aws.amazon.com/apigateway limits',
  },
  {
    name: 'Parameter store, steady',
    limit: 40,
    unit: 'reads/s',
    needed: (traffic) => traffic.rps * readShare(traffic, cacheSeconds.providerSettings, 1),
    remedy: 'enable higher throughput (100 a second of this action, charged)',
    source: 'docs.aws.amazon.com general reference, ssm: GetParametersByPath',
  },
  {
    name: 'Parameter store, while Lambda grows',
    limit: 40,
    unit: 'reads/s',
    // A function reads all keys at its first request that needs one.
    needed: ({ rps, duration }) => Math.min(100, (rps * duration) / 10),
    remedy:
      'the same; a read that is throttled is tried again for up to four seconds. Bedrock by its role does not wait for it',
    source: 'as above, with 100 new functions a second',
  },
  {
    name: 'table usage',
    limit: 40_000,
    unit: 'write units/s',
    needed: (traffic) => units(traffic, 'usage', 'writes'),
    remedy: 'request an increase; a new table starts with 4,000, so pre-warm it before a launch',
    source: 'docs.aws.amazon.com/amazondynamodb ServiceQuotas',
  },
  {
    name: 'table access',
    limit: 40_000,
    unit: 'read units/s',
    needed: (traffic) => units(traffic, 'access', 'reads'),
    remedy: 'request an increase',
    source: 'docs.aws.amazon.com/amazondynamodb ServiceQuotas',
  },
  {
    name: "one partition of a tenant's ledger",
    limit: 1_000,
    unit: 'write units/s',
    // The database gives every partition key its own capacity, so the fullest one counts.
    // Open and final records have partitions of their own.
    needed: (traffic) =>
      tenantsRps(traffic) * Math.max(...recordUnits(traffic)) * fullestOf(partitionsFor(tenantsRps(traffic))),
    remedy: 'several tenants for one caller: a tenant has at most 64 partitions',
    source: partition,
  },
  {
    name: "one shard of a scope's limits",
    limit: 1_000,
    unit: 'write units/s',
    needed: (traffic) => limitWrites(traffic) * fullestOf(shardingFor(tenantsRps(traffic)).shards ?? 1),
    remedy: 'several keys or tenants for one caller: a scope has at most 64 shards',
    source: partition,
  },
  {
    name: 'the aggregator, of one shard of the stream',
    limit: 100,
    unit: '% of its time',
    needed: (traffic) => {
      const { perSecond, milliseconds } = aggregatorBatches(traffic);
      const units = recordUnits(traffic).reduce((sum, each) => sum + each, 0);
      const shards = Math.max(1, Math.ceil((traffic.rps * units) / 1_000));
      return ((perSecond / shards) * milliseconds) / 10;
    },
    remedy: 'sums and settlements come later; more memory makes the function faster',
    source: 'docs.aws.amazon.com/lambda: one batch of a shard at a time',
  },
];

const columnOf = (streams: number) => `at_${grouped(streams)}`;

export function printQuotas(traffic: Traffic, isJson: boolean, output: Output): void {
  const needed = quotas.map((quota) => {
    const amounts = levels.map((streams) => Math.ceil(quota.needed(withStreams(traffic, streams))));
    const from = levels.find((_, index) => (amounts[index] ?? 0) >= quota.limit);
    return { ...quota, amounts, from };
  });
  if (isJson) output.write(toJson(needed, traffic));
  else printTable(needed, traffic, output);
}

interface NeededQuota extends Omit<Quota, 'needed'> {
  /** At each level. */
  readonly amounts: readonly number[];
  /** The level from which it is exceeded. */
  readonly from: number | undefined;
}

const atLevels = <Value>(valueAt: (streams: number, index: number) => Value) =>
  Object.fromEntries(levels.map((streams, index) => [streams, valueAt(streams, index)]));

function toJson(needed: readonly NeededQuota[], { rps: _, ...traffic }: Traffic): string {
  const rows = needed.map(({ amounts, from, ...quota }) => ({
    ...quota,
    needed: atLevels((__, index) => amounts[index]),
    exceeded_from: from ?? null,
  }));
  const throughput = atLevels((streams) => throughputAt({ ...traffic, rps: 0 }, streams));
  const found = { region: priceRegion, traffic, tenant_throughput: throughput, quotas: rows };
  return JSON.stringify(found, undefined, 2);
}

const throughputAt = (traffic: Traffic, streams: number) => tenantsRps(withStreams(traffic, streams));

function printTable(needed: readonly NeededQuota[], traffic: Traffic, output: Output): void {
  const { operation, duration, limits, tenants, keys, models } = traffic;
  const callers = `${grouped(tenants)} tenants, ${grouped(keys)} keys, ${grouped(models)} models`;
  output.write(
    `${operation}, ${duration} s each, limits: ${limits}; ${callers}. An exclamation mark: exceeded.`,
  );
  output.write(
    `Taken to be set with \`tenants set-throughput\`, in requests/s of each tenant: ${levels
      .map((streams) => `${grouped(throughputAt(traffic, streams))} at ${grouped(streams)}`)
      .join(', ')}.`,
  );
  for (const line of ['', ...toTable(needed.map(toRow)), '', 'Exceeded quotas:']) {
    output.write(line);
  }
  for (const { name, from, remedy } of needed) {
    if (from !== undefined) output.write(`- from ${grouped(from)}: ${name}: ${remedy}.`);
  }
}

const toRow = ({ name, limit, unit, amounts }: NeededQuota) => ({
  quota: name,
  limit: `${grouped(limit)} ${unit}`,
  ...Object.fromEntries(
    levels.map((streams, index) => [columnOf(streams), mark(amounts[index] ?? 0, limit)]),
  ),
});

const mark = (amount: number, limit: number) => `${grouped(amount)}${amount >= limit ? ' !' : ''}`;
