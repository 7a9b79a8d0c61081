/**
 * Runs a command line of the CLI for operators: finds the command, parses its options and runs it. Exit codes: 0 success, 1 failure,
 * 2 usage error.
 */

import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { AwsAccess } from '../infra/aws/clients.ts';
import { didYouMean } from '../lib/core/names/closest-name.ts';
import { AwsError } from '../lib/core/ports/aws.ts';
import {
  type Command,
  type Format,
  formats,
  type Installation,
  oneOf,
  type Terminal,
  UsageError,
} from './command.ts';
import { commands } from './commands.ts';
import { describeCommand, describeTool, sharedOptions, tool, usageOf } from './help.ts';
import { parseOptions, requireOptions, toParsed, withAmounts } from './parse-options.ts';

export type SharedOptions = Readonly<Record<string, string | undefined>>;

interface CommandLineEnvironment {
  readonly terminal: Terminal;
  /** Opens the gateway that the options choose. Rejects with UsageError if they cannot. */
  readonly open: (options: SharedOptions) => Promise<Installation>;
  /** Opens the account of AWS, in this region or the default. Rejects with UsageError if it cannot. */
  readonly openAws: (region: string | undefined) => Promise<AwsAccess>;
  readonly variables: NodeJS.ProcessEnv;
}

/** Runs a command line, without the name of the CLI; resolves with the exit code. */
export async function runCommandLine(
  typed: readonly string[],
  environment: CommandLineEnvironment,
): Promise<number> {
  const { terminal } = environment;
  const words = wordsOf(typed).slice(0, 2);
  const command = commands.find(({ name }) => name === words.join(' '));
  if (typed.includes('--help') || typed.includes('-h')) {
    terminal.write(describe(command, words, terminal.columns));
    return 0;
  }
  try {
    if (!command) throw new UsageError(unknownCommand(words));
    await runCommand(command, typed, environment);
    return 0;
  } catch (error) {
    terminal.writeError(`Error: ${describeError(error)}`);
    if (!(error instanceof UsageError)) return 1;
    terminal.writeError(`\n${command ? usageHint(command) : describe(command, words, terminal.columns)}`);
    return 2;
  }
}

const describe = (command: Command | undefined, words: readonly string[], columns?: number) =>
  command ? describeCommand(command, columns) : describeTool(commandsOf(words), columns);

const usageHint = (command: Command) =>
  `${usageOf(command)}\nFor options and examples: ${tool} ${command.name} --help`;

/** The commands that begin with the first word; all commands if none does. */
function commandsOf([noun]: readonly string[]): readonly Command[] {
  const own = commands.filter(({ name }) => name.split(' ')[0] === noun);
  return own.length > 0 ? own : commands;
}

function unknownCommand(words: readonly string[]): string {
  const [noun] = words;
  if (noun === undefined) return 'Missing command.';
  const isNoun = commands.some(({ name }) => name.startsWith(`${noun} `));
  if (isNoun && words.length === 1) return `Missing command after '${noun}'.`;
  const typed = words.join(' ');
  const suggestion = didYouMean(
    typed,
    commands.map(({ name }) => name),
  );
  return `Unknown command: ${typed}.${suggestion}`;
}

/** The words that are neither an option nor the value of one: options may come first. */
function wordsOf(typed: readonly string[]): readonly string[] {
  const known = Object.assign({}, sharedOptions, ...commands.map(({ options }) => options));
  return parseArgs({ args: withAmounts(typed), options: toParsed(known), strict: false }).positionals;
}

async function runCommand(
  command: Command,
  typed: readonly string[],
  environment: CommandLineEnvironment,
): Promise<void> {
  const { terminal, open, openAws, variables } = environment;
  const { options, flags, words, format } = parse(command, typed);
  await command.run({
    arguments: words,
    options,
    flags,
    format,
    terminal,
    open: () => open(options),
    aws: () => openAws(options.region),
    variables,
  });
}

function parse(command: Command, typed: readonly string[]) {
  const { arguments: required = [], furtherArguments } = command;
  const known = { ...sharedOptions, ...command.options };
  const { options, flags, positionals } = parseOptions(typed, known);
  const words = positionals.slice(command.name.split(' ').length);
  const missing = required[words.length];
  if (missing !== undefined) throw new UsageError(`Missing required argument: <${missing}>`);
  const [extra] = furtherArguments ? [] : words.slice(required.length);
  if (extra !== undefined) throw new UsageError(`Unexpected argument: ${extra}`);
  requireOptions(known, options);
  return { options, flags, words, format: readFormat(command, options.format, flags) };
}

/** Throws UsageError for an unknown format. A command without --json has formats of its own, or none. */
function readFormat({ options }: Command, text = 'table', flags: ReadonlySet<string>): Format {
  if (!options?.json || flags.has('json')) return flags.has('json') ? 'json' : 'table';
  return oneOf('--format', formats, text);
}

function describeError(error: unknown): string {
  if (error instanceof AwsError && error.type === 'ResourceNotFoundException') {
    return 'A table of this gateway does not exist. Run `npm start` once to create local data, deploy the stack again, or run `setup` where the environment names the tables.';
  }
  if (error instanceof AwsError) return `${error.type}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

/** That of this process. */
export const processTerminal: Terminal = {
  write: (line) => console.log(line),
  writeError: (line) => console.error(line),
  columns: process.stdout.columns,
  readValue: async () => {
    if (!process.stdin.isTTY) return await text(process.stdin);
    console.error('Paste the value and press Enter:');
    for await (const line of createInterface({ input: process.stdin })) return line;
    return '';
  },
};
