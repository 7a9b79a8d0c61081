/** What a workload uses of AWS in a month, whichever host it runs on, in millionths of the unit of its price. */
import { aggregatorBatches } from './aggregator.ts';
import { type PriceName, toMillionths } from './prices.ts';
import * as sizes from './sizes.ts';
import { isWrite, type TableCall, tableCalls } from './table-calls.ts';
import {
  answerSize,
  cacheSeconds,
  monthDays,
  operations,
  readShare,
  requestsPerMonth,
  type Traffic,
} from './traffic.ts';

export type Part =
  | 'Lambda'
  | 'Web Functions'
  | 'Fargate'
  | 'API Gateway'
  | 'Load balancer'
  | 'DynamoDB'
  | 'CloudWatch'
  | 'Parameter store'
  | 'Transfer';

/** Prices of Web Functions are options: AWS publishes none that could be found. */
const webPriceNames = ['webRequests', 'webVcpuSeconds', 'webGigabyteSeconds'] as const;
export type WebPriceName = (typeof webPriceNames)[number];

export interface Use {
  readonly part: Part;
  readonly what: string;
  readonly price: PriceName | WebPriceName;
  /** Of the price's unit, per month. */
  readonly millionths: bigint;
}

export type Quantity = readonly [part: Part, price: Use['price'], what: string, quantity: number];

/** Used without any request: the stored catalog, in each region that shares it. */
export const idleUses = ({ replicas }: Traffic): readonly Use[] =>
  ofMonth([
    ...storage('catalog', storedCatalog),
    ...storage('catalog, in replicas', storedCatalog * replicas),
  ]);

const storedCatalog = sizes.catalogTable + sizes.catalogRows * sizes.itemOverhead;

/** Of quantities of one request. */
export function ofRequests(traffic: Traffic, quantities: readonly Quantity[]): readonly Use[] {
  const month = requestsPerMonth(traffic);
  return ofMonth(quantities).map((use) => ({ ...use, millionths: month * use.millionths }));
}

/** Of quantities of a month. */
export function ofMonth(quantities: readonly Quantity[]): readonly Use[] {
  return quantities
    .filter(([, , , quantity]) => quantity > 0)
    .map(([part, price, what, quantity]) => ({ part, price, what, millionths: toMillionths(quantity) }));
}

/** In MB. Reading the stream itself is free for a function. */
const aggregatorMemory = 512;

export function aggregating(traffic: Traffic): readonly Quantity[] {
  const { perSecond, milliseconds } = aggregatorBatches(traffic);
  const batches = perSecond / traffic.rps;
  return [
    ['Lambda', 'lambdaRequests', 'aggregator: batches', batches],
    ['Lambda', 'lambdaMegabyteMilliseconds', 'aggregator', batches * aggregatorMemory * milliseconds],
  ];
}

export const tables = (traffic: Traffic): readonly Quantity[] => [...calls(traffic), ...storedData(traffic)];

const calls = (traffic: Traffic): readonly Quantity[] =>
  [...tableCalls(traffic), ...replicatedWrites(traffic)].map((call) => [
    'DynamoDB',
    isWrite(call) ? 'tableWrites' : 'tableReads',
    `${call.table} ${call.action}: ${call.what}`,
    call.times * call.units,
  ]);

/**
 * A write is charged in each region, at the price of any other write. What a replica transfers is less than the units of its write.
 * Source: docs.aws.amazon.com DynamoDB, "Understanding Amazon DynamoDB billing for global tables".
 */
const replicatedWrites = (traffic: Traffic): readonly TableCall[] =>
  tableCalls(traffic)
    .filter((call) => isWrite(call) && replicatedTables.some((table) => table === call.table))
    .map((call) => ({ ...call, what: `${call.what}, in replicas`, times: call.times * traffic.replicas }));

const replicatedTables = ['catalog', 'access'] as const;

/** Stored bytes, as bytes of one request times the months that they are kept. */
function storedData(traffic: Traffic): readonly Quantity[] {
  const { ledgerDays, store, storedBytes } = traffic;
  const ledger = operations[traffic.operation].callsModels ? sizes.ledgerRecord + sizes.itemOverhead : 0;
  const responses = store ? storedBytes + sizes.storedHead + sizes.itemOverhead : 0;
  return [
    ...storage('ledger', (ledger * ledgerDays) / monthDays),
    ...storage('stored responses, 30 days', (responses * 30) / monthDays),
  ];
}

function storage(what: string, bytes: number): readonly Quantity[] {
  return [
    ['DynamoDB', 'tableStorage', `storage: ${what}`, bytes],
    ['DynamoDB', 'tableBackup', `recovery: ${what}`, bytes],
  ];
}

/** Logs are kept compressed to about this share of their bytes. */
const compressed = 0.15;

/** Written lines, and what is stored of them. Containers pay for them as the API does. */
export function logs(
  { logDays }: Traffic,
  lines: readonly (readonly [Use['price'], what: string, bytes: number])[],
): readonly Quantity[] {
  const bytes = lines.reduce((sum, [, , each]) => sum + each, 0);
  return [
    ...lines.map(([price, what, each]): Quantity => ['CloudWatch', price, what, each]),
    ['CloudWatch', 'logStorage', 'logs that are kept', (bytes * compressed * logDays) / monthDays],
  ];
}

/** In bytes, for one request: its own line, that of the API, Lambda's for an event, and those of the aggregator's batches. */
export function loggedBytes(traffic: Traffic) {
  const event = sizes.platformLines + 3 * sizes.lineOverhead;
  const opened = operations[traffic.operation].callsModels ? sizes.openedLine + sizes.lineOverhead : 0;
  const request = sizes.requestLine + sizes.lineOverhead + opened;
  return {
    request,
    invoked: request + sizes.lambdaRequestId,
    access: sizes.accessLine + sizes.lineOverhead,
    event,
    aggregator: (event * aggregatorBatches(traffic).perSecond) / traffic.rps,
  };
}

/** A process reads all settings together, and each of them is decrypted. */
export const settings = (traffic: Traffic): readonly Quantity[] =>
  operations[traffic.operation].callsModels
    ? [
        [
          'Parameter store',
          'keyDecryptions',
          'provider keys',
          readShare(traffic, cacheSeconds.providerSettings, 1) * sizes.storedSettings,
        ],
      ]
    : [];

export function transfer(traffic: Traffic): readonly Quantity[] {
  const upstream = operations[traffic.operation].callsModels
    ? traffic.requestBytes + sizes.upstreamHeaders
    : 0;
  return [
    ['Transfer', 'transferOut', 'answers to callers', answerSize(traffic) + sizes.answerHeaders],
    ['Transfer', 'transferOut', 'requests to providers', upstream],
  ];
}
