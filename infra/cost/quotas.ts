/**
 * AWS quotas that limit many concurrent streams: their defaults for one account in one region, how much of each a workload
 * needs, and what to do about it.
 */
import * as sizes from './sizes.ts';
import { isWrite, limitItemBytes, tableCalls } from './table-calls.ts';
import { cacheSeconds, type LimitChoice, readShare, type Traffic } from './traffic.ts';

/** Concurrent streams. */
export const levels = [1_000, 10_000, 100_000, 1_000_000] as const;

export interface Quota {
  readonly name: string;
  readonly limit: number;
  readonly unit: string;
  /** How much of it a workload needs. */
  readonly needed: (traffic: Traffic) => number;
  readonly remedy: string;
  readonly source: string;
}

/** The same workload with this number of concurrent streams. */
export const withStreams = (traffic: Traffic, streams: number): Traffic => ({
  ...traffic,
  rps: streams / traffic.duration,
});

const units = (traffic: Traffic, table: string, kind: 'writes' | 'reads'): number =>
  tableCalls(traffic)
    .filter((call) => call.table === table && isWrite(call) === (kind === 'writes'))
    .reduce((sum, { times, units: each }) => sum + times * each, 0) * traffic.rps;

const tenantsRps = ({ rps, tenants }: Traffic) => rps / tenants;

/** One write to reserve and one to finalize, each the size of the item. */
function limitWrites(traffic: Traffic): number {
  const scopes = scopesOf(traffic.limits, traffic);
  if (scopes === undefined) return 0;
  const each = Math.ceil(limitItemBytes(traffic, scopes) / sizes.writeUnit);
  return (2 * each * traffic.rps) / scopes;
}

/** The number of items of the kind with the most writes each; undefined without limits. */
function scopesOf(limits: LimitChoice, { keys, tenants }: Traffic): number | undefined {
  return { none: undefined, key: keys, 'key+tenant': Math.min(keys, tenants) }[limits];
}

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
    limit: 1_000,
    unit: 'requests/s',
    needed: ({ rps }) => rps,
    remedy: 'deploy with -c throttleRate=<n> -c throttleBurst=<n>',
    source: 'infra/settings.ts',
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
    remedy: 'enable higher throughput (thousands per second, charged), or set keys in the environment',
    source: 'docs.aws.amazon.com systems-manager; the number from a re:Post answer',
  },
  {
    name: 'Parameter store, while Lambda grows',
    limit: 40,
    unit: 'reads/s',
    // A function reads its provider's key at its first request.
    needed: ({ rps, duration }) => Math.min(100, (rps * duration) / 10),
    remedy: 'the same; without it a burst of new functions fails with upstream_credentials',
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
    name: 'table state',
    limit: 40_000,
    unit: 'write units/s',
    needed: (traffic) => units(traffic, 'state', 'writes'),
    remedy: 'request an increase',
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
    name: "one tenant's item and one key's",
    limit: 3_000,
    unit: 'read units/s',
    needed: (traffic) => (traffic.rps / Math.min(traffic.keys, traffic.tenants)) * 0.5,
    remedy: 'more keys or tenants, or a longer cache time',
    source: partition,
  },
  {
    name: "one model's row",
    limit: 3_000,
    unit: 'read units/s',
    needed: (traffic) =>
      ((traffic.rps * readShare(traffic, cacheSeconds.catalog, traffic.models)) / traffic.models) * 0.5,
    remedy: 'a cache time of more than a minute',
    source: partition,
  },
  {
    name: "one tenant's ledger of a day",
    limit: 1_000,
    unit: 'write units/s',
    needed: (traffic) => tenantsRps(traffic) * Math.ceil(sizes.ledgerRecord / sizes.writeUnit),
    remedy: 'several tenants for one caller, or several partitions for the ledger of a day',
    source: partition,
  },
  {
    name: "one key's and model's totals of a day",
    limit: 1_000,
    unit: 'write units/s',
    needed: ({ rps, keys, models }) => rps / (keys * models),
    remedy: 'several keys for one caller, or totals in several items that are added up when read',
    source: partition,
  },
  {
    name: "one limited scope's item",
    limit: 1_000,
    unit: 'write units/s',
    needed: limitWrites,
    remedy:
      'every write is charged for the whole item, which grows with each running request: several keys or tenants for one caller, or separate items for reservations',
    source: partition,
  },
  {
    name: "one limited scope's item, its size",
    limit: 409_600,
    unit: 'bytes',
    needed: (traffic) => {
      const scopes = scopesOf(traffic.limits, traffic);
      return scopes === undefined ? 0 : limitItemBytes(traffic, scopes);
    },
    remedy: 'fixed; requests that do not fit are not limited: the same remedy',
    source: 'docs.aws.amazon.com/amazondynamodb, items have at most 400 KB',
  },
];
