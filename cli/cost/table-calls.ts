/**
 * The calls of one request to the tables, and those of the aggregator that follow from it, with their units.
 * `test/cost/real-calls.test.ts` compares them with the calls of a running gateway.
 */
import { keptCalls } from './kept-streams.ts';
import * as sizes from './sizes.ts';
import type { TableCall } from './table-call.ts';
import { aggregatorBatches, cacheSeconds, readShare, type Traffic } from './traffic.ts';

export const isWrite = ({ action }: Pick<TableCall, 'action'>): boolean =>
  action === 'PutItem' || action === 'UpdateItem';

const writes = (bytes: number) => Math.ceil(bytes / sizes.writeUnit);

/** An eventually consistent read costs half. */
const reads = (bytes: number, { consistent = false } = {}) =>
  Math.ceil(bytes / sizes.readUnit) * (consistent ? 1 : 0.5);

export const tableCalls = (traffic: Traffic): readonly TableCall[] =>
  [
    lookup(traffic, 'access', 'key', traffic.keys),
    lookup(traffic, 'access', 'tenant', traffic.tenants),
    lookup(traffic, 'catalog', 'model', traffic.models),
    ...limitCalls(traffic),
    ...cacheCalls(traffic),
    ...records(traffic),
    ...keptCalls(traffic),
    ...aggregatorCalls(traffic),
  ].filter(({ times }) => times > 0);

const lookup = (traffic: Traffic, table: 'access' | 'catalog', what: string, kinds: number): TableCall => ({
  table,
  action: 'GetItem',
  what,
  times: readShare(traffic, cacheSeconds[table], kinds),
  units: reads(sizes.smallItem),
});

/** The number of limited scopes of each kind. */
export function limitedScopes({ limits, keys, tenants }: Traffic): readonly (readonly [string, number])[] {
  const key = ['key', keys] as const;
  return { none: [], key: [key], 'key+tenant': [key, ['tenant', tenants] as const] }[limits];
}

/** The item has the same size however many requests are running: what is held for each is in its open record. */
function limitCalls(traffic: Traffic): readonly TableCall[] {
  return limitedScopes(traffic).flatMap(([kind, scopes]) => {
    // An instance knows the item as it was at its last request: the first request of an instance, and of a minute, reads it.
    const reread = Math.max(
      Math.min(1, scopes / (traffic.rps * 60)),
      readShare(traffic, cacheSeconds.limits, scopes),
    );
    return [
      {
        table: 'usage',
        action: 'UpdateItem',
        what: `limits of the ${kind}: admission`,
        times: 1,
        units: writes(sizes.limitItem),
      },
      {
        table: 'usage',
        action: 'GetItem',
        what: `limits of the ${kind}: as they are now`,
        times: reread,
        units: reads(sizes.limitItem, { consistent: true }),
      },
    ] as const;
  });
}

/** A hit is read; what is answered otherwise is read in vain and then kept. */
function cacheCalls({ cached, chunks, answerBytes }: Traffic): readonly TableCall[] {
  if (cached === undefined) return [];
  const bytes = sizes.logBlock + sizes.logChunk * chunks + sizes.compressedRequest * answerBytes;
  const found = cached * reads(bytes) + (1 - cached) * reads(sizes.readUnit);
  return [
    { table: 'state', action: 'GetItem', what: 'cached answers: lookup', times: 1, units: found },
    {
      table: 'state',
      action: 'PutItem',
      what: 'cached answers: kept',
      times: 1 - cached,
      units: writes(bytes),
    },
  ];
}

/** The open record is written beside the call of the provider, the final one before the answer ends. */
function records(traffic: Traffic): readonly TableCall[] {
  const isLimited = traffic.limits !== 'none';
  const holds = isLimited ? sizes.holds : 0;
  const put = { table: 'usage', action: 'PutItem', times: 1 } as const;
  return [
    {
      ...put,
      what: 'ledger: open record',
      times: 1 - (traffic.cached ?? 0),
      units: writes(sizes.openRecord + holds),
    },
    { ...put, what: 'ledger: final record', units: writes(sizes.ledgerRecord + holds) },
    {
      table: 'access',
      action: 'UpdateItem',
      what: 'last use of the key',
      times: readShare(traffic, cacheSeconds.keyUse, traffic.keys),
      units: writes(sizes.smallItem),
    },
  ];
}

/** How often the aggregator notes that a tenant has open records. */
const noteSeconds = 60;

/** Gathered by batch: a busy key and model have one write for many requests. */
function aggregatorCalls(traffic: Traffic): readonly TableCall[] {
  const { keys, models, tenants, rps } = traffic;
  const { perSecond } = aggregatorBatches(traffic);
  /** The share of requests that are the first of their kind in a batch. */
  const gathered = (kinds: number) => Math.min(1, (kinds * perSecond) / rps);
  const update = { table: 'usage', action: 'UpdateItem', isLater: true } as const;
  const sweeps = Math.min(1, tenants / (rps * sweepSeconds));
  const noted = Math.min(1, tenants / (rps * noteSeconds));
  const sum = { ...update, units: writes(sizes.dashboardSum) };
  // Each request names another user: the most that there can be.
  const sums = [
    { ...sum, what: 'dashboard: sums of the hour', times: gathered(keys * models) },
    { ...sum, what: 'dashboard: sums of keys', times: gathered(keys) },
    { ...sum, what: 'dashboard: sums of users', times: 1 },
    { ...sum, what: 'dashboard: sums of tenants', times: 2 * gathered(tenants) },
    { ...sum, what: 'dashboard: sums of deployments', times: 2 * gathered(models) },
    { ...update, what: 'dashboard: position of the stream', times: gathered(1), units: 1 },
  ];
  return [
    { ...update, action: 'PutItem', what: 'tenants with open records', times: noted, units: 1 },
    { ...update, what: 'sums of the day', times: gathered(keys * models), units: writes(sizes.counter) },
    ...(traffic.dashboard ? sums : []),
    ...limitedScopes(traffic).map(([kind, scopes]) => ({
      ...update,
      what: `limits of the ${kind}: settlement`,
      times: gathered(scopes),
      units: writes(sizes.limitItem),
    })),
    ...limitedScopes(traffic).map(([kind, scopes]) => ({
      table: 'usage' as const,
      action: 'GetItem' as const,
      what: `limits of the ${kind}: settlement`,
      times: gathered(scopes),
      units: reads(sizes.limitItem, { consistent: true }),
      isLater: true as const,
    })),
    {
      table: 'access',
      action: 'GetItem',
      what: 'throughput of the tenant',
      times: Math.min(1, tenants / (rps * cacheSeconds.throughput)),
      units: reads(sizes.smallItem),
      isLater: true,
    },
    {
      table: 'access',
      action: 'GetItem',
      what: 'credit of the tenant',
      times: sweeps,
      units: reads(sizes.smallItem),
      isLater: true,
    },
    { ...update, what: 'search for interrupted requests', times: 2 * sweeps, units: 1 },
    {
      table: 'usage',
      action: 'Query',
      what: 'search for interrupted requests',
      times: sweeps,
      // Each record is read once, open and final.
      units: Math.max(1, (sizes.openRecord + sizes.ledgerRecord) / sizes.readUnit / sweeps),
      isLater: true,
    },
  ];
}

/** How often each tenant is searched for interrupted requests, and its credit looked at. */
const sweepSeconds = 300;
