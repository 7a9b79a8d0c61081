/** The options of the command. */
import { parseArgs } from 'node:util';

export interface Peer {
  readonly name: PeerName;
  readonly directory: string;
}

export interface Options {
  readonly mode: 'measure' | 'some' | 'cold' | 'operations' | 'stages' | 'first-request' | 'load';
  /** Short rounds: a minute instead of several. */
  readonly quick: boolean;
  /** The other gateways that are measured beside ours, each with the directory that it is installed in. */
  readonly peers: readonly Peer[];
  /** Only the scenarios whose line begins with one of these; absent: everything. */
  readonly only?: readonly string[];
  /** How long a load lasts. */
  readonly minutes: number;
  /** Streams of a load at a time. */
  readonly streams: number;
}

const usage = `npm run bench -- [--quick] [--compare portkey,litellm] [--portkey-directory <directory>] [--litellm-directory <directory>]
npm run bench -- --only 'body, openai, 16' [--only 'paced stream'] [--quick]
npm run bench -- --cold [--quick]
npm run bench -- --operations [--quick]
npm run bench -- --stages [--quick]
npm run bench -- --first-request
npm run bench -- --load [--minutes 10] [--streams 1000]`;

const peerNames = ['portkey', 'litellm'] as const;

/** Each has an option of its name. */
const modes = ['load', 'cold', 'operations', 'stages', 'first-request'] as const;

export type PeerName = (typeof peerNames)[number];

/** The directory that the README installs it in. */
const directoryOf = (name: PeerName) => `/tmp/bench-${name}`;

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
      'portkey-directory': { type: 'string', default: directoryOf('portkey') },
      'litellm-directory': { type: 'string', default: directoryOf('litellm') },
      only: { type: 'string', multiple: true },
      cold: { type: 'boolean', default: false },
      operations: { type: 'boolean', default: false },
      stages: { type: 'boolean', default: false },
      'first-request': { type: 'boolean', default: false },
      load: { type: 'boolean', default: false },
      minutes: { type: 'string', default: '10' },
      streams: { type: 'string', default: '1000' },
    },
  });
  const { quick, compare, only } = values;
  const minutes = Number(values.minutes);
  const streams = Number(values.streams);
  if (!(minutes > 0)) throw new Error('The minutes must be a number above 0.');
  if (!Number.isInteger(streams) || streams < 1)
    throw new Error('The streams must be a whole number above 0.');
  return {
    mode: modes.find((mode) => values[mode]) ?? (only ? 'some' : 'measure'),
    quick,
    minutes,
    streams,
    peers: readPeers(compare).map((name) => ({ name, directory: values[`${name}-directory`] })),
    ...(only && { only }),
  };
}

function readPeers(text = ''): readonly PeerName[] {
  return text.split(',').flatMap((part) => {
    if (part === '') return [];
    const name = peerNames.find((known) => known === part);
    if (name === undefined) throw new Error(`Only these can be compared: ${peerNames.join(', ')}.`);
    return [name];
  });
}
