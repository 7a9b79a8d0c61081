/** Everything of AWS that a workload uses in a month, in millionths of the unit of its price. */
import { aggregatorBatches } from './aggregator.ts';
import { type PriceName, toMillionths } from './prices.ts';
import * as sizes from './sizes.ts';
import { isWrite, tableCalls } from './table-calls.ts';
import {
  answerSize,
  cacheSeconds,
  concurrentRequests,
  operations,
  readShare,
  requestsPerMonth,
  type Traffic,
} from './traffic.ts';

export const parts = [
  'Lambda',
  'API Gateway',
  'DynamoDB',
  'CloudWatch',
  'Parameter store',
  'Transfer',
] as const;
export type Part = (typeof parts)[number];

export interface Use {
  readonly part: Part;
  readonly what: string;
  readonly price: PriceName;
  /** Of the price's unit, per month. */
  readonly millionths: bigint;
}

type PerRequest = readonly [part: Part, price: PriceName, what: string, quantity: number];

/** Used without any request: the stored catalog. */
export const idleUses: readonly Use[] = stored('catalog', sizes.catalogTable, sizes.catalogRows);

export function trafficUses(traffic: Traffic): readonly Use[] {
  const month = requestsPerMonth(traffic);
  const perRequest = [
    ...computing(traffic),
    ...calls(traffic),
    ...storedData(traffic),
    ...logs(traffic),
    ...settings(traffic),
    ...transfer(traffic),
  ].filter(([, , , quantity]) => quantity > 0);
  return [
    ...perRequest.map(([part, price, what, quantity]) => ({
      part,
      price,
      what,
      millionths: month * toMillionths(quantity),
    })),
    ...metrics,
  ];
}

/** In MB. Reading the stream itself is free for a function. */
const aggregatorMemory = 512;

function computing(traffic: Traffic): readonly PerRequest[] {
  const { memory, duration, coldPercent, initMs } = traffic;
  const size = answerSize(traffic);
  const { perSecond, milliseconds } = aggregatorBatches(traffic);
  const batches = perSecond / traffic.rps;
  return [
    ['Lambda', 'lambdaRequests', 'requests', 1],
    ['Lambda', 'lambdaMegabyteMilliseconds', 'answering', memory * Math.round(duration * 1_000)],
    ['Lambda', 'lambdaMegabyteMilliseconds', 'cold starts', (memory * initMs * coldPercent) / 100],
    ['Lambda', 'lambdaStreamedBytes', 'answer beyond 6 MB', Math.max(0, size - sizes.freeAnswer)],
    ['Lambda', 'lambdaRequests', 'aggregator: batches', batches],
    ['Lambda', 'lambdaMegabyteMilliseconds', 'aggregator', batches * aggregatorMemory * milliseconds],
    ['API Gateway', 'apiGatewayRequests', 'requests', Math.max(1, Math.ceil(size / sizes.answerUnit))],
  ];
}

const calls = (traffic: Traffic): readonly PerRequest[] =>
  tableCalls(traffic).map((call) => [
    'DynamoDB',
    isWrite(call) ? 'tableWrites' : 'tableReads',
    `${call.table} ${call.action}: ${call.what}`,
    call.times * call.units,
  ]);

/** Stored bytes, as bytes of one request times the months that they are kept. */
function storedData(traffic: Traffic): readonly PerRequest[] {
  const { ledgerDays, store, storedBytes } = traffic;
  const monthDays = 365 / 12;
  const ledger = operations[traffic.operation].callsModels ? sizes.ledgerRecord + sizes.itemOverhead : 0;
  const responses = store ? storedBytes + sizes.storedHead + sizes.itemOverhead : 0;
  return [
    ...storage('ledger', (ledger * ledgerDays) / monthDays),
    ...storage('stored responses, 30 days', (responses * 30) / monthDays),
  ];
}

function storage(what: string, bytes: number): readonly PerRequest[] {
  return [
    ['DynamoDB', 'tableStorage', `storage: ${what}`, bytes],
    ['DynamoDB', 'tableBackup', `recovery: ${what}`, bytes],
  ];
}

function stored(what: string, bytes: number, items: number): readonly Use[] {
  return storage(what, bytes + items * sizes.itemOverhead).map(([part, price, what, quantity]) => ({
    part,
    price,
    what,
    millionths: toMillionths(quantity),
  }));
}

/** Logs are kept for a month, compressed to about this share of their bytes. */
const compressed = 0.15;

function logs(traffic: Traffic): readonly PerRequest[] {
  const batches = aggregatorBatches(traffic).perSecond / traffic.rps;
  const platform = sizes.platformLines + 3 * sizes.lineOverhead;
  const functions = sizes.requestLine + sizes.lineOverhead + platform * (1 + batches);
  const access = sizes.accessLine + sizes.lineOverhead;
  return [
    ['CloudWatch', 'functionLogs', 'log of the function', functions],
    ['CloudWatch', 'accessLogs', 'access log', access],
    ['CloudWatch', 'logStorage', 'logs, one month', (functions + access) * compressed],
  ];
}

/** Metrics of the one method in use: count, 4xx, 5xx and two latencies. Lost records and unpriced requests are rare. */
const metrics: readonly Use[] = [
  { part: 'CloudWatch', what: 'metrics of the API', price: 'metrics', millionths: toMillionths(5) },
];

/** Most providers have one setting, their key. */
const settings = (traffic: Traffic): readonly PerRequest[] =>
  operations[traffic.operation].callsModels
    ? [
        [
          'Parameter store',
          'keyDecryptions',
          'provider keys',
          readShare(traffic, cacheSeconds.providerSettings, 1),
        ],
      ]
    : [];

function transfer(traffic: Traffic): readonly PerRequest[] {
  const upstream = operations[traffic.operation].callsModels
    ? traffic.requestBytes + sizes.upstreamHeaders
    : 0;
  return [
    ['Transfer', 'transferOut', 'answers to callers', answerSize(traffic) + sizes.answerHeaders],
    ['Transfer', 'transferOut', 'requests to providers', upstream],
  ];
}

/** For people: concurrent requests, rounded up. */
export const concurrency = (traffic: Traffic): number => Math.ceil(concurrentRequests(traffic));
