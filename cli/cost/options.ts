/** The options of the cost model, and the workload that they describe. */
import { type CommandOption, UsageError } from '../command.ts';
import { type NumberOption, readNumber, shown } from './number-option.ts';
import { type CostedOperation, limitChoices, operations, type Traffic } from './traffic.ts';

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
  memory: number('<MB>', 'Memory of the function', 512, [128, 10_240]),
  tenants: number('<n>', 'Tenants, with equal shares of the workload', 10, [1, 10_000_000]),
  keys: number('<n>', 'API keys, with equal shares of the workload', 10, [1, 10_000_000]),
  models: number('<n>', 'Models, with equal shares of the workload', 3, [1, 10_000]),
  'stored-bytes': number('<n>', 'Bytes of a stored response, compressed', 6_000, [1, 64_000_000]),
  'ledger-days': number('<n>', 'Days that the ledger is kept', 90, [1, 3_650]),
  'log-days': number('<n>', 'Days that log lines are kept', 30, [1, 3_653]),
  replicas: number('<n>', 'Other regions that share models and keys', 0, [0, 20]),
  cold: number('<%>', 'Percentage of requests with a cold start', 1, [0, 100, 3]),
  init: number('<ms>', 'Milliseconds of a cold start', 500, [0, 10_000]),
} as const;

/** Their defaults depend on the operation. */
const sizes = {
  'request-bytes': number('<n>', 'Bytes of a request', 0, [0, 6_000_000]),
  'answer-bytes': number('<n>', 'Bytes of an answer without its chunks', 0, [0, 200_000_000]),
  'chunk-bytes': number('<n>', 'Bytes of a chunk', 0, [0, 1_000_000]),
} as const;

export const trafficOptions: Readonly<Record<string, CommandOption>> = {
  ...Object.fromEntries(Object.entries(numbers).map(([name, option]) => [name, shown(option)])),
  ...Object.fromEntries(
    Object.entries(sizes).map(([name, { value, description }]) => [
      name,
      { value, description: `${description} (default: depends on the operation)` },
    ]),
  ),
  operation: {
    value: '<name>',
    description: `chat, images, or one of ${Object.keys(operations).join(', ')} (default: chat)`,
  },
  limits: { value: limitChoices.join('|'), description: 'Which callers have limits (default: none)' },
  dashboard: { description: 'The dashboard is deployed: its sums are kept, and each request names a user' },
  store: { description: 'Responses are stored' },
  'follow-up': { description: 'Each response continues a stored one' },
};

type Options = Readonly<Record<string, string | undefined>>;

/** Throws UsageError for an invalid workload. */
export function readTraffic(options: Options, flags: ReadonlySet<string>): Traffic {
  const operation = readOperation(options.operation ?? 'chat');
  const defaults = operations[operation];
  const of = (name: keyof typeof numbers) => readNumber(name, numbers[name], options[name]);
  const sizeOf = (name: keyof typeof sizes, defaultValue: number) =>
    readNumber(name, { ...sizes[name], defaultValue }, options[name]);
  const isStored = flags.has('store') || flags.has('follow-up');
  if (isStored && operation !== 'responses')
    throw new UsageError('--store and --follow-up require --operation responses.');
  const isStreamed = defaults.chunkBytes > 0;
  if (!isStreamed && Number(options.chunks ?? 0) > 0)
    throw new UsageError(`--chunks cannot be used with --operation ${operation}, which is not streamed.`);
  return {
    operation,
    rps: of('rps'),
    duration: of('duration'),
    chunks: isStreamed ? of('chunks') : 0,
    memory: of('memory'),
    limits: readLimits(options.limits ?? 'none'),
    tenants: of('tenants'),
    keys: of('keys'),
    models: of('models'),
    ...(flags.has('dashboard') && { dashboard: true as const }),
    store: flags.has('store'),
    followUp: flags.has('follow-up'),
    storedBytes: of('stored-bytes'),
    ledgerDays: of('ledger-days'),
    logDays: of('log-days'),
    replicas: of('replicas'),
    coldPercent: of('cold'),
    initMs: of('init'),
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
  const found = names.find((name) => name === (shortNames[text] ?? text));
  if (!found)
    throw new UsageError(`--operation must be one of chat, images, ${names.join(', ')}, not ${text}.`);
  return found;
}

function readLimits(text: string) {
  const found = limitChoices.find((choice) => choice === text);
  if (!found) throw new UsageError(`--limits must be one of ${limitChoices.join(', ')}, not ${text}.`);
  return found;
}
