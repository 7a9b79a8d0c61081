/** The options of the cost model, and the workload that they describe. */

import { computes } from '../../infra/settings/groups/computes.ts';
import { operationNamed } from '../../lib/core/operations.ts';
import { type CommandOption, oneOf, UsageError } from '../command.ts';
import type { Price } from './prices.ts';
import type { Hosting } from './print-bill.ts';
import {
  type CostedOperation,
  limitChoices,
  measuredTime,
  operations,
  streamChoices,
  type Traffic,
} from './traffic.ts';

interface NumberOption {
  readonly value: string;
  readonly description: string;
  readonly defaultValue: number;
  readonly min: number;
  readonly max: number;
  readonly decimals?: number;
}

/** Throws UsageError. */
export function readNumber(name: string, option: NumberOption, text: string | undefined): number {
  if (text === undefined) return option.defaultValue;
  const { min, max, decimals = 0 } = option;
  const value = Number(text);
  const [, fraction = ''] = /^\d+(?:\.(\d+))?$/.exec(text) ?? [undefined, 'x'.repeat(10)];
  if (fraction.length <= decimals && value >= min && value <= max) return value;
  const kind = decimals > 0 ? `a number with at most ${decimals} decimals` : 'a whole number';
  throw new UsageError(`--${name} must be ${kind} from ${min} to ${max}, not ${text}.`);
}

const number = (
  value: string,
  description: string,
  defaultValue: number,
  [min, max, decimals = 0]: readonly [number, number, number?],
): NumberOption => ({ value, description, defaultValue, min, max, decimals });

const numbers = {
  rps: number('<n>', 'Requests per second, all month', 1, [0.001, 1_000_000, 3]),
  duration: number('<s>', 'Seconds from the request to the end of its answer', 8, [0.001, 900, 3]),
  chunks: number('<n>', 'Chunks of a streamed answer; 0 for one body', 400, [0, 1_000_000]),
  memory: number('<MB>', 'Memory of the function', 256, [128, 10_240]),
  tenants: number('<n>', 'Tenants, with equal shares of the workload', 10, [1, 10_000_000]),
  keys: number('<n>', 'API keys, with equal shares of the workload', 10, [1, 10_000_000]),
  models: number('<n>', 'Models, with equal shares of the workload', 3, [1, 10_000]),
  'ledger-days': number('<n>', 'Days that the ledger is kept', 90, [1, 3_650]),
  cached: number(
    '<%>',
    'Percent of requests that are answered from the cache, where all ask for it; their duration is not left out',
    0,
    [0, 100, 1],
  ),
  'log-days': number('<n>', 'Days that log lines are kept', 30, [1, 3_653]),
} as const;

/** Their defaults depend on the operation. */
const sizes = {
  'request-bytes': number('<n>', 'Bytes of a request', 0, [0, 6_000_000]),
  'answer-bytes': number('<n>', 'Bytes of an answer without its chunks', 0, [0, 200_000_000]),
  'chunk-bytes': number('<n>', 'Bytes of a chunk', 0, [0, 1_000_000]),
} as const;

const times = {
  'cpu-request': number(
    '<µs>',
    'Processor time of a request on Web Functions and Fargate, measured without TLS',
    measuredTime.request,
    [1, 10_000_000],
  ),
  'cpu-chunk': number(
    '<µs>',
    'Processor time of each chunk of a stream, there',
    measuredTime.chunk,
    [0, 1_000_000],
  ),
} as const;

/** AWS publishes them where this project could not read them, so that there is no default. */
const webPrices = {
  'web-vcpu-second': ['webVcpuSeconds', '1', 'Price of a vCPU-second of Web Functions'],
  'web-gb-second': ['webGigabyteSeconds', '1', 'Price of a GB-second of memory of Web Functions'],
  'web-requests': ['webRequests', '1000000', 'Price of a million requests to Web Functions'],
} as const;

const described = (options: Readonly<Record<string, NumberOption>>, defaultOf: string | undefined) =>
  Object.fromEntries(
    Object.entries(options).map(([name, { value, description, defaultValue }]) => [
      name,
      { value, description: `${description} (default: ${defaultOf ?? defaultValue})` },
    ]),
  );

export const costOptions: Readonly<Record<string, CommandOption>> = {
  ...described(numbers, undefined),
  ...described(sizes, 'depends on the operation'),
  operation: {
    value: '<name>',
    description: `chat, images, or one of ${Object.keys(operations).join(', ')} (default: chat)`,
  },
  limits: { value: limitChoices.join('|'), description: 'Which callers have limits (default: none)' },
  stream: {
    value: streamChoices.join('|'),
    description:
      'How streams go on when a connection breaks: not, with extra.resumable, or as background responses that are followed (default: plain)',
  },
  dashboard: { description: 'The dashboard is deployed: its sums are kept, and each request names a user' },
  compute: { value: computes.join('|'), description: 'Host whose bill is shown in full (default: event)' },
  ...described(times, undefined),
  ...Object.fromEntries(
    Object.entries(webPrices).map(([name, [, , description]]) => [
      name,
      { value: '<USD>', description: `${description} (no default)` },
    ]),
  ),
};

type Options = Readonly<Record<string, string | undefined>>;

/** Throws UsageError for an invalid workload. */
export function readTraffic(options: Options, flags: ReadonlySet<string>): Traffic {
  const operation = readOperation(options.operation ?? 'chat');
  const defaults = operations[operation];
  const of = (name: keyof typeof numbers) => readNumber(name, numbers[name], options[name]);
  const sizeOf = (name: keyof typeof sizes, defaultValue: number) =>
    readNumber(name, { ...sizes[name], defaultValue }, options[name]);
  const isStreamed = defaults.chunkBytes > 0;
  if (!isStreamed && Number(options.chunks ?? 0) > 0)
    throw new UsageError(`--chunks cannot be used with --operation ${operation}, which is not streamed.`);
  const stream = oneOf('--stream', streamChoices, options.stream ?? 'plain');
  if (stream === 'background' && operation !== 'responses')
    throw new UsageError('--stream background can be used with --operation responses only.');
  return {
    operation,
    rps: of('rps'),
    duration: of('duration'),
    chunks: isStreamed ? of('chunks') : 0,
    memory: Math.max(of('memory'), operationNamed(operation).minMemory ?? 0),
    limits: oneOf('--limits', limitChoices, options.limits ?? 'none'),
    tenants: of('tenants'),
    keys: of('keys'),
    models: of('models'),
    ...(stream !== 'plain' && { stream }),
    ...(options.cached !== undefined && { cached: of('cached') / 100 }),
    ...(flags.has('dashboard') && { dashboard: true as const }),
    ledgerDays: of('ledger-days'),
    logDays: of('log-days'),
    requestBytes: sizeOf('request-bytes', defaults.requestBytes),
    answerBytes: sizeOf('answer-bytes', defaults.answerBytes),
    chunkBytes: sizeOf('chunk-bytes', defaults.chunkBytes),
  };
}

const shortNames: Readonly<Record<string, string>> = {
  chat: 'chat-completions',
  images: 'images-generations',
};

function readOperation(text: string): CostedOperation {
  const names = Object.keys(operations) as CostedOperation[];
  return oneOf('--operation', ['chat', 'images', ...names], shortNames[text] ?? text) as CostedOperation;
}

/** Throws UsageError. */
export function readHosting(options: Options): Hosting {
  const given = Object.entries(webPrices).flatMap(([name, [price, per]]) => {
    const text = options[name];
    return text === undefined ? [] : [[price, givenPrice(name, per, text)] as const];
  });
  return {
    compute: oneOf('--compute', computes, options.compute ?? 'event'),
    time: {
      request: readNumber('cpu-request', times['cpu-request'], options['cpu-request']),
      chunk: readNumber('cpu-chunk', times['cpu-chunk'], options['cpu-chunk']),
    },
    webPrices: Object.fromEntries(given),
  };
}

function givenPrice(name: string, per: string, dollars: string): Price {
  if (/^\d{1,6}(\.\d{1,12})?$/.test(dollars))
    return { per, unit: name, tiers: [{ dollars }], source: 'given' };
  throw new UsageError(`--${name} must be an amount with at most 12 decimals below 1000000, not ${dollars}.`);
}
