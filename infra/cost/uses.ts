/** Everything of AWS that a traffic uses in a month, each as millionths of the unit that its price is for. */
import { type PriceName, toMillionths } from './prices.ts';
import * as sizes from './sizes.ts';
import { isWrite, tableCalls } from './table-calls.ts';
import {
  answerSize,
  atATime,
  operations,
  readShare,
  remembered,
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
  /** Of the price's unit, in a month. */
  readonly millionths: bigint;
}

type PerRequest = readonly [part: Part, price: PriceName, what: string, quantity: number];

/** What is used whether anybody asks or not: the catalog lies in its table. */
export const idleUses: readonly Use[] = stored('catalog', sizes.catalogTable, sizes.catalogRows);

export function trafficUses(traffic: Traffic): readonly Use[] {
  const month = requestsPerMonth(traffic);
  const perRequest = [
    ...computing(traffic),
    ...calls(traffic),
    ...kept(traffic),
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

function computing(traffic: Traffic): readonly PerRequest[] {
  const { memory, duration, coldPercent, initMs } = traffic;
  const size = answerSize(traffic);
  return [
    ['Lambda', 'lambdaRequests', 'requests', 1],
    ['Lambda', 'lambdaMegabyteMilliseconds', 'while answering', memory * Math.round(duration * 1_000)],
    ['Lambda', 'lambdaMegabyteMilliseconds', 'while starting', (memory * initMs * coldPercent) / 100],
    ['Lambda', 'lambdaStreamedBytes', 'beyond 6 MB of an answer', Math.max(0, size - sizes.freeAnswer)],
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

/** Bytes that lie there at any time, counted as those that one request leaves for so many months. */
function kept(traffic: Traffic): readonly PerRequest[] {
  const { ledgerDays, store, keptBytes } = traffic;
  const monthDays = 365 / 12;
  const ledger = operations[traffic.operation].callsModels ? sizes.ledgerRecord + sizes.itemOverhead : 0;
  const responses = store ? keptBytes + sizes.keptHead + sizes.itemOverhead : 0;
  return [
    ...storage('ledger', (ledger * ledgerDays) / monthDays),
    ...storage('kept responses, 30 days', (responses * 30) / monthDays),
  ];
}

function storage(what: string, bytes: number): readonly PerRequest[] {
  return [
    ['DynamoDB', 'tableStorage', `storage: ${what}`, bytes],
    ['DynamoDB', 'tableBackup', `recovery: ${what}`, bytes],
  ];
}

function stored(what: string, bytes: number, items: number): readonly Use[] {
  return storage(what, bytes + items * sizes.itemOverhead).map(([part, price, told, quantity]) => ({
    part,
    price,
    what: told,
    millionths: toMillionths(quantity),
  }));
}

/** Kept for a month, compressed to about this part of their bytes. */
const compressed = 0.15;

function logs({ operation }: Traffic): readonly PerRequest[] {
  const isOpened = operations[operation].callsModels;
  const own = sizes.requestLine + (isOpened ? sizes.openedLine : 0) + sizes.platformLines;
  const lines = 4 + (isOpened ? 1 : 0);
  const functions = own + lines * sizes.lineOverhead;
  const access = sizes.accessLine + sizes.lineOverhead;
  return [
    ['CloudWatch', 'functionLogs', 'log of the function', functions],
    ['CloudWatch', 'accessLogs', 'access log', access],
    ['CloudWatch', 'logStorage', 'logs, one month', (functions + access) * compressed],
  ];
}

/** Of the one method in use: counts, 4xx, 5xx and two latencies. Those of lost records and unpriced requests are rare. */
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
          readShare(traffic, remembered.providerSettings, 1),
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

/** For people: what of a traffic is under way at a time. */
export const concurrency = (traffic: Traffic): number => Math.ceil(atATime(traffic));
