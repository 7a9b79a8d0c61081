/**
 * The quotas of AWS that stand in the way of many streams at a time: as they are by default, what so many streams ask of
 * each, and what to do about it. They are those of one account in one region.
 */
import * as sizes from './sizes.ts';
import { isWrite, limitItemBytes, tableCalls } from './table-calls.ts';
import { type LimitChoice, readShare, remembered, type Traffic } from './traffic.ts';

/** Streams at a time. */
export const levels = [1_000, 10_000, 100_000, 1_000_000] as const;

export interface Quota {
  readonly name: string;
  readonly limit: number;
  readonly unit: string;
  /** What this traffic asks of it. */
  readonly asked: (traffic: Traffic) => number;
  readonly remedy: string;
  readonly source: string;
}

/** The same traffic with so many streams at a time. */
export const withStreams = (traffic: Traffic, streams: number): Traffic => ({
  ...traffic,
  rps: streams / traffic.duration,
});

const units = (traffic: Traffic, table: string, kind: 'writes' | 'reads'): number =>
  tableCalls(traffic)
    .filter((call) => call.table === table && isWrite(call) === (kind === 'writes'))
    .reduce((sum, { times, units: each }) => sum + times * each, 0) * traffic.rps;

const tenantsRps = ({ rps, tenants }: Traffic) => rps / tenants;

/** Set aside and settled, each the size of the item. */
function limitWrites(traffic: Traffic): number {
  const scopes = scopesOf(traffic.limits, traffic);
  if (scopes === undefined) return 0;
  const each = Math.ceil(limitItemBytes(traffic, scopes) / sizes.writeUnit);
  return (2 * each * traffic.rps) / scopes;
}

/** Of the kind whose items are busiest; undefined: nobody is limited. */
function scopesOf(limits: LimitChoice, { keys, tenants }: Traffic): number | undefined {
  return { none: undefined, key: keys, 'key+tenant': Math.min(keys, tenants) }[limits];
}

const partition = 'docs.aws.amazon.com DynamoDB, throttling of on-demand tables';

export const quotas: readonly Quota[] = [
  {
    name: 'Lambda concurrency',
    limit: 1_000,
    unit: 'at a time',
    asked: ({ rps, duration }) => rps * duration,
    remedy:
      'ask for more (AWS names tens of thousands); beyond, a stack for each region and account behind one name, or Web Functions',
    source: 'docs.aws.amazon.com/lambda gettingstarted-limits',
  },
  {
    name: 'Lambda growth within a minute, from nothing',
    limit: 6_000,
    unit: 'new ones a minute',
    asked: ({ rps, duration }) => rps * duration,
    remedy: 'fixed, 1,000 in 10 s for each function: let traffic grow over minutes, or provision a floor',
    source: 'docs.aws.amazon.com/lambda scaling-behavior',
  },
  {
    name: 'API of this stack',
    limit: 1_000,
    unit: 'requests/s',
    asked: ({ rps }) => rps,
    remedy: 'deploy with -c throttleRate=<n> -c throttleBurst=<n>',
    source: 'infra/settings.ts',
  },
  {
    name: 'API Gateway',
    limit: 10_000,
    unit: 'requests/s',
    asked: ({ rps }) => rps,
    remedy: 'ask for more; 2,500 in newer regions; its burst of 5,000 follows the rate',
    source: 'docs.aws.amazon.com/apigateway limits',
  },
  {
    name: 'Parameter store, steady',
    limit: 40,
    unit: 'reads/s',
    asked: (traffic) => traffic.rps * readShare(traffic, remembered.providerSettings, 1),
    remedy: 'switch on higher throughput (thousands a second, charged); or keys in the environment',
    source: 'docs.aws.amazon.com systems-manager; the number from a re:Post answer',
  },
  {
    name: 'Parameter store, while Lambda grows',
    limit: 40,
    unit: 'reads/s',
    // A function reads its provider's key at its first request.
    asked: ({ rps, duration }) => Math.min(100, (rps * duration) / 10),
    remedy: 'the same: without it a burst of new functions fails with upstream_credentials',
    source: 'as above, with 100 new functions a second',
  },
  {
    name: 'table usage',
    limit: 40_000,
    unit: 'write units/s',
    asked: (traffic) => units(traffic, 'usage', 'writes'),
    remedy: 'ask for more; a new table begins with 4,000, so warm it before a launch',
    source: 'docs.aws.amazon.com/amazondynamodb ServiceQuotas',
  },
  {
    name: 'table state',
    limit: 40_000,
    unit: 'write units/s',
    asked: (traffic) => units(traffic, 'state', 'writes'),
    remedy: 'ask for more',
    source: 'docs.aws.amazon.com/amazondynamodb ServiceQuotas',
  },
  {
    name: 'table access',
    limit: 40_000,
    unit: 'read units/s',
    asked: (traffic) => units(traffic, 'access', 'reads'),
    remedy: 'ask for more',
    source: 'docs.aws.amazon.com/amazondynamodb ServiceQuotas',
  },
  {
    name: "one tenant's item and one key's",
    limit: 3_000,
    unit: 'read units/s',
    asked: (traffic) => (traffic.rps / Math.min(traffic.keys, traffic.tenants)) * 0.5,
    remedy: 'more keys or tenants; or remember them for longer',
    source: partition,
  },
  {
    name: "one model's row",
    limit: 3_000,
    unit: 'read units/s',
    asked: (traffic) =>
      ((traffic.rps * readShare(traffic, remembered.catalog, traffic.models)) / traffic.models) * 0.5,
    remedy: 'remember rows for longer than a minute',
    source: partition,
  },
  {
    name: "one tenant's ledger of a day",
    limit: 1_000,
    unit: 'write units/s',
    asked: (traffic) => tenantsRps(traffic) * Math.ceil(sizes.ledgerRecord / sizes.writeUnit),
    remedy: 'several tenants for one caller; or the ledger of a day in several partitions',
    source: partition,
  },
  {
    name: "one key's and model's sums of a day",
    limit: 1_000,
    unit: 'write units/s',
    asked: ({ rps, keys, models }) => rps / (keys * models),
    remedy: 'several keys for one caller; or sums in several items, added up when read',
    source: partition,
  },
  {
    name: "one limited scope's item",
    limit: 1_000,
    unit: 'write units/s',
    asked: limitWrites,
    remedy:
      'every write counts the whole item, which grows with each open request: several keys or tenants for one caller; or reservations as items of their own',
    source: partition,
  },
  {
    name: "one limited scope's item, its size",
    limit: 409_600,
    unit: 'bytes',
    asked: (traffic) => {
      const scopes = scopesOf(traffic.limits, traffic);
      return scopes === undefined ? 0 : limitItemBytes(traffic, scopes);
    },
    remedy: 'fixed, and what does not fit is not held against the limits: the same',
    source: 'docs.aws.amazon.com/amazondynamodb, items have at most 400 KB',
  },
];
