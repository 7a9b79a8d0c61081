/** What can be asked of the cost model, and the traffic that it describes. */
import { type CommandOption, UsageError } from '../cli/command.ts';
import { type CostedOperation, limitChoices, operations, type Traffic } from './traffic.ts';

interface NumberOption {
  readonly value: string;
  readonly description: string;
  readonly otherwise: number;
  readonly least: number;
  readonly most: number;
  readonly decimals?: number;
}

const number = (
  value: string,
  description: string,
  otherwise: number,
  [least, most, decimals = 0]: readonly [number, number, number?],
): NumberOption => ({ value, description, otherwise, least, most, decimals });

const numbers = {
  rps: number('<n>', 'Requests a second, all month long', 1, [0.001, 1_000_000, 3]),
  duration: number('<s>', 'Seconds from a request to the end of its answer', 8, [0.001, 900, 3]),
  chunks: number('<n>', 'Pieces of a streamed answer; 0: it comes as one body', 400, [0, 1_000_000]),
  memory: number('<MB>', 'Memory of the function', 512, [128, 10_240]),
  tenants: number('<n>', 'Tenants, with equal parts of the traffic', 10, [1, 10_000_000]),
  keys: number('<n>', 'API keys, with equal parts of the traffic', 10, [1, 10_000_000]),
  models: number('<n>', 'Models, with equal parts of the traffic', 3, [1, 10_000]),
  'kept-bytes': number('<n>', 'Size of a kept response, compressed', 6_000, [1, 64_000_000]),
  'ledger-days': number('<n>', 'For how long the ledger is kept', 90, [1, 3_650]),
  cold: number('<%>', 'Requests of a hundred for which a function has to start', 1, [0, 100, 3]),
  init: number('<ms>', 'Milliseconds of such a start', 500, [0, 10_000]),
} as const;

/** Their defaults are the operation's own. */
const sizes = {
  'request-bytes': number('<n>', 'Size of a request', 0, [0, 6_000_000]),
  'answer-bytes': number('<n>', 'Size of an answer beside its chunks', 0, [0, 200_000_000]),
  'chunk-bytes': number('<n>', 'Size of a chunk', 0, [0, 1_000_000]),
} as const;

const shown = ({ value, description, otherwise }: NumberOption): CommandOption => ({
  value,
  description: `${description}; ${otherwise} where it is not given`,
});

export const trafficOptions: Readonly<Record<string, CommandOption>> = {
  ...Object.fromEntries(Object.entries(numbers).map(([name, option]) => [name, shown(option)])),
  ...Object.fromEntries(
    Object.entries(sizes).map(([name, { value, description }]) => [
      name,
      { value, description: `${description}; usual for the operation where it is not given` },
    ]),
  ),
  operation: { value: '<name>', description: `chat, images, or: ${Object.keys(operations).join(', ')}` },
  limits: { value: limitChoices.join('|'), description: 'Who has limits; none where it is not given' },
  store: { description: 'Responses are kept' },
  'follow-up': { description: 'Each response goes on from a kept one' },
};

type Options = Readonly<Record<string, string | undefined>>;

/** Throws UsageError for what no traffic can be. */
export function readTraffic(options: Options, flags: ReadonlySet<string>): Traffic {
  const operation = readOperation(options.operation ?? 'chat');
  const usual = operations[operation];
  const of = (name: keyof typeof numbers) => readNumber(name, numbers[name], options[name]);
  const sizeOf = (name: keyof typeof sizes, otherwise: number) =>
    readNumber(name, { ...sizes[name], otherwise }, options[name]);
  const isKept = flags.has('store') || flags.has('follow-up');
  if (isKept && operation !== 'responses')
    throw new UsageError('Only responses are kept: --operation responses');
  const isStreamed = usual.chunkBytes > 0;
  if (!isStreamed && Number(options.chunks ?? 0) > 0)
    throw new UsageError(`${operation} are not streamed: leave out --chunks`);
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
    store: flags.has('store'),
    followUp: flags.has('follow-up'),
    keptBytes: of('kept-bytes'),
    ledgerDays: of('ledger-days'),
    coldPercent: of('cold'),
    initMs: of('init'),
    requestBytes: sizeOf('request-bytes', usual.requestBytes),
    answerBytes: sizeOf('answer-bytes', usual.answerBytes),
    chunkBytes: sizeOf('chunk-bytes', usual.chunkBytes),
  };
}

const shortNames: Readonly<Record<string, string>> = {
  chat: 'chat-completions',
  images: 'images-generations',
};

function readOperation(text: string): CostedOperation {
  const names = Object.keys(operations) as CostedOperation[];
  const found = names.find((name) => name === (shortNames[text] ?? text));
  if (!found) throw new UsageError(`--operation is one of chat, images, ${names.join(', ')}, not ${text}`);
  return found;
}

function readLimits(text: string) {
  const found = limitChoices.find((choice) => choice === text);
  if (!found) throw new UsageError(`--limits is one of ${limitChoices.join(', ')}, not ${text}`);
  return found;
}

function readNumber(name: string, option: NumberOption, text: string | undefined): number {
  if (text === undefined) return option.otherwise;
  const { least, most, decimals = 0 } = option;
  const value = Number(text);
  const [, fraction = ''] = /^\d+(?:\.(\d+))?$/.exec(text) ?? [undefined, 'x'.repeat(10)];
  if (fraction.length <= decimals && value >= least && value <= most) return value;
  const kind = decimals > 0 ? `a number with at most ${decimals} decimals` : 'a whole number';
  throw new UsageError(`--${name} is ${kind} from ${least} to ${most}, not ${text}`);
}
