/** The options of the command. */
import { parseArgs } from 'node:util';

export interface Options {
  readonly mode: 'measure' | 'messages' | 'load' | 'profile';
  /** Short rounds: a minute instead of several. */
  readonly quick: boolean;
  /** The directory of Portkey's package; absent: it is not measured. */
  readonly portkey?: string;
  /** How long a load lasts. */
  readonly minutes: number;
}

const usage = `npm run bench -- [--quick] [--compare portkey [--portkey-directory <directory>]]
npm run bench -- --messages [--quick]
npm run bench -- --load [--minutes 10]
npm run bench -- --profile`;

/** The directory that the README installs it in. */
const portkeyDirectory = '/tmp/bench-portkey';

/** Prints the usage and ends the process if an option is unknown or wrong. */
export function readOptions(parameters: readonly string[]): Options {
  try {
    return read(parameters);
  } catch (thrown) {
    console.error(`${thrown instanceof Error ? thrown.message : thrown}\n\n${usage}`);
    process.exit(2);
  }
}

function read(parameters: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...parameters],
    options: {
      quick: { type: 'boolean', default: false },
      compare: { type: 'string' },
      'portkey-directory': { type: 'string', default: portkeyDirectory },
      messages: { type: 'boolean', default: false },
      load: { type: 'boolean', default: false },
      minutes: { type: 'string', default: '10' },
      profile: { type: 'boolean', default: false },
    },
  });
  const { quick, compare, messages, load, profile } = values;
  if (compare !== undefined && compare !== 'portkey') throw new Error('Only portkey can be compared.');
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new Error('The minutes must be a number above 0.');
  return {
    mode: load ? 'load' : profile ? 'profile' : messages ? 'messages' : 'measure',
    quick,
    minutes,
    ...(compare && { portkey: values['portkey-directory'] }),
  };
}
