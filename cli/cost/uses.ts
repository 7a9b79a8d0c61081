/** What a workload uses of AWS in a month, whichever host it runs on, in millionths of the unit of its price. */
import { dayMs } from '../../lib/core/time.ts';
import { openLifetimeMs } from '../../lib/stores/usage/ledger-writes.ts';
import { keptBytes } from './kept-streams.ts';
import { type PriceName, toMillionths } from './prices.ts';
import * as sizes from './sizes.ts';
import { isWrite, tableCalls } from './table-calls.ts';
import {
  aggregatorBatches,
  answerSize,
  cacheSeconds,
  monthDays,
  readShare,
  requestsPerMonth,
  type Traffic,
} from './traffic.ts';

type Part =
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

type LogLine = readonly [price: Use['price'], what: string, bytes: number];

/**
 * What the requests use on any host: the aggregator, tables, logs, keys of providers, and transfer. `lines`: what is logged of a request.
 * `processes`: those that share the requests, and each what it has read.
 */
export function sharedUses(traffic: Traffic, lines: readonly LogLine[], processes?: number): readonly Use[] {
  const sharing = { ...traffic, ...(processes !== undefined && { processes }) };
  const tabled = [...tables(sharing), ...logs(traffic, lines), ...settings(sharing)];
  return ofRequests(traffic, [...aggregating(traffic), ...tabled, ...transfer(traffic)]);
}

/** In MB. Reading the stream itself is free for a function. */
const aggregatorMemory = 512;

function aggregating(traffic: Traffic): readonly Quantity[] {
  const { perSecond, milliseconds } = aggregatorBatches(traffic);
  const batches = perSecond / traffic.rps;
  return [
    ['Lambda', 'lambdaRequests', 'aggregator: batches', batches],
    ['Lambda', 'lambdaMegabyteMilliseconds', 'aggregator', batches * aggregatorMemory * milliseconds],
  ];
}

/** Stored bytes are those of one request times the months that they are kept. */
function tables(traffic: Traffic): readonly Quantity[] {
  const kept = keptBytes(traffic);
  return [
    ...tableCalls(traffic).map(
      (call): Quantity => [
        'DynamoDB',
        isWrite(call) ? 'tableWrites' : 'tableReads',
        `${call.table} ${call.action}: ${call.what}`,
        call.times * call.units,
      ],
    ),
    ...storage('ledger', ((sizes.ledgerRecord + sizes.itemOverhead) * traffic.ledgerDays) / monthDays),
    ...storage('kept streams', (kept.bytes * kept.days) / monthDays),
    ...storage('open records', ((sizes.openRecord + sizes.itemOverhead) * openDays) / monthDays),
  ];
}

/** How long open records are kept. */
const openDays = openLifetimeMs / dayMs;

function storage(what: string, bytes: number): readonly Quantity[] {
  return [
    ['DynamoDB', 'tableStorage', `storage: ${what}`, bytes],
    ['DynamoDB', 'tableBackup', `recovery: ${what}`, bytes],
  ];
}

/** Used without any request. */
export const idleUses = ofMonth(
  storage('catalog', sizes.catalogTable + sizes.catalogRows * sizes.itemOverhead),
);

/** Logs are kept compressed to about this share of their bytes. */
const compressed = 0.15;

/** Written lines, and what is stored of them. Containers pay for them as the API does. */
function logs({ logDays }: Traffic, lines: readonly LogLine[]): readonly Quantity[] {
  const bytes = lines.reduce((sum, [, , each]) => sum + each, 0);
  return [
    ...lines.map(([price, what, each]): Quantity => ['CloudWatch', price, what, each]),
    ['CloudWatch', 'logStorage', 'logs that are kept', (bytes * compressed * logDays) / monthDays],
  ];
}

/** In bytes, for one request: its own line, that of the API, Lambda's for an event, and those of the aggregator's batches. */
export function loggedBytes(traffic: Traffic) {
  const event = sizes.platformLines + 3 * sizes.lineOverhead;
  const request = sizes.requestLine + sizes.openedLine + 2 * sizes.lineOverhead;
  return {
    request,
    invoked: request + sizes.lambdaRequestId,
    access: sizes.accessLine + sizes.lineOverhead,
    event,
    aggregator: (event * aggregatorBatches(traffic).perSecond) / traffic.rps,
  };
}

/** A process reads all settings together, and each of them is decrypted. */
const settings = (traffic: Traffic): readonly Quantity[] => [
  [
    'Parameter store',
    'keyDecryptions',
    'provider keys',
    readShare(traffic, cacheSeconds.providerSettings, 1) * sizes.storedSettings,
  ],
];

const transfer = (traffic: Traffic): readonly Quantity[] => [
  ['Transfer', 'transferOut', 'answers to callers', answerSize(traffic) + sizes.answerHeaders],
  ['Transfer', 'transferOut', 'requests to providers', traffic.requestBytes + sizes.upstreamHeaders],
];
